"""The connection to Kafka, as the environment describes it."""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .replies import ToolError

if TYPE_CHECKING:
    from confluent_kafka.admin import AdminClient

REQUEST_TIMEOUT_SECONDS = 10.0
"""How long one request to Kafka may take, including the search for a broker."""

SETTINGS = {
    "KAFKA_BOOTSTRAP_SERVERS": "bootstrap.servers",
    "KAFKA_SECURITY_PROTOCOL": "security.protocol",
    "KAFKA_SASL_MECHANISM": "sasl.mechanism",
    "KAFKA_SASL_USERNAME": "sasl.username",
    "KAFKA_SASL_PASSWORD": "sasl.password",
    "KAFKA_SSL_CA_LOCATION": "ssl.ca.location",
}
"""Environment variables and the client settings that they become."""


def settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the client's settings; a variable that is empty counts as not set.

    Raises:
        ToolError: No bootstrap server is given, so there is nothing to connect to.
    """
    found = {setting: environment[name] for name, setting in SETTINGS.items() if environment.get(name)}
    if "bootstrap.servers" not in found:
        raise ToolError(
            "KAFKA_BOOTSTRAP_SERVERS is not set; it needs a comma separated list of brokers such as kafka-1:9092."
        )
    return found


def connect(environment: Mapping[str, str]) -> "AdminClient":
    """Return the client for this environment; nothing is sent before its first request.

    Raises:
        ToolError: The settings are incomplete, or confluent-kafka is not installed.
        KafkaException: A setting has a value that the client refuses.
    """
    return _client(tuple(sorted(settings(environment).items())))


@functools.lru_cache(maxsize=1)
def _client(configuration: tuple[tuple[str, str], ...]) -> "AdminClient":
    """Make the client once: it keeps its connections, and a new one would log in to every broker again."""
    try:
        from confluent_kafka.admin import AdminClient
    except ImportError as error:
        raise ToolError("The package confluent-kafka is not installed; run `pip install confluent-kafka`.") from error
    return AdminClient(dict(configuration))
