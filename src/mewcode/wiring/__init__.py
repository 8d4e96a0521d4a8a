"""What the composition root is made of: one file for each part that it wires from the settings."""
