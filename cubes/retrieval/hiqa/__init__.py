"""HiQA: hierarchical contextual augmentation of sections and multi-route retrieval over them."""
