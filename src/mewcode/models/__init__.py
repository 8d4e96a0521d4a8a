"""Which language model, from which provider, behind one small interface; the embedded local model too."""
