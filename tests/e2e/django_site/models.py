from django.db import models


class Harbour(models.Model):
    name = models.CharField(max_length=80, unique=True)
    country = models.CharField(max_length=80)

    def __str__(self) -> str:
        return self.name


class Ship(models.Model):
    name = models.CharField(max_length=80)
    home_port = models.ForeignKey(Harbour, on_delete=models.PROTECT)
    length_m = models.PositiveIntegerField("length in metres")
    is_sailing = models.BooleanField("under sail", default=False)
    remarks = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name
