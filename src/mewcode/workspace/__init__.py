"""The work itself: files, code search, processes, jobs, checkpoints, sandbox; safe by construction."""
