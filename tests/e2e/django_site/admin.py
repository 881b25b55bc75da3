from django.contrib import admin

from tests.e2e.django_site.models import Harbour, Ship


@admin.register(Harbour)
class HarbourAdmin(admin.ModelAdmin):
    list_display = ("name", "country")


@admin.register(Ship)
class ShipAdmin(admin.ModelAdmin):
    list_display = ("name", "home_port", "length_m", "is_sailing")
