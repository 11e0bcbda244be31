"""What maintainers run, and what start.py is made of.

This file makes the folder a package: without it, another `tools` on the path would win.
"""
