"""What a shell line would run, at any depth, whatever its spelling."""
