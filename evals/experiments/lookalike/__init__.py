"""The look-alike benchmark: datasheets of one product family, questions about them, and HiQA's ablation on both."""
