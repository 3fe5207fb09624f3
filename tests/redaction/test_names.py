import pytest

from evalkit.redaction.names import degree


@pytest.mark.parametrize(
    "name",
    [
        *("password", "DB_PASSWORD", "dbPassword", "PGPASSWORD", "--password", "new_password_2", "spring.password"),
        *(
            "Authorization",
            "Proxy-Authorization",
            "X-Api-Key",
            "apiKey",
            "OPENAI_API_KEY",
            "set-cookie",
            "clientSecret",
        ),
        *(
            "accessToken",
            "x-amz-security-token",
            "refresh_token",
            "private_key",
            "AWS_SECRET_ACCESS_KEY",
            "user:api_key",
        ),
    ],
)
def test_certain_names_are_known_in_every_style(name):
    assert degree(name) == "certain"


@pytest.mark.parametrize("name", ["token", "GITHUB_TOKEN", "secret", "auth", "credentials", "csrf-token"])
def test_names_that_also_other_things_have_are_only_likely(name):
    assert degree(name) == "likely"


@pytest.mark.parametrize(
    "name",
    [
        *("", "topic", "key", "public_key", "partition_key", "tokens", "total_token_count", "max_tokens", "token_type"),
        *("next_page_token", "nextToken", "continue-token", "secret_name", "secretKeyRef", "password_policy"),
        *("author", "monkey", "pass", "compass", "tokenizer", "API_KEY_FILE", "access_key_id"),
    ],
)
def test_other_names_are_none(name):
    assert degree(name) is None


def test_of_a_name_without_end_only_the_end_is_looked_at():
    assert degree("x" * 1_000_000 + "_password") == "certain"
