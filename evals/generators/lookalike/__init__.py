"""The look-alike corpus: datasheets of one product family, and questions about them."""
