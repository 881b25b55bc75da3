"""The kinds of providers the settings know, and how a model of each is made."""

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from app.agent.ports import Model
from app.domain.errors import SettingsError
from app.domain.providers import TITLES, ProviderKind
from app.providers.endpoint import Endpoint
from app.providers.lessons import LessonBook
from app.providers.script import Script


@dataclass(frozen=True, slots=True)
class Provider:
    """What is needed to reach a provider."""

    kind: ProviderKind
    base_url: str = ""
    needs_key: bool = True

    @property
    def title(self) -> str:
        return TITLES[self.kind]


PROVIDERS = (
    Provider("openai", "https://api.openai.com/v1"),
    Provider("anthropic", "https://api.anthropic.com"),
    Provider("openrouter", "https://openrouter.ai/api/v1"),
    Provider("local", "http://127.0.0.1:11434/v1", needs_key=False),
    Provider("scripted", needs_key=False),
)


def provider_of(kind: str) -> Provider:
    """The provider of that name. Raises SettingsError."""
    found = next((provider for provider in PROVIDERS if provider.kind == kind), None)
    if found is None:
        known = ", ".join(provider.kind for provider in PROVIDERS)
        raise SettingsError(f"There is no provider called “{kind}”.", next_step=f"Choose one of {known}.")
    return found


def create(
    kind: str,
    base_url: str = "",
    key: str = "",
    *,
    script: Script | None = None,
    lessons: LessonBook | None = None,
    time_scale: float = 1.0,
    pause_s: float = 0,
) -> Model:
    """A model of that kind; opens no connection and loads no SDK before the first call. Raises SettingsError.

    `script` and `pause_s`, the pause between pieces of text, are for the scripted one.
    `lessons` is kept by the caller, so that what one model learned about an endpoint the next one knows.
    """
    provider = provider_of(kind)
    if provider.kind == "scripted":
        return _scripted(script, pause_s)
    from app.providers.wire_model import Wire, WireModel

    endpoint = Endpoint(provider.kind, provider.title, normal_base_url(provider, base_url))
    wire: Wire
    if provider.kind == "anthropic":
        from app.providers.anthropic import AnthropicWire

        wire = AnthropicWire()
    else:
        from app.providers.chat import ChatWire

        is_openai = endpoint.host == "api.openai.com"
        wire = ChatWire(limit_field="max_completion_tokens" if is_openai else "max_tokens")
    return WireModel(wire, endpoint, key.strip(), lessons=lessons, time_scale=time_scale)


def normal_base_url(provider: Provider, base_url: str) -> str:
    """The address as the wire wants it, from what people paste. Raises SettingsError."""
    given = base_url.strip() or provider.base_url
    if "://" not in given:
        given = f"{'http' if _looks_local(given) else 'https'}://{given}"
    parts = _parts_of(given)
    if parts is None:
        raise SettingsError(
            f"“{base_url}” is not the address of a model.",
            next_step="An address looks like http://127.0.0.1:11434/v1.",
        )
    path = parts.path.rstrip("/")
    for tail in ("/chat/completions", "/messages", "/models"):
        path = path.removesuffix(tail)
    path = path.removesuffix("/v1") if provider.kind == "anthropic" else path or "/v1"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _parts_of(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_address else None


def _looks_local(address: str) -> bool:
    return address.startswith(("localhost", "127.", "[::1]", "0.0.0.0"))


def _scripted(script: Script | None, pause_s: float) -> Model:
    from app.providers.scripted import ScriptedModel

    return ScriptedModel(script or Script(), pause_s=pause_s)
