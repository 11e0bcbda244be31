"""Whether inputs are what a function can use: arrays for NumPy, tensors for the modules."""
