"""The admin, with the means that real projects use: search, filters, lists to edit, inlines, actions."""

from django.contrib import admin
from stock.models import Line, Order, Product, Supplier


@admin.register(Supplier)
class SupplierAdmin(admin.ModelAdmin):
    list_display = ("name", "country", "email", "is_active")
    list_filter = ("is_active", "country")
    search_fields = ("name", "country")


@admin.register(Product)
class ProductAdmin(admin.ModelAdmin):
    list_display = ("name", "code", "kind", "supplier", "price", "in_stock")
    list_editable = ("in_stock",)
    list_filter = ("kind", "in_stock", "supplier")
    list_per_page = 40
    search_fields = ("name", "code")
    date_hierarchy = "added"
    fieldsets = (
        (None, {"fields": ("name", "code", "kind", "supplier")}),
        ("Selling", {"fields": (("price", "in_stock"), "added")}),
        ("More", {"fields": ("remarks",), "classes": ("collapse",)}),
    )


class LineInline(admin.TabularInline):
    model = Line
    extra = 1
    autocomplete_fields = ("product",)


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ("id", "customer", "state", "placed", "gift")
    list_filter = ("state", "gift")
    list_per_page = 30
    search_fields = ("customer",)
    inlines = (LineInline,)
    actions = ("mark_packed",)

    @admin.action(description="Mark the selected orders as packed")
    def mark_packed(self, request: object, orders: object) -> None:
        orders.update(state="packed")
