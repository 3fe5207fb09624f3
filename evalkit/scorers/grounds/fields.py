"""The fields of a list of records."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from evalkit.cases import Json

Field = tuple[str, "Counter[Json]", list[Decimal]]


def fields(items: Sequence[Json]) -> list[Field]:
    """Return each field of a list of records: its name, how often it has each value, and its numbers."""
    found_fields: list[Field] = []
    values: dict[str, list[Json]] = defaultdict(list)
    for item in items:
        if isinstance(item, dict):
            for key, value in item.items():
                if isinstance(value, str | int | float):
                    values[str(key)].append(value)
                elif isinstance(value, list | dict):
                    values[f"{key} "].append(bool(value))
    for key, found in values.items():
        numbers = [Decimal(str(value)) for value in found if is_number(value)]
        found_fields.append((key, Counter((type(value) is bool, value) for value in found), numbers))
    return found_fields


def is_number(value: Json) -> bool:
    """Tell whether a value is a number that can be counted with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
