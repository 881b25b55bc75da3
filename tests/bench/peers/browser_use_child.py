"""Runs in browser-use's own environment: its real agent, whose model is the other end of a pipe.

Each line out is what the agent asked its model, each line in is what the model answers. Nothing of the project is
imported here.
"""

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

from browser_use import Agent, BrowserProfile  # type: ignore[import-not-found]
from browser_use.llm.views import ChatInvokeCompletion  # type: ignore[import-not-found]

PAGE_TEXT = "document.body ? document.body.innerText : ''"


class PipedModel:
    """Hands every request to the parent process and its answer back to the agent."""

    model = name = model_name = "piped"
    provider = "piped"
    _verified_api_keys = True

    def __init__(self) -> None:
        self.agent: Any = None

    async def ainvoke(self, messages: list[Any], output_format: Any = None, **_: Any) -> Any:
        system, *rest = [one.text for one in messages]
        say({"system": system, "messages": rest, "page": await self._page_text()})
        answer = json.loads(await asyncio.to_thread(sys.stdin.readline) or "null")
        if answer is None:
            raise SystemExit(0)
        said = {"thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": "", "action": [answer]}
        return ChatInvokeCompletion(completion=output_format.model_validate(said), usage=None)

    async def _page_text(self) -> str:
        session = await self.agent.browser_session.get_or_create_cdp_session()
        found = await session.cdp_client.send.Runtime.evaluate(
            params={"expression": PAGE_TEXT, "returnByValue": True}, session_id=session.session_id
        )
        return str(found["result"].get("value", ""))


def say(what: object) -> None:
    print(json.dumps(what), file=OUT, flush=True)


async def main(given: SimpleNamespace) -> None:
    profile = BrowserProfile(
        headless=True,
        executable_path=given.browser,
        chromium_sandbox=given.sandbox,
        enable_default_extensions=False,
        user_data_dir=None,
        viewport={"width": given.width, "height": given.height},
        args=given.arguments,
    )
    model = PipedModel()
    agent: Any = Agent(
        task="Work through the pages.",
        llm=model,
        browser_profile=profile,
        use_vision=False,
        use_judge=False,
        directly_open_url=False,
        calculate_cost=False,
    )
    model.agent = agent
    try:
        await agent.run(max_steps=given.steps)
    finally:
        await agent.browser_session.kill()


if __name__ == "__main__":
    OUT, sys.stdout = sys.stdout, sys.stderr  # what the library prints must not stand between our lines
    asyncio.run(main(SimpleNamespace(**json.loads(sys.stdin.readline()))))
