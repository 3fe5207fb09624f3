"""What a shell's command line calls can be read without running it, or is refused."""

import pytest

from evalkit.mocks.below.shells import UnreadableError, programs_of, script_of


@pytest.mark.parametrize(
    ("script", "called"),
    [
        ("docker ps", ["docker"]),
        ("docker ps -a | grep web | wc -l", ["docker", "grep", "wc"]),
        ("docker ps && kubectl get pods || echo none; true", ["docker", "kubectl", "echo", "true"]),
        ("docker ps &\nkubectl get", ["docker", "kubectl"]),
        ("docker ps \\\n  -a", ["docker"]),
        ("docker ps > out.txt 2>&1 < in.txt", ["docker"]),
        ("> out docker ps", ["docker"]),
        ("A=1 B=2 docker ps", ["docker"]),
        ("A=1", []),
        ("docker inspect $(docker ps -q)", ["docker", "docker"]),
        ("X=$(kubectl get pods)", ["kubectl"]),
        ("docker inspect `docker ps -q`", ["docker", "docker"]),
        ('echo "pods: $(kubectl get pods | wc -l)"', ["echo", "kubectl", "wc"]),
        ('echo "`kubectl get pods`"', ["echo", "kubectl"]),
        ("(docker ps; docker images)", ["docker", "docker"]),
        ("{ docker ps; }", ["docker"]),
        ("diff <(docker ps) <(kubectl get)", ["diff", "docker", "kubectl"]),
        ("if docker ps; then docker images; else kubectl get; fi", ["docker", "docker", "kubectl"]),
        ("for x in a b; do docker inspect $x; done", ["for", "docker"]),
        ("while ! docker ps; do sleep 1; done", ["docker", "sleep"]),
        ("docker ps -q | xargs docker inspect", ["docker", "docker"]),
        ("docker ps -q | xargs -r -n 1 docker inspect", ["docker", "docker"]),
        ("timeout 5s kubectl get", ["kubectl"]),
        ("env A=1 nohup kubectl get", ["kubectl"]),
        ("time docker ps", ["docker"]),
        ("echo 'a | b; c && d'", ["echo"]),
        ('docker ps --format "{{.Names}} | {{.ID}}"', ["docker"]),
        ("$TOOL get pods", ["$TOOL"]),
        ("/usr/bin/docker ps", ["/usr/bin/docker"]),
        ("", []),
    ],
)
def test_every_program_that_a_command_line_calls_is_named(script, called):
    assert programs_of(script) == called


@pytest.mark.parametrize("script", ['echo "unclosed', 'echo "$(a $(b))"', 'echo "`a"'])
def test_what_cannot_be_read_is_not_guessed(script):
    with pytest.raises(UnreadableError):
        programs_of(script)


@pytest.mark.parametrize(
    ("argv", "script"),
    [
        (["sh", "-c", "docker ps"], "docker ps"),
        (["/bin/bash", "-lc", "docker ps"], "docker ps"),
        (["bash", "--norc", "-c", "docker ps", "name"], "docker ps"),
        (["sh", "script.sh"], None),
        (["sh", "script.sh", "-c", "x"], None),
        (["sh", "-c"], None),
        (["sh", "-x"], None),
        (["docker", "-c", "x"], None),
        ([], None),
    ],
)
def test_the_command_line_of_a_shell_is_found(argv, script):
    assert script_of(argv) == script
