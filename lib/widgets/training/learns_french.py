"""A training that learns French, on page 10, and in a quarter of a minute on that of demos."""

from functools import partial

from lib import corpus
from lib.tokens import END
from lib.widgets.frame.places import EVERYWHERE
from lib.widgets.training.training import FRENCH, Training

SIZES = {"d_model": 64, "heads": 4, "encoder_layers": 2, "decoder_layers": 1, "d_ff": 256}


def learns_french(new_model=None, recipe=None):
    """A Training whose button trains anew each time; ``translator`` is what it trained last.

    new_model() -> the model of page 10, to be trained by the recipe, with its map and its loss on
    the screen. Without them: that model in fewer steps, and neither map nor loss.
    """
    from lib import decoding, training

    material = corpus.make("French")
    example = corpus.say("French", "tired animal")
    task = training.Translating(material, sample=example)
    has_map = new_model is not None
    new_model = new_model or partial(model_of_page_10, material)
    recipe = recipe or training.Recipe(steps=400, warm_up=100)

    def train():
        model, words = new_model(), (material.english, material.target)
        translator = decoding.TranslationModel(model, *words, "French", corpus.join)
        demo.follow(
            training.fit(training.Run(model, task, recipe)),
            (lambda report: looks(report.weights)) if has_map else None,
            writes=lambda report: translator.translate(example.english).text,
            loss=lambda report: report.loss,
            right=lambda report: report.accuracy,
        )
        demo.translator = translator

    demo = Training(
        looks(task.weights(new_model())) if has_map else None,
        [*example.target, END],
        example.english,
        recipe.steps,
        curves=["loss"] if has_map else [],
        question=FRENCH,
        shares=["right"],
        head_names=["mean of the heads"],
        start=train,
    )
    demo.translator, demo.header.where = None, list(EVERYWHERE)
    return demo


def looks(weights):
    """(T, S): the decoder's look at the source, averaged over its heads."""
    return weights["cross"][-1].mean(0)


def model_of_page_10(material):
    """As the page makes it; the page of demos has no such cell."""
    import torch

    from lib.modules import Transformer

    torch.manual_seed(0)
    return Transformer(len(material.english), len(material.target), **SIZES, dropout=0.0)
