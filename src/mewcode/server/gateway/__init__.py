"""What upstream servers have besides tools, passed on: resources, prompts, questions, log messages, changes."""
