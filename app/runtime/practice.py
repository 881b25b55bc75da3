"""The demo: a scripted model does an errand on the bundled practice site, without a key and without the network."""

import re
from collections.abc import Sequence

from app.agent.ports import Model
from app.domain.events import ConversationStarted, StoredEvent, UserSaid
from app.runtime.factories import Factories, ModelChoice, PracticeSite

DEMO_CHOICE = ModelChoice(provider="scripted", model="demo", base_url="", key="")

_ERRAND = (
    "On the practice site {url} find a lantern that burns at least 40 hours and costs at most £55. Compare the ones "
    "that fit, keep the sentences that decide it, and order the better one with express delivery and gift wrap for "
    "Ada Marlow, 12 Quay Street, Port Ellery, Ireland."
)
_PORT = re.compile(r"http://127\.0\.0\.1:(\d+)")


class Practice:
    """The practice site of this program, started when a demo needs it; used from the engine thread only."""

    def __init__(self, factories: Factories) -> None:
        self._factories = factories
        self._site: PracticeSite | None = None

    def errand(self) -> str:
        """The task of the demo, with the address of the running site."""
        return _ERRAND.format(url=self._started(0).base_url + "/")

    def is_demo(self, events: Sequence[StoredEvent]) -> bool:
        return any(isinstance(one.event, ConversationStarted) and one.event.demo for one in events)

    def model(self, events: Sequence[StoredEvent]) -> Model:
        """The scripted model, with the site at the address that the transcript knows."""
        said = next((one.event.text for one in events if isinstance(one.event, UserSaid)), "")
        port = _PORT.search(said)
        return self._factories.make_demo_model(self._started(int(port.group(1)) if port else 0).base_url)

    def stop(self) -> None:
        if self._site is not None:
            self._site.stop()
            self._site = None

    def _started(self, port: int) -> PracticeSite:
        if self._site is not None and port not in (0, _port_of(self._site)):
            self.stop()
        if self._site is None:
            self._site = self._factories.start_practice_site(port)
        return self._site


def _port_of(site: PracticeSite) -> int:
    return int(site.base_url.rsplit(":", 1)[1])
