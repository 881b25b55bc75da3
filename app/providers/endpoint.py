"""Where a model answers, and how long one waits for it there."""

import ipaddress
from dataclasses import dataclass, fields, replace
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider's address as people know it."""

    provider: str  # the name in the settings: "openai", "local" …
    title: str  # the name people read: "OpenAI", "The local model" …
    base_url: str

    @property
    def host(self) -> str:
        """Host and port as they stand in the address."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @property
    def is_loopback(self) -> bool:
        """The model runs on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Limits:
    """How long each kind of silence may last, in seconds; there is no limit on the whole answer.

    `silence_s` counts any byte as a sign of life, `first_event_s` and `event_s` only pieces of the answer;
    `tail_s` is for what may still come after the answer's terminal mark, such as the usage.
    """

    connect_s: float = 10
    first_byte_s: float = 40
    silence_s: float = 120
    first_event_s: float = 300
    event_s: float = 300
    tail_s: float = 5

    def scaled(self, factor: float) -> "Limits":
        """The same limits, shorter or longer; connecting keeps a second, which a busy machine may need for it."""
        scaled = Limits(**{field.name: getattr(self, field.name) * factor for field in fields(self)})
        return replace(scaled, connect_s=max(1, scaled.connect_s))


# A machine of one's own may read a long prompt for minutes before it says anything.
_LOOPBACK = Limits(first_byte_s=600, silence_s=600, first_event_s=600, event_s=120)


def limits_of(endpoint: Endpoint, time_scale: float = 1.0) -> Limits:
    """The limits that fit the endpoint."""
    return (_LOOPBACK if endpoint.is_loopback else Limits()).scaled(time_scale)
