"""Tests unmodified Pydantic AI: an agent calls a tool and then returns an object, whole and streamed."""

import asyncio
import os

from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput, RunContext, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import Tool, ToolDefinition


class Weather(BaseModel):
    degrees: int = Field(ge=-40, le=50)
    sky: str = Field(max_length=20)


calls: list[str] = []


def weather(city: str) -> str:
    """Tells the weather of a city."""
    calls.append(city)
    return "rain, 12 degrees"


async def once(_context: RunContext, definition: ToolDefinition) -> ToolDefinition | None:
    """Offers the tool until its first call, because a small model may call it for ever."""
    return definition if not calls else None


provider = OpenAIProvider(base_url=os.environ["PIPIT_BASE_URL"] + "/v1", api_key=os.environ["PIPIT_API_KEY"])
model = OpenAIChatModel("svc-o1-mini", provider=provider)


def settings(_context: RunContext) -> ModelSettings:
    # Asked for several calls at once, a small model repeats the first one.
    choice = "auto" if calls else ["weather"]
    return ModelSettings(temperature=0, max_tokens=200, tool_choice=choice, parallel_tool_calls=False)


async def main() -> None:
    for output in [NativeOutput(Weather), ToolOutput(Weather)]:
        calls.clear()
        agent = Agent(model, output_type=output, tools=[Tool(weather, prepare=once)], model_settings=settings)
        result = await agent.run("How warm is it in Bern?")
        assert isinstance(result.output, Weather) and len(calls) == 1, (result, calls)
        assert result.usage.output_tokens > 0, result.usage
        async with agent.run_stream("How warm is it in Bern?") as stream:
            assert isinstance(await stream.get_output(), Weather)
    print("ok")


asyncio.run(main())
