from django.apps import AppConfig


class FleetConfig(AppConfig):
    name = "tests.e2e.django_site"
    label = "fleet"
    verbose_name = "Fleet"
    default_auto_field = "django.db.models.AutoField"
