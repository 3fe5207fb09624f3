"""Foreign formats into cases and mocks.

A new system is a package of its own, and one line here.
"""

from collections.abc import Mapping

ADAPTERS: Mapping[str, str] = {
    "holmes": "evalkit.adapters.holmes.conversion:convert",
}
"""Name of a system: the function that converts a folder of its files, as `convert(source, target, options, force)`."""
