"""Real applications, each installed into a folder of its own, filled with the same data every time, on loopback."""
