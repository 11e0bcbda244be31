"""Attention and the Transformer in NumPy and PyTorch: the code that the notebooks show, drive and test."""
