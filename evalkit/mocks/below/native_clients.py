"""Clients that connect in native code, where no guard of this process sees them."""

import sys
from collections.abc import Mapping

NATIVE_CLIENTS: Mapping[str, str] = {
    "confluent_kafka": "librdkafka",
    "grpc": "gRPC's core",
    "psycopg2": "libpq",
    "psycopg_c": "libpq",
    "psycopg_binary": "libpq",
    "pycurl": "libcurl",
    "pyodbc": "ODBC",
    "uvloop": "libuv",
    "zmq": "ZeroMQ",
}
"""Modules, with what makes their connections."""


def native_clients() -> tuple[str, ...]:
    """Say which loaded modules could connect without being seen, one sentence each."""
    return tuple(
        f"{module} is loaded, which connects from native code ({maker}): replay cannot refuse that inside the process"
        for module, maker in NATIVE_CLIENTS.items()
        if module in sys.modules
    )
