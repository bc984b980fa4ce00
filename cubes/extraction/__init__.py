"""Reading facts out of sections: the `Extractor` protocol and the embedded, rule-based extractor."""
