"""Evaluation: data sets, metrics, baselines, the runner and its reports."""
