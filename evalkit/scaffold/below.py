"""What an agent's own code talks to, read off its source, to tell which fakes could stand below its tools."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HTTP = frozenset({"aiohttp", "httpx", "requests", "urllib3"})
_COMMANDS = frozenset({"subprocess", "sh", "plumbum"})
_CLIENTS = frozenset(
    {
        *("asyncpg", "boto3", "botocore", "cassandra", "clickhouse_connect", "confluent_kafka", "docker"),
        *("elasticsearch", "kafka", "kubernetes", "ldap3", "mysql", "neo4j", "opensearchpy", "paramiko", "pika"),
        *("psycopg", "psycopg2", "pymongo", "pymysql", "redis", "slack_sdk", "snowflake", "sqlalchemy"),
    }
)
_ADDRESS = re.compile(r"[A-Z][A-Z0-9_]*_(?:ADDR|ADDRESS|API|ENDPOINT|HOST|SERVERS?|UR[IL])")


@dataclass(frozen=True, slots=True)
class Below:
    """What the code below the tools uses.

    Attributes:
        http: HTTP clients.
        addresses: Environment variables that seem to hold an address.
        commands: Modules that run programs.
        clients: Clients of databases, clusters and the like.
    """

    http: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()


def look_below(folder: Path) -> Below:
    """Read the Python files of an agent's folder; one that cannot be read or parsed tells nothing."""
    imported: set[str] = set()
    texts: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        tree = _parsed(path)
        imported.update(_imports(tree))
        texts.update(_texts(tree))
    http = tuple(sorted(imported & _HTTP))
    return Below(
        http=http,
        addresses=tuple(sorted(text for text in texts if _ADDRESS.fullmatch(text))) if http else (),
        commands=tuple(sorted(imported & _COMMANDS)),
        clients=tuple(sorted(imported & _CLIENTS)),
    )


def _parsed(path: Path) -> ast.AST:
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _texts(tree: ast.AST) -> Iterator[str]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
