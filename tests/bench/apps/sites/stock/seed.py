"""Makes the tables and fills them, always with the same things: `python -m stock.seed`."""

import datetime as dt
import os
import random
from decimal import Decimal

import django

COUNTRIES = ("Austria", "Chile", "Denmark", "Ghana", "Ireland", "Japan", "Portugal")
MADE_OF = ("Brass", "Oak", "Steel", "Linen", "Copper", "Birch", "Glass", "Cork")
THINGS = ("hinge", "hammer", "varnish", "chisel", "handle", "manual", "clamp", "primer", "bolt", "ruler")
FIRST = ("Ana", "Bo", "Cleo", "Dag", "Edda", "Femi", "Goran", "Hana", "Ines", "Jun")
LAST = ("Abara", "Brandt", "Costa", "Dahl", "Eriksen", "Falk", "Grau", "Hoang")


def fill() -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    User.objects.create_superuser("keeper", first_name="Kim")
    draw = random.Random(20_261)
    _products(draw, _suppliers(draw))
    _orders(draw)


def _suppliers(draw: random.Random) -> list[object]:
    from stock.models import Supplier

    made = []
    for number in range(24):
        name = f"{draw.choice(LAST)} & {draw.choice(LAST)} {number + 1}"
        made.append(
            Supplier.objects.create(
                name=name, country=draw.choice(COUNTRIES), email=f"sales{number}@site.test", is_active=number % 5 != 0
            )
        )
    return made


def _products(draw: random.Random, suppliers: list[object]) -> None:
    from stock.models import Product

    for number in range(160):
        Product.objects.create(
            name=f"{draw.choice(MADE_OF)} {draw.choice(THINGS)} No. {number + 1}",
            code=f"P-{1000 + number}",
            kind=draw.choice(Product.KINDS)[0],
            supplier=draw.choice(suppliers),
            price=Decimal(draw.randrange(150, 20_000)) / 100,
            in_stock=draw.random() < 0.7,
            added=dt.date(2024, 1, 1) + dt.timedelta(days=draw.randrange(600)),
        )


def _orders(draw: random.Random) -> None:
    from stock.models import Line, Order, Product

    products = list(Product.objects.order_by("id"))
    for _ in range(70):
        placed = dt.datetime(2025, 3, 1, 8, tzinfo=dt.UTC) + dt.timedelta(hours=draw.randrange(2_000))
        state = draw.choice(Order.STATES)[0]
        order = Order.objects.create(customer=f"{draw.choice(FIRST)} {draw.choice(LAST)}", state=state, placed=placed)
        for product in draw.sample(products, draw.randrange(1, 5)):
            Line.objects.create(order=order, product=product, quantity=draw.randrange(1, 9))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "stock.settings"
    django.setup()
    fill()
