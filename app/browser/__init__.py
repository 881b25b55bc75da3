"""The live browser: the only package that knows the driver."""
