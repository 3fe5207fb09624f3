"""The matcher grammar: does a value look as a pattern wants it, and if not, where and how does it differ?

A *pattern* is JSON. A plain scalar, list or object wants an equal value: objects key by key, lists item by item,
1 equal to 1.0 but not to true, NaN equal to NaN. An object whose keys all start with `$` is a *matcher*; each key is an
operator, and several in one matcher must all hold. Patterns nest everywhere except under `$eq`.

A key that an object pattern names and the value lacks is *missing*. Missing is no value: every operator refuses it but
those marked ∅ below. A key that the value has and a plain object pattern does not name is *unexpected*.

| operator     | operand                   | holds for                                                                |
|--------------|---------------------------|--------------------------------------------------------------------------|
| `$eq`        | any JSON                  | an equal value; nothing in the operand is read as a matcher              |
| `$any`       | true                      | every value, null included                                               |
| `$regex`     | Python regular expression | a string in which `re.search` finds it                                   |
| `$glob`      | shell pattern `* ? [a-z]` | a string that fits as a whole, case included; `*` also crosses `/`       |
| `$contains`  | string or pattern         | a string with this part; a list with an item, an object with a key, that |
|              |                           | matches                                                                  |
| `$icontains` | string                    | the same in any case: part of a string, whole item of a list, whole key  |
| `$oneof`     | patterns, at least one    | what at least one of them matches ∅                                      |
| `$all`       | patterns, at least one    | what all of them match ∅                                                 |
| `$not`       | pattern                   | what the pattern does not match: so also a missing key, unless the       |
|              |                           | pattern speaks of one ∅                                                  |
| `$absent`    | true                      | a missing key only; as the member of an object ∅                         |
| `$exists`    | true or false             | true: any value that is there; false: a missing key only ∅               |
| `$type`      | name or names             | string, number, integer (also 2.0), boolean, array, object, null         |
| `$gt` `$gte` | number or string          | a number above (or equal to) a number; a string after a string by code   |
| `$lt` `$lte` |                           | point, which orders ISO dates; never NaN, never across types             |
| `$approx`    | number, or an object with | a number that `math.isclose` takes as equal: `rel` is relative to the    |
|              | `value`, `abs`, `rel`     | larger of the two, `abs` is absolute; neither given means `rel` 1e-6     |
| `$subset`    | object                    | an object whose listed keys match, whatever else it holds                |
|              | list                      | a list in which each listed item is found at a place of its own          |
| `$unordered` | list                      | a list that some reordering matches item by item                         |

`$subset` and `$unordered` are not deep: what they list is compared as strictly as anywhere else. To compare with an
object that itself has keys starting with `$`, write it under `$eq`; a pattern cannot mix such keys with plain ones.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from evalkit.cases import Json
from evalkit.matching.differences import MISSING, Difference, show

if TYPE_CHECKING:
    from evalkit.matching.compiler import PatternError, compile_args, compile_pattern, literal_args
    from evalkit.matching.faults import args_faults, pattern_faults
    from evalkit.matching.matchers import Matcher, Members

__all__ = [
    "MISSING",
    "Difference",
    "Matcher",
    "Members",
    "PatternError",
    "args_faults",
    "compile_args",
    "compile_pattern",
    "describe",
    "literal_args",
    "match",
    "match_args",
    "pattern_faults",
    "show",
]


_HOMES: Final = {
    **dict.fromkeys(("PatternError", "compile_args", "compile_pattern", "literal_args"), "compiler"),
    **dict.fromkeys(("args_faults", "pattern_faults"), "faults"),
    **dict.fromkeys(("Matcher", "Members"), "matchers"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, and no more: `check` looks for faults in patterns, and compiles none."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def match(pattern: Json, value: Json, path: str = "$") -> tuple[Difference, ...]:
    """Compare a value with a pattern; empty if it matches.

    Args:
        pattern: What is wanted. To compare many values with one pattern, compile it once: `compile_pattern`.
        value: What was found.
        path: JSON path of the value, where the paths of the differences start.

    Raises:
        PatternError: The pattern has faults.
    """
    from evalkit.matching.compiler import compile_pattern

    return tuple(compile_pattern(pattern).differences(value, path))


def match_args(patterns: Mapping[str, Json] | None, args: Mapping[str, Json]) -> tuple[Difference, ...]:
    """Compare a call's arguments with a pattern for each: listed ones must match, others are free, None takes all.

    Raises:
        PatternError: A pattern has faults.
    """
    from evalkit.matching.compiler import compile_args

    return () if patterns is None else tuple(compile_args(patterns).differences(args, "$"))


def describe(pattern: Json) -> str:
    """Say in a few words what a pattern wants, such as `a value matching /^pay/`.

    Raises:
        PatternError: The pattern has faults.
    """
    from evalkit.matching.compiler import compile_pattern

    return compile_pattern(pattern).describe()
