"""The embedded model: a small Qwen2.5-Coder, run offline by llama.cpp in a process of its own.

An offer, never a surprise: it is chosen only when nothing else is there, and nothing is downloaded unasked.
"""
