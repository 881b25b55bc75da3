"""Suppliers, products, orders and their lines."""

from django.db import models


class Supplier(models.Model):
    name = models.CharField(max_length=80, unique=True)
    country = models.CharField(max_length=60)
    email = models.EmailField(blank=True)
    is_active = models.BooleanField("active", default=True)

    def __str__(self) -> str:
        return self.name


class Product(models.Model):
    KINDS = (("tool", "Tool"), ("part", "Part"), ("paint", "Paint"), ("book", "Book"))

    name = models.CharField(max_length=80)
    code = models.CharField(max_length=20, unique=True)
    kind = models.CharField(max_length=10, choices=KINDS)
    supplier = models.ForeignKey(Supplier, on_delete=models.PROTECT)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    in_stock = models.BooleanField(default=True)
    added = models.DateField()
    remarks = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class Order(models.Model):
    STATES = (("new", "New"), ("packed", "Packed"), ("sent", "Sent out"))

    customer = models.CharField(max_length=80)
    state = models.CharField(max_length=10, choices=STATES, default="new")
    placed = models.DateTimeField()
    gift = models.BooleanField("wrap as a gift", default=False)

    def __str__(self) -> str:
        return f"Order {self.pk} of {self.customer}"


class Line(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
    product = models.ForeignKey(Product, on_delete=models.PROTECT)
    quantity = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product}"
