"""The practice shop "Harbour Lights", served on loopback for the demo and for tests of the whole program."""

from app.demo_site.server import DemoSite, start
from app.demo_site.shop import Order

__all__ = ["DemoSite", "Order", "start"]
