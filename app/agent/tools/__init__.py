"""The tools a model can call, one module a family."""
