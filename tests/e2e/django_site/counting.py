"""Writes down every request, so that a test can count what really reached the server."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class CountRequests:
    """One line a request: method, path, status. Bodies and queries stay out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        with settings.REQUESTS_FILE.open("a", encoding="utf-8") as file:
            file.write(f"{request.method} {request.path} {response.status_code}\n")
        return response
