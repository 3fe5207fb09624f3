"""The tools, over a real process that prints what docker prints."""

import json

import pytest

WEB_ID = "aaaaaaaaaaaa"


def test_containers_are_listed_with_those_that_do_not_run_first(tools):
    reply = tools.list_docker_containers()

    assert (reply["status"], reply["container_count"]) == ("success", 3)
    assert reply["count_by_state"] == {"exited": 1, "running": 2}
    assert [(one["container"], one["state"], one["health"]) for one in reply["containers"]] == [
        ("db", "exited", None),
        ("cache", "running", "starting"),
        ("web", "running", "unhealthy"),
    ]
    assert reply["containers"][2] == {
        "container": "web",
        "id": WEB_ID,
        "image": "nginx:1.27.4",
        "state": "running",
        "condition": "Up 2 hours (unhealthy)",
        "health": "unhealthy",
        "ports": "0.0.0.0:8080->80/tcp",
        "created_at": "2025-06-01 08:00:00 +0000 UTC",
    }


def test_a_host_without_containers_has_none(tools, docker):
    docker.reply(("ps", "--all", "--no-trunc", "--format", "{{json .}}"))

    assert tools.list_docker_containers() == {
        "status": "success",
        "container_count": 0,
        "count_by_state": {},
        "containers": [],
    }


def test_a_hundred_containers_are_listed_and_all_are_counted(tools, docker):
    row = {"Names": "x", "ID": "x", "Image": "x", "State": "exited", "Status": "", "Ports": "", "CreatedAt": ""}
    rows = [json.dumps({**row, "Names": f"job-{number:03}"}) + "\n" for number in range(130)]
    docker.reply(("ps", "--all", "--no-trunc", "--format", "{{json .}}"), *rows)

    reply = tools.list_docker_containers()

    assert (reply["container_count"], len(reply["containers"])) == (130, 100)


def test_a_container_is_inspected(tools):
    assert tools.inspect_docker_container("web") == {
        "status": "success",
        "container": "web",
        "id": WEB_ID,
        "image": "nginx:1.27.4",
        "command": ["/docker-entrypoint.sh", "nginx", "-g", "daemon off;"],
        "environment_variables": ["DB_PASSWORD", "PATH"],
        "labels": {"com.docker.compose.project": "shop"},
        "state": "running",
        "exit_code": 0,
        "out_of_memory": False,
        "error": None,
        "started_at": "2025-06-01T08:00:01.2Z",
        "finished_at": None,
        "health": "unhealthy",
        "last_health_check": "connection refused",
        "restart_count": 2,
        "restart_policy": "unless-stopped",
        "memory_limit_bytes": 268435456,
        "cpu_limit": 1.5,
        "mounts": [{"source": "/srv/shop/html", "destination": "/usr/share/nginx/html", "read_only": True}],
        "networks": {"shop_default": "172.18.0.3"},
        "ports": {"443/tcp": [], "80/tcp": ["0.0.0.0:8080"]},
    }


def test_a_container_of_which_docker_says_only_the_least_is_inspected(tools, docker):
    thing = {
        "Id": "c" * 64,
        "Name": "/db",
        "Path": "postgres",
        "State": {"Status": "exited", "ExitCode": 137, "OOMKilled": True, "StartedAt": "2025", "FinishedAt": "2026"},
        "Config": {"Image": "postgres:17.5", "Env": None},
        "HostConfig": {},
        "NetworkSettings": {},
    }
    docker.reply(("inspect", "--type", "container", "db"), json.dumps([thing]))

    reply = tools.inspect_docker_container("db")

    assert (reply["exit_code"], reply["out_of_memory"], reply["finished_at"]) == (137, True, "2026")
    assert (reply["health"], reply["last_health_check"]) == (None, None)
    assert (reply["restart_policy"], reply["memory_limit_bytes"], reply["cpu_limit"]) == ("no", None, None)
    assert (reply["networks"], reply["ports"], reply["mounts"], reply["command"]) == ({}, {}, [], ["postgres"])


def test_values_of_environment_variables_are_not_shown(tools):
    assert "hunter2" not in str(tools.inspect_docker_container("web"))


def test_output_and_errors_of_a_log_come_in_their_order(tools):
    assert tools.get_docker_container_logs("web") == {
        "status": "success",
        "container": "web",
        "line_count": 3,
        "cut_off": False,
        "log": "started\nno database\ngiving up\n",
    }


def test_the_end_of_a_log_is_read_since_a_time(tools, docker):
    docker.reply(("logs", "--tail", "5", "--since", "2h30m", "web"), "late\n")

    assert tools.get_docker_container_logs("web", 5, "2h30m")["log"] == "late\n"


def test_a_log_that_is_no_text_is_still_shown(tools, docker):
    docker.reply(("logs", "--tail", "100", "web"), "caf\udce9\n")

    assert tools.get_docker_container_logs("web")["log"] == "caf\N{REPLACEMENT CHARACTER}\n"


def test_of_a_log_with_endless_lines_the_end_is_shown(tools, docker):
    docker.reply(("logs", "--tail", "100", "web"), "x" * 30_000, "the end")

    reply = tools.get_docker_container_logs("web")

    assert (len(reply["log"]), reply["log"][-7:], reply["cut_off"], reply["line_count"]) == (20_000, "the end", True, 1)


def test_what_containers_use_is_measured_and_what_is_unknown_is_not_zero(tools):
    assert tools.get_docker_container_stats() == {
        "status": "success",
        "container_count": 2,
        "containers": [
            {
                "container": "dddddddddddd",
                "cpu_percent": None,
                "memory": None,
                "memory_limit": None,
                "memory_percent": None,
                "network_received": None,
                "network_sent": None,
                "disk_read": None,
                "disk_written": None,
                "processes": None,
            },
            {
                "container": "web",
                "cpu_percent": 87.31,
                "memory": "21.5MiB",
                "memory_limit": "1.944GiB",
                "memory_percent": 1.08,
                "network_received": "1kB",
                "network_sent": "500B",
                "disk_read": "4.1MB",
                "disk_written": "0B",
                "processes": 3,
            },
        ],
    }


def test_one_container_is_measured_alone(tools, docker):
    tools.get_docker_container_stats("web")

    assert docker.calls() == [["stats", "--no-stream", "--format", "json", "web"]]


def test_compose_projects_are_listed(tools):
    assert tools.get_docker_compose_status() == {
        "status": "success",
        "project_count": 2,
        "projects": [
            {"project": "shop", "state": "exited(1), running(1)", "config_files": "/srv/shop/compose.yaml"},
            {"project": "metrics", "state": "running(2)", "config_files": "/srv/metrics/compose.yaml"},
        ],
    }


SHOP = {
    "status": "success",
    "project": "shop",
    "container_count": 2,
    "running_count": 1,
    "containers": [
        {
            "service": "db",
            "container": "shop-db-1",
            "image": "postgres:17.5",
            "state": "exited",
            "condition": "Exited (137) 5 minutes ago",
            "health": None,
            "exit_code": 137,
        },
        {
            "service": "web",
            "container": "shop-web-1",
            "image": "nginx:1.27.4",
            "state": "running",
            "condition": "Up 2 hours (unhealthy)",
            "health": "unhealthy",
            "exit_code": 0,
        },
    ],
}


def test_the_containers_of_one_project_are_listed(tools):
    assert tools.get_docker_compose_status("shop") == SHOP


def test_an_older_compose_that_prints_one_document_is_understood(tools, docker, printed):
    lines = printed("compose_ps.jsonl").splitlines()
    docker.reply(("compose", "--project-name", "shop", "ps", "--all", "--format", "json"), f"[{','.join(lines)}]\n")

    assert tools.get_docker_compose_status("shop") == SHOP


@pytest.mark.parametrize("answer", ["", "[]\n"])
def test_a_project_without_containers_is_an_error_and_not_an_empty_one(tools, docker, answer):
    docker.reply(("compose", "--project-name", "shpo", "ps", "--all", "--format", "json"), answer)

    assert tools.get_docker_compose_status("shpo") == {
        "status": "error",
        "error": "There is no compose project shpo, or it has no containers.",
    }


def test_images_are_listed_by_name_and_dangling_ones_last(tools):
    reply = tools.list_docker_images()

    assert (reply["status"], reply["image_count"], reply["dangling_count"]) == ("success", 3, 1)
    assert [(one["repository"], one["tag"], one["dangling"]) for one in reply["images"]] == [
        ("nginx", "1.27.4", False),
        ("redis", "7.4.2", False),
        ("<none>", "<none>", True),
    ]
    assert reply["images"][0] == {
        "repository": "nginx",
        "tag": "1.27.4",
        "id": "333333333333",
        "size": "192MB",
        "created_at": "2025-04-16 10:00:00 +0000 UTC",
        "dangling": False,
    }


@pytest.mark.parametrize(
    ("tool", "args", "argument"),
    [
        ("inspect_docker_container", [""], "container"),
        ("inspect_docker_container", ["a"], "container"),
        ("inspect_docker_container", ["--all"], "container"),
        ("inspect_docker_container", ["web; rm -rf /"], "container"),
        ("inspect_docker_container", ["web\n"], "container"),
        ("inspect_docker_container", ["x" * 256], "container"),
        ("inspect_docker_container", [["web"]], "container"),
        ("get_docker_container_logs", ["/web"], "container"),
        ("get_docker_container_logs", ["web", 0], "tail"),
        ("get_docker_container_logs", ["web", 1001], "tail"),
        ("get_docker_container_logs", ["web", "50"], "tail"),
        ("get_docker_container_logs", ["web", True], "tail"),
        ("get_docker_container_logs", ["web", 50, "1d"], "since"),
        ("get_docker_container_logs", ["web", 50, "yesterday"], "since"),
        ("get_docker_container_logs", ["web", 50, ""], "since"),
        ("get_docker_container_logs", ["web", 50, 30], "since"),
        ("get_docker_container_stats", ["-a"], "container"),
        ("get_docker_compose_status", ["Shop"], "project"),
        ("get_docker_compose_status", [""], "project"),
        ("get_docker_compose_status", ["--profile"], "project"),
    ],
)
def test_bad_input_is_refused_before_docker_runs(tools, docker, tool, args, argument):
    reply = getattr(tools, tool)(*args)

    assert reply["status"] == "error"
    assert reply["error"].startswith(f"{argument} ")
    assert docker.calls() == []


@pytest.mark.parametrize("since", ["90s", "2025-06-01", "2025-06-01T09:30:00", "2025-06-01T09:30:00.5+02:00"])
def test_every_form_of_a_time_that_docker_knows_is_passed_on(tools, docker, since):
    tools.get_docker_container_logs("web", since=since)

    assert docker.calls() == [["logs", "--tail", "100", "--since", since, "web"]]
