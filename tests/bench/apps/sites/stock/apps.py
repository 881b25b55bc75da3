"""The application's place in Django."""

from django.apps import AppConfig


class StockConfig(AppConfig):
    name = "stock"
    default_auto_field = "django.db.models.AutoField"
