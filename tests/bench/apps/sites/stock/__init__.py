"""A small shop's stock, for the admin that Django brings: suppliers, products, orders with lines."""
