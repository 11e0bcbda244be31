"""Attention and the Transformer: what the notebooks show, drive and test. Read in this order:

attention.py      softmax, scaled dot-product attention, heads (jacobian.py: how far weights move)
masks.py          who may attend to whom
positions.py      where a token stands: sinusoidal, learned, rotary
layers.py         norms, feed-forward, encoder, decoder (with activations.py, parameters.py)
cache.py          the key-value cache: a step computes the row of the new token only
llama.py          a layer of today: RMS norm, rotary positions, grouped queries, a gate
tokens.py         text as numbers
sampling.py       from the scores of the next word to one word; all so far is NumPy
modules.py        the same in PyTorch, to train (torch_weights.py: to and from torch.nn)
training.py       the loop that trains; decoding.py, how a trained model writes
interventions.py  look at its weights, and change them (ablations.py: take a part out)
counting.py       a table of counts, the rival of a model that writes
copying.py        a sequence that comes twice, and which heads copy

Beside them: corpus, the little language; saved, the models trained on it; pretrained, models of
others; charts; validation, what inputs may be; set_up; checks of the exercises; widgets, the demos;
mine, the functions that the reader has written.
"""
