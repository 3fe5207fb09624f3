"""What an agent's code talks to, by its imports."""

from evalkit.scaffold.below import Below, look_below


def test_clients_and_addresses_are_found_in_the_source(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "agent.py").write_text("import httpx.types\nfrom confluent_kafka.admin import AdminClient\n")
    (tmp_path / "sub" / "tools.py").write_text(
        "import os\n\ndef run():\n    import subprocess\n    return os.environ['LOKI_URL'], 'lower_url', 'API_TOKEN'\n"
    )
    assert look_below(tmp_path) == Below(
        http=("httpx",), addresses=("LOKI_URL",), commands=("subprocess",), clients=("confluent_kafka",)
    )


def test_addresses_mean_nothing_without_an_http_client(tmp_path):
    (tmp_path / "agent.py").write_text("import redis\nURL = 'CACHE_URL'\n")
    assert look_below(tmp_path) == Below(clients=("redis",))


def test_what_cannot_be_parsed_tells_nothing(tmp_path):
    (tmp_path / "agent.py").write_text("import redis\ndef (:\n")
    (tmp_path / "other.py").write_bytes(b"import redis\n\xff")
    (tmp_path / "own.py").write_text("from .redis import client\n")
    assert look_below(tmp_path) == Below()
