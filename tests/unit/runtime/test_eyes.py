"""Who sees for a conversation: as the settings say, and pictures only for a model that can take them."""

from dataclasses import replace

import pytest

from app.agent.eyes import Eyes
from app.runtime.configuring import Configuring
from app.runtime.factories import Factories, ModelChoice
from tests.fakes.engine import Bench, FakeSettings
from tests.fakes.model import FakeModel

MAIN = ModelChoice("openai", "main", "http://main.test/v1", "key", 0.001)


async def eyes(factories: Factories, **options: str) -> tuple[Eyes, list[ModelChoice]]:
    made: list[ModelChoice] = []

    def make(choice: ModelChoice) -> FakeModel:
        made.append(choice)
        return FakeModel()

    settings = FakeSettings()
    settings.options |= {"provider": "openai", "base_url": "http://main.test/v1", **options}
    settings.keys |= {"openai": "main key", "anthropic": "other key"}
    configuring = Configuring(replace(factories, make_model=make), settings, lambda event: None)
    return await configuring.eyes(MAIN), made


@pytest.fixture
def factories() -> Factories:
    return replace(Bench([]).factories, sees=lambda choice: choice.model != "blind")


async def test_a_second_model_of_the_same_provider_has_its_address_and_key(factories: Factories) -> None:
    seen, made = await eyes(factories, vision_model="eyes")
    assert made == [ModelChoice("openai", "eyes", "http://main.test/v1", "main key", 0.001)]
    assert (seen.sees, seen.vision is not None, seen.vision_name) == (True, True, "eyes")


async def test_a_second_model_of_another_provider_has_its_own(factories: Factories) -> None:
    own = "http://eyes.test"
    _, made = await eyes(factories, vision_model="eyes", vision_provider="anthropic", vision_base_url=own)
    assert made == [ModelChoice("anthropic", "eyes", own, "other key", 0.001)]


async def test_without_a_name_there_is_no_second_model(factories: Factories) -> None:
    seen, made = await eyes(factories, vision_provider="anthropic")
    assert seen.vision is None
    assert made == []


async def test_what_a_second_model_lacks_is_told(factories: Factories) -> None:
    lacking = replace(factories, missing_of=lambda choice: "There is no key for Anthropic yet.")
    seen, made = await eyes(lacking, vision_model="eyes")
    assert seen.vision is None
    assert made == []
    assert seen.none_chosen.startswith("There is no key for Anthropic yet.")


@pytest.mark.parametrize(("set_to", "sees"), [("auto", True), ("yes", True), ("no", False)])
async def test_whether_a_model_sees_can_be_set(factories: Factories, set_to: str, sees: bool) -> None:
    seen, _ = await eyes(factories, model_sees=set_to)
    assert seen.sees is sees
