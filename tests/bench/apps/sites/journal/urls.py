"""The admin of Wagtail and the pages themselves."""

from django.urls import include, path
from wagtail import urls as pages
from wagtail.admin import urls as admin

urlpatterns = [path("admin/", include(admin)), path("", include(pages))]
