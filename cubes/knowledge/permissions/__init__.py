"""Who may read which documents, and a knowledge base as it is for those who may read some of them."""
