"""JSON values as YAML that is pleasant to edit, and that means the same to every reader of YAML."""

import re
from typing import Any

import yaml

from evalkit.cases import Json

_WIDEST = 100
"""Characters of a value that may still stand on one line."""

_NUMBER_LIKE = re.compile(r"[-+.]?\d.*")
"""Texts that some reader of YAML may take for a number, a time or a date."""


class _Block(yaml.SafeDumper):
    """Quotes what may be misread, and writes texts of several lines as such."""

    several_lines = "|"
    """How a text with line breaks is written."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        """Indent lists in objects too."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        """Write equal values out each time."""
        return True


class _Line(_Block):
    """Writes everything in one line."""

    several_lines = '"'


def _text(dumper: _Block, text: str) -> yaml.ScalarNode:
    style = '"' if _NUMBER_LIKE.fullmatch(text) else dumper.several_lines if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


for _dumper in (_Block, _Line):
    _dumper.add_representer(str, _text)


def on_one_line(value: Json) -> str:
    """Write a value in one line."""
    text: str = yaml.dump(
        value, Dumper=_Line, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return text.removesuffix("\n").removesuffix("\n...")


def member(key: str, value: Json, indent: int = 0) -> str:
    """Write a key with its value, ending in a line break: on one line if that is short, else as a block.

    Args:
        key: The key.
        value: Its value.
        indent: How many spaces stand before the key; those of its first line are the caller's to write.
    """
    line = f"{on_one_line(key)}: {on_one_line(value)}"
    has_lines = isinstance(value, str) and "\n" in value
    if not has_lines and (len(line) + indent <= _WIDEST or not isinstance(value, dict | list)):
        return f"{line}\n"
    flow = False if has_lines else None  # None keeps the innermost objects and lists on a line each
    text: str = yaml.dump(
        {key: value}, Dumper=_Block, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    text = text.removesuffix("...\n")  # the end of the document, which PyYAML writes after trailing blank lines
    return text.replace("\n", "\n" + " " * indent).removesuffix(" " * indent)
