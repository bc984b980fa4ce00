"""The ontologies that ship with the package, as YAML files."""
