"""The guarded browser for other programs: a server of the Model Context Protocol on stdio."""
