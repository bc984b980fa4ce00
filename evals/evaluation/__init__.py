"""The harness: it asks systems the questions of a data set, keeps the answers and scores them."""
