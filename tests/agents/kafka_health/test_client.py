"""How the environment becomes a client."""

import sys

import pytest


def test_environment_variables_become_client_settings(kafka_health):
    environment = {
        "KAFKA_BOOTSTRAP_SERVERS": "kafka-1:9092,kafka-2:9092",
        "KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
        "KAFKA_SASL_MECHANISM": "PLAIN",
        "KAFKA_SASL_USERNAME": "reader",
        "KAFKA_SASL_PASSWORD": "not-a-real-one",
        "KAFKA_SSL_CA_LOCATION": "ca.pem",
        "UNRELATED": "1",
    }

    assert kafka_health.client.settings(environment) == {
        "bootstrap.servers": "kafka-1:9092,kafka-2:9092",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "reader",
        "sasl.password": "not-a-real-one",
        "ssl.ca.location": "ca.pem",
    }


def test_an_empty_variable_counts_as_not_set(kafka_health):
    environment = {"KAFKA_BOOTSTRAP_SERVERS": "kafka-1:9092", "KAFKA_SECURITY_PROTOCOL": ""}

    assert kafka_health.client.settings(environment) == {"bootstrap.servers": "kafka-1:9092"}


def test_without_a_bootstrap_server_a_tool_says_what_to_set(kafka_health, monkeypatch):
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS", raising=False)

    assert kafka_health.tools.get_topic_metadata("orders") == {
        "status": "error",
        "error": (
            "KAFKA_BOOTSTRAP_SERVERS is not set; it needs a comma separated list of brokers such as kafka-1:9092."
        ),
    }


def test_a_setting_that_the_client_refuses_is_an_error_reply(kafka_health, monkeypatch):
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1")
    monkeypatch.setenv("KAFKA_SECURITY_PROTOCOL", "CARRIER_PIGEON")

    reply = kafka_health.tools.get_topic_metadata("orders")

    assert reply["status"] == "error"
    assert "CARRIER_PIGEON" in reply["error"]


def test_without_confluent_kafka_a_tool_says_what_to_install(kafka_health, monkeypatch):
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "confluent_kafka.admin", None)

    assert kafka_health.tools.get_kafka_cluster_health() == {
        "status": "error",
        "error": "The package confluent-kafka is not installed; run `pip install confluent-kafka`.",
    }


@pytest.fixture(autouse=True)
def _forgotten_client(kafka_health):
    yield
    kafka_health.client._client.cache_clear()


def test_the_client_is_made_once_and_anew_for_another_cluster(kafka_health):
    connect = kafka_health.client.connect
    here, there = (
        {"KAFKA_BOOTSTRAP_SERVERS": f"127.0.0.{n}:1", "KAFKA_SECURITY_PROTOCOL": "PLAINTEXT"} for n in (1, 2)
    )

    first = connect(here)

    assert connect(here) is first
    assert connect(there) is not first
