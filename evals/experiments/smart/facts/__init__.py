"""Questions about facts that no passage states, answered with abstraction trees and without."""
