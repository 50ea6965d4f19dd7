"""Fits the weights that the language room ships, and measures them on authors held out."""
