"""A bare agent, for `--agent evalkit.adk.bare`: a model with a plain instruction and no tools of its own.

It gets its tools from the mocks (`provides:`), so that one can ask of any model how far it comes with the tools of a
case and nothing else. Its model is the one that `--model` names, else the one in the variable `EVALKIT_BARE_MODEL`.
Golden mode needs none, and a live run without one stops, as it does for any agent without a model.

An agent's folder, which is what `adk eval` and `adk web` want, can have it too: an `agent.py` with
`from evalkit.adk.bare import get_agent_async`.
"""

import os

from google.adk.agents import LlmAgent

MODEL_VARIABLE = "EVALKIT_BARE_MODEL"
"""Names the model where the command line does not: in the environment, or in the project's `.env`."""

INSTRUCTION = """\
You investigate problems in running systems: clusters, services, queues, databases and what they log and measure.

- Find out what is true by calling your tools. Do not ask the user for what a tool can tell you.
- Follow a lead until you can name the cause, not only the symptom: events, logs, configuration, what depends on what.
- Say nothing that no tool and no word of the user supports. Where a tool finds nothing or fails, try another way; if
  none is left, say what you could not find out.
- Answer in a few sentences: what is wrong, what causes it, which facts show that. Name resources, numbers and messages
  exactly as the tools do.
"""


async def get_agent_async() -> tuple[LlmAgent, None]:
    """Make the agent, anew each time it is loaded, since the environment may name another model by then.

    The second value is ADK's convention: what has to be closed afterwards, which is nothing.
    """
    agent = LlmAgent(
        name="bare",
        model=os.environ.get(MODEL_VARIABLE) or "",
        description="Investigates a problem with the tools that it is given.",
        instruction=INSTRUCTION,
    )
    return agent, None
