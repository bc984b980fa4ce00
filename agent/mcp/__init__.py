"""The Model Context Protocol: tools and resources over stdio and HTTP."""
