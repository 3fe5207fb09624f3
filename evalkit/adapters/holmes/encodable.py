"""Text that can be written: JSON may hold half a character, a lone surrogate, which UTF-8 has no bytes for."""

from evalkit.cases import Json


def encodable(value: Json) -> Json:
    """Put U+FFFD in the place of each half of a character in a value, as decoders do."""
    if isinstance(value, str):
        return value if _is_whole(value) else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {encodable(key): encodable(member) for key, member in value.items()}
    if isinstance(value, list):
        return [encodable(item) for item in value]
    return value


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
