"""The specialists, whose packages lie beside this one in the folder of agents.

`adk web`, `adk run`, `adk api_server` and evalkit put that folder on the import path and import this package as
`devops_assistant`, so its siblings are found by their names. `adk eval` does neither: it imports this folder's
`__init__.py` by its path, as a module called `agent`. An import relative to this package cannot leave it, so the
folder is put on the path here where it is missing: at the end, so that nothing in it hides an installed package.
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType

AGENTS_FOLDER = str(Path(__file__).resolve().parent.parent)


def sibling(name: str) -> ModuleType:
    """Import the package of an agent beside this one, such as `kafka_health`, under its own name.

    Its `.env` is not read: ADK reads the one of the agent that it was asked to run, this one's.
    """
    if AGENTS_FOLDER not in sys.path:
        sys.path.append(AGENTS_FOLDER)
    return importlib.import_module(name)
