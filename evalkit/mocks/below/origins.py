"""Origins: the scheme, host and port that an address stands for, written in one way."""

from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin(scheme: str, host: str, port: int | None = None) -> str:
    """Write an origin: lower case, without the port that the scheme implies, such as `http://grafana:3000`."""
    scheme, host = scheme.lower(), host.lower().strip("[]").rstrip(".")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port in (None, _DEFAULT_PORTS.get(scheme)) else f":{port}")


def origin_of(url: str) -> str:
    """Write the origin of a URL.

    Raises:
        ValueError: The port is no number.
    """
    parts = urlsplit(url)
    return origin(parts.scheme, parts.hostname or "", parts.port)
