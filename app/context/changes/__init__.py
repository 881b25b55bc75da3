"""Says what is different between two views of a page, so exactly that a reader can carry it out."""
