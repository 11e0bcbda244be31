"""Attention and the Transformer in NumPy and PyTorch: what the notebooks show, drive and test."""
