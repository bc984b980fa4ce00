"""The baselines: one look-up, chains of look-ups, and the published systems that need no model."""
