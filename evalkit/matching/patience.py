"""Is a regular expression surely decided in a moment? `check` asks no others: a run, which has limits, does."""

import re
from typing import Final

_REPEATED_GROUP: Final = re.compile(r"\)[*+{]")
_REPEATED: Final = re.compile(r"[*+{]")
_MOST_STEPS: Final = 10**8
"""So many steps a search may take at worst, of which it takes few in most cases."""


def is_quick(source: str, length: int) -> bool:
    """Tell whether a search takes no time that anybody notices.

    A group that is repeated may take steps without end; each other repetition takes no more than the text is long.

    Args:
        source: The regular expression.
        length: Characters of the text.
    """
    repetitions = len(_REPEATED.findall(source))
    return not _REPEATED_GROUP.search(source) and (length + 1) ** (repetitions + 1) <= _MOST_STEPS
