"""Fitting the confidence of answers to recorded signals."""
