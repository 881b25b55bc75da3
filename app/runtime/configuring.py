"""Settings and models: shows and changes them, tests the connection, chooses the model of a turn."""

import asyncio
from collections.abc import Callable

from app.agent.eyes import Eyes
from app.agent.ports import Settings
from app.domain.commands import ChangeSettings, CheckConnection, FindLocalModels, ListModels, SetKey, ShowSettings
from app.domain.errors import AppError
from app.domain.events import ModelChosen
from app.domain.passing import (
    ConnectionTested,
    ErrorShown,
    Event,
    LocalModelsFound,
    ModelsListed,
    ModelView,
    SettingsShown,
)
from app.runtime.factories import Factories, ModelChoice

SettingsCommand = ShowSettings | ChangeSettings | SetKey | FindLocalModels | ListModels | CheckConnection


class Configuring:
    """Used from the engine thread only."""

    def __init__(self, factories: Factories, settings: Settings, show: Callable[[Event], None]) -> None:
        self._factories = factories
        self.settings = settings
        self._show = show
        self._told = 0  # of the settings' notices

    @property
    def time_scale(self) -> float:
        return float(self.settings.value("time_scale"))

    async def handle(self, command: SettingsCommand) -> None:
        """Raises SettingsError when something could not be changed; then nothing was."""
        match command:
            case ShowSettings():
                await self.show()
            case ChangeSettings(values):
                self.settings.change(values)
                await self.show()
                self.tell_notices()
            case SetKey(provider, key):
                await asyncio.to_thread(self.settings.set_key, provider, key)
                await self.show()
            case FindLocalModels():
                self._show(LocalModelsFound(await self._factories.find_local_models()))
            case ListModels():
                self._show(await self._models())
            case CheckConnection():
                self._show(ConnectionTested(await self._factories.check_connection(await self.choice())))

    async def _models(self) -> ModelsListed:
        choice = await self.choice()
        try:
            return ModelsListed(choice.provider, await self._factories.list_models(choice))
        except AppError as error:
            return ModelsListed(choice.provider, (), error.message)

    async def show(self) -> None:
        """Tell the window every option and the model."""
        choice = await self.choice()
        key_place = await asyncio.to_thread(self.settings.key_place)
        missing = self._factories.missing_of(choice)
        view = ModelView(
            provider=choice.provider,
            model=choice.model,
            base_url=choice.base_url,
            key_known=bool(choice.key),
            key_place=key_place,
            ready=not missing,
            missing=missing,
        )
        self._show(SettingsShown(self.settings.values(), view))

    def tell_notices(self) -> None:
        """Tell the person what they should know of the settings and have not been told."""
        notices = self.settings.notices()
        for notice in notices[self._told :]:
            self._show(ErrorShown(notice, "", ""))
        self._told = len(notices)

    async def choice_of(self, known: ModelChosen) -> ModelChoice:
        """A model that was chosen before, with the key as it is now."""
        key = await asyncio.to_thread(self.settings.key, known.provider)
        return ModelChoice(known.provider, known.model, known.base_url, key, self.time_scale)

    async def choice(self) -> ModelChoice:
        """The model as it is set now; a key store may ask the person to unlock it, which holds up nothing else."""
        provider = self.settings.value("provider")
        return ModelChoice(
            provider=provider,
            model=self.settings.value("model"),
            base_url=self.settings.value("base_url"),
            key=await asyncio.to_thread(self.settings.key, provider),
            time_scale=self.time_scale,
        )

    async def vision_choice(self) -> ModelChoice | None:
        """The second model, which looks at pictures, as it is set now; None when none is."""
        value = self.settings.value
        if not value("vision_model"):
            return None
        provider, base_url = value("vision_provider"), value("vision_base_url")
        if provider == "same":
            provider, base_url = value("provider"), base_url or value("base_url")
        key = await asyncio.to_thread(self.settings.key, provider)
        return ModelChoice(provider, value("vision_model"), base_url, key, self.time_scale)

    async def eyes(self, choice: ModelChoice) -> Eyes:
        """What this model can see, and who sees for it."""
        wanted = self.settings.value("model_sees")
        sees = self._factories.sees(choice) if wanted == "auto" else wanted == "yes"
        vision = await self.vision_choice()
        if vision is None:
            return Eyes(sees)
        missing = self._factories.missing_of(vision)
        return Eyes(sees, None if missing else self._factories.make_model(vision), vision.model, missing)

    async def missing(self) -> str:
        """What is lacking before the model could answer; empty when nothing is."""
        return self._factories.missing_of(await self.choice())
