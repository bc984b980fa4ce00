"""What a person or a program touches: facade, settings, command line, reasoners, factories."""
