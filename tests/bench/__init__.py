"""Benchmarks: what the program costs and reaches, measured beside others in one run; `dev.py bench NAME`."""
