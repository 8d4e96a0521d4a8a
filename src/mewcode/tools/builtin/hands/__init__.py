"""What the built-in tools do when they are called. Imported at the first call: until then the definitions suffice."""
