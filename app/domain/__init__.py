"""The words of Pilotfish as frozen values; imports nothing of the program."""
