"""Choosing cases: selectors, ids that are not there, and `-k`."""

import pytest

from evalkit.cases import Case
from evalkit.errors import SelectionError
from evalkit.selection import Selector, check_ids, find_named, keyword_filter, parse_selector


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with `lag.test.json`, `topics.evalset.json` and a file whose name has a colon; it is the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("lag.test.json", "topics.evalset.json", "odd:name.test.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "more").mkdir()
    return tmp_path


def refusal(text):
    with pytest.raises(SelectionError) as raised:
        parse_selector(text)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "path", "ids"),
    [
        ("lag.test.json", "lag.test.json", ()),
        ("more", "more", ()),
        ("more/", "more", ()),
        ("lag.test.json:growing", "lag.test.json", ("growing",)),
        ("lag.test.json:growing,stuck", "lag.test.json", ("growing", "stuck")),
        ("lag.test.json: growing , stuck ,", "lag.test.json", ("growing", "stuck")),
        ("lag.test.json::growing", "lag.test.json", ("growing",)),
        ("lag.test.json:kafka:growing,b:c", "lag.test.json", ("kafka:growing", "b:c")),
        ("odd:name.test.json", "odd:name.test.json", ()),
        ("odd:name.test.json:growing", "odd:name.test.json", ("growing",)),
        ("lag.test.json:" + "x" * 300, "lag.test.json", ("x" * 300,)),
    ],
)
def test_a_selector_is_a_path_and_perhaps_ids(text, path, ids, here):
    selector = parse_selector(text)

    assert selector == Selector(selector.path, ids)
    assert selector.path.resolve() == here / path


def test_an_absolute_path_is_a_path(here):
    assert parse_selector(f"{here / 'lag.test.json'}:growing") == Selector(here / "lag.test.json", ("growing",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lag.test.json:", "lag.test.json:: no case id after the colon"),
        ("lag.test.json: , ,", "lag.test.json: , ,: no case id after the colon"),
        ("lag.tst.json", "lag.tst.json: no such file or folder; did you mean lag.test.json?"),
        ("lag.tst.json:growing", "lag.tst.json:growing: no such file or folder; did you mean lag.test.json?"),
        ("nowhere/at/all", "nowhere/at/all: no such file or folder"),
        (":growing", ":growing: no such file or folder"),
        ("x" * 300, "x" * 300 + ": no such file or folder"),
    ],
)
def test_a_selector_that_names_nothing_is_refused(text, message):
    assert refusal(text) == message


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (["growing", "stuck"], "f: no case 'growin'; did you mean growing?"),
        (["topics", "refused"], "f: no case 'growin'; its cases: topics, refused"),
        ([], "f: no case 'growin'; it has no cases"),
        (
            [str(number) for number in range(12)],
            "f: no case 'growin'; its cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more",
        ),
    ],
)
def test_an_unknown_id_is_refused_with_those_that_exist(known, message):
    with pytest.raises(SelectionError) as raised:
        check_ids("f", known, ["growin"])
    assert str(raised.value) == message


def test_known_ids_pass():
    check_ids("f", ["growing", "stuck"], ["stuck", "growing"])


CASES = {
    "growing": ("evalsets/kafka/lag.test.json", ("kafka", "Slow")),
    "growing-fast": ("evalsets/kafka/lag.test.json", ("kafka",)),
    "Pods": ("evalsets/k8s/pods.evalset.json", ()),
}


def chosen(expression, cases=None):
    keep = keyword_filter(expression)
    return [name for name, (file, tags) in (cases or CASES).items() if keep(file, Case(eval_id=name, tags=tags))]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("growing", ["growing", "growing-fast"]),
        ("pods", ["Pods"]),
        ("KAFKA", ["growing", "growing-fast"]),
        ("lag.test.json::growing-", ["growing-fast"]),
        ("slow", ["growing"]),
        ("not slow", ["growing-fast", "Pods"]),
        ("not not slow", ["growing"]),
        ("growing and not slow", ["growing-fast"]),
        ("slow or pods", ["growing", "Pods"]),
        ("pods or growing and slow", ["growing", "Pods"]),
        ("(pods or growing) and not slow", ["growing-fast", "Pods"]),
        ("not (slow or fast)", ["Pods"]),
        ("((slow))", ["growing"]),
        ("nothing", []),
        ("order", []),
        ("notes", []),
    ],
)
def test_an_expression_chooses_by_name_and_tag(expression, names):
    assert chosen(expression) == names


def test_folders_above_the_current_one_do_not_count(here):
    inside = {"growing": (str(here / "evalsets" / "kafka" / "lag.test.json"), ())}

    assert chosen("kafka", inside) == ["growing"]
    assert chosen("evalsets", inside) == ["growing"]
    assert chosen(here.name, inside) == []


def test_of_a_file_elsewhere_only_its_name_and_its_folder_count(here, monkeypatch):
    monkeypatch.chdir(here / "more")
    elsewhere = {"growing": (str(here / "evalsets" / "kafka" / "lag.test.json"), ())}

    assert chosen("kafka and lag.test", elsewhere) == ["growing"]
    assert chosen("evalsets", elsewhere) == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "-k '': a word was expected, found the end"),
        ("  ", "-k '  ': a word was expected, found the end"),
        ("lag slow", "-k 'lag slow': unexpected 'slow'; join words with `and` or `or`"),
        ("lag AND slow", "-k 'lag AND slow': unexpected 'AND'; join words with `and` or `or`"),
        ("lag and", "-k 'lag and': a word was expected, found the end"),
        ("and lag", "-k 'and lag': a word was expected, found 'and'"),
        ("lag or or slow", "-k 'lag or or slow': a word was expected, found 'or'"),
        ("not", "-k 'not': a word was expected, found the end"),
        ("()", "-k '()': a word was expected, found ')'"),
        ("(lag", "-k '(lag': a closing parenthesis is missing"),
        ("(lag slow)", "-k '(lag slow)': unexpected 'slow'; join words with `and` or `or`"),
        ("lag)", "-k 'lag)': unexpected ')'; join words with `and` or `or`"),
        ("lag (slow)", "-k 'lag (slow)': unexpected '('; join words with `and` or `or`"),
    ],
)
def test_an_expression_that_is_not_well_formed_is_refused(expression, message):
    with pytest.raises(SelectionError) as raised:
        keyword_filter(expression)
    assert str(raised.value) == message


KNOWN = [
    ("a/38_rabbitmq.evalset.json", "38_rabbitmq"),
    ("a/39_kafka.evalset.json", "39_kafka[0]"),
    ("a/39_kafka.evalset.json", "39_kafka[1]"),
    ("a/38.evalset.json", "38"),
    ("b/39_kafka.evalset.json", "39_kafka_lag"),
]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("38_rab", ["38_rabbitmq"]),
        ("38", ["38"]),
        ("39_kafka[1]", ["39_kafka[1]"]),
        ("39_kafka", ["39_kafka[0]", "39_kafka[1]"]),
        ("39_kafka[", ["39_kafka[0]", "39_kafka[1]"]),
        ("39_kafka_", ["39_kafka_lag"]),
    ],
)
def test_a_name_means_the_case_that_has_it_else_the_one_that_begins_with_it(name, found):
    assert [eval_id for _, eval_id in find_named(KNOWN, name)] == found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "39",
            (
                "'39' may be any of 2 cases: a/39_kafka.evalset.json:39_kafka, b/39_kafka.evalset.json:39_kafka_lag;"
                " write more of the name"
            ),
        ),
        ("rabbitmq_38", "no case 'rabbitmq_38'; did you mean 38_rabbitmq?"),
        ("%", "no case '%'; its cases: 38_rabbitmq, 39_kafka[0], 39_kafka[1], 38, 39_kafka_lag"),
    ],
)
def test_a_name_that_means_none_or_several_is_refused(name, message):
    with pytest.raises(SelectionError) as raised:
        find_named(KNOWN, name)
    assert str(raised.value) == message
