from evalkit.redaction.environment import secret_variables


def test_variables_with_a_secretive_name_and_value_are_found():
    environment = {"OPENAI_API_KEY": "k3Jx9QpL2mZt", "DB_PASSWORD": " hunter2 ", "HF_TOKEN": "abc12345"}
    assert secret_variables(environment) == {
        "DB_PASSWORD": "hunter2",
        "HF_TOKEN": "abc12345",
        "OPENAI_API_KEY": "k3Jx9QpL2mZt",
    }


def test_a_value_of_a_known_shape_is_found_under_any_name(shaped):
    environment = dict.fromkeys(("A", "SETTINGS"), "x")
    assert secret_variables({**environment, "DEPLOY": shaped["GitHub"]}) == {"DEPLOY": shaped["GitHub"]}


def test_of_an_address_the_password_is_the_secret():
    assert secret_variables({"DATABASE_URL": "postgresql://ops:Zk39xPq7@db/app"}) == {"DATABASE_URL": "Zk39xPq7"}


def test_common_values_paths_and_other_variables_are_none():
    environment = {
        "USER": "jane-doe-42",
        "PATH": "/usr/bin",
        "POSTGRES_PASSWORD": "postgres",
        "REDIS_PASSWORD": "true",
        "AUTH": "scram-sha-256",
        "GOOGLE_APPLICATION_CREDENTIALS": "/home/jane/key-20251130.json",
        "NEXT_PAGE_TOKEN": "k3Jx9QpL2mZt7VbN4wRs",
        "SECRET_KEY": "${FROM_VAULT}",
        "PROMETHEUS_URL": "http://prometheus:9090",
    }
    assert secret_variables(environment) == {}
