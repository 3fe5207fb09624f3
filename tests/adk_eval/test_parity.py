"""Our numbers equal those of ADK's own evaluators to the last bit, apart from differences that are tested by name."""

import random
import string

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

from google.adk.evaluation.eval_case import IntermediateData, Invocation, InvocationEvent, InvocationEvents
from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric, ToolTrajectoryCriterion
from google.adk.evaluation.final_response_match_v1 import RougeEvaluator, _UnicodeAwareTokenizer
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
from google.genai import types
from rouge_score.rouge_scorer import RougeScorer

from evalkit.cases import Case, Criterion, Message, Step, ToolCall, Turn
from evalkit.scorers import load
from evalkit.scorers.overlap import overlap
from evalkit.traces import Trace, TurnTrace

pytestmark = pytest.mark.adk_eval

USER = Message(role="user", parts=({"text": "Hello"},))
TRAJECTORY = "tool_trajectory_avg_score"
ROUGE = "response_match_score"


# The same case, for ADK and for us.


def invocation(calls=None, parts=None, *, recorded=False):
    """A turn as ADK has it: calls as (name, args) pairs, in one of its two layouts, and the final response's parts."""
    functions = [types.FunctionCall(name=name, args=args) for name, args in calls or ()]
    content = [types.Content(role="model", parts=[types.Part(function_call=function)]) for function in functions]
    events = InvocationEvents(invocation_events=[InvocationEvent(author="root", content=one) for one in content])
    return Invocation(
        user_content=types.Content(role="user", parts=[types.Part(text="Hello")]),
        final_response=types.Content(role="model", parts=[types.Part(**part) for part in parts]) if parts else None,
        intermediate_data=None if calls is None else events if recorded else IntermediateData(tool_uses=functions),
    )


def turn(index, calls=None, parts=None):
    steps = None if calls is None else tuple(Step(calls=(one,)) for one in tool_calls(calls))
    return Turn(index=index, user=USER, steps=steps, final=Message(parts=tuple(parts)) if parts else None)


def happened(calls=(), parts=None):
    final = Message(parts=tuple(parts)) if parts else None
    return TurnTrace(user=USER, adk_calls=tool_calls(calls), final=final)


def tool_calls(calls):
    return tuple(
        ToolCall(name=name, args=args or {}, extra={"args": None} if args is None else {}) for name, args in calls
    )


def ours(name, turns, **options):
    """Score turns, each a pair of the keywords of `turn` and of `happened`; returns the score."""
    case = Case(eval_id="one", turns=tuple(turn(index, **expected) for index, (expected, _) in enumerate(turns)))
    trace = Trace(mode="live", turns=tuple(happened(**actual) for _, actual in turns))
    return load(name)(case, trace, Criterion(name=name, threshold=1.0, options=options))


def adks(name, turns, **options):
    """The same with ADK's evaluator; returns the overall score and those of the turns."""
    if name == TRAJECTORY:
        criterion = ToolTrajectoryCriterion(threshold=1.0, **options)
        evaluator = TrajectoryEvaluator(eval_metric=EvalMetric(metric_name=name, criterion=criterion))
    else:
        criterion = BaseCriterion(threshold=1.0)
        evaluator = RougeEvaluator(EvalMetric(metric_name=name, criterion=criterion, threshold=1.0))
    actual = [invocation(**one, recorded=True) for _, one in turns]
    expected = [invocation(**one, recorded=index % 2 == 1) for index, (one, _) in enumerate(turns)]
    result = evaluator.evaluate_invocations(actual, expected)
    return result.overall_score, [one.score for one in result.per_invocation_results]


# Random calls.

VALUES = (0, 1, 1.0, True, None, "1", "orders", "заказы", [1, 2], [2, 1], {"a": {"b": [None]}}, {"a": {"b": []}}, {})


def random_call(choose):
    return choose.choice("abcd"), {name: choose.choice(VALUES) for name in choose.sample("xyz", choose.randint(0, 2))}


def random_pair(choose):
    """Expected calls, and what became of them: mostly the same, with some calls dropped, added, changed or moved."""
    expected = [random_call(choose) for _ in range(choose.randint(0, 5))]
    actual = list(expected)
    for _ in range(choose.choice((0, 0, 1, 1, 2, 3))):
        place = choose.randint(0, len(actual))
        change = choose.choice(("add", "drop", "args", "move"))
        if change == "add":
            actual.insert(place, random_call(choose))
        elif place < len(actual):
            name, args = actual.pop(place)
            if change == "args":
                actual.insert(place, (name, random_call(choose)[1]))
            elif change == "move":
                actual.insert(choose.randint(0, len(actual)), (name, args))
    return expected, actual


@pytest.fixture(scope="module")
def cases():
    """2,000 random pairs of call lists, as 500 cases of four turns."""
    choose = random.Random(20261129)  # noqa: S311 - reproducible, not secret
    pairs = [random_pair(choose) for _ in range(2000)]
    turns = [({"calls": expected}, {"calls": actual}) for expected, actual in pairs]
    return [turns[start : start + 4] for start in range(0, len(turns), 4)]


def without_difference(turns, match_type, overall, each):
    """ADK's scores, where a turn lists no calls and some were made as we score it: only ADK accepts that there."""
    if match_type == "EXACT":
        return overall, each
    ruled_out = [not wanted["calls"] and bool(made["calls"]) for wanted, made in turns]
    each = [0.0 if out else value for out, value in zip(ruled_out, each, strict=True)]
    return sum(each) / len(each) if any(ruled_out) else overall, each


@pytest.mark.parametrize("ignore_args", [False, True])
@pytest.mark.parametrize("match_type", ["EXACT", "IN_ORDER", "ANY_ORDER"])
def test_trajectory_scores_equal_adks_on_two_thousand_random_pairs(cases, match_type, ignore_args):
    options = {"match_type": match_type, "ignore_args": ignore_args}
    scores = [ours(TRAJECTORY, turns, **options) for turns in cases]
    expected = [without_difference(turns, match_type, *adks(TRAJECTORY, turns, **options)) for turns in cases]
    assert [(score.value, [one.value for one in score.turns]) for score in scores] == expected
    values = [value for _, values in expected for value in values]
    assert 0.2 < sum(values) / len(values) < 0.9  # both outcomes are there in numbers


@pytest.mark.parametrize(
    ("spelling", "match_type"),
    [("in_order", "IN_ORDER"), ("In-Order", "IN_ORDER"), (" any order ", "ANY_ORDER"), (0, "EXACT"), (2, "ANY_ORDER")],
)
def test_match_types_mean_what_they_mean_to_adk(cases, spelling, match_type):
    for turns in cases[:100]:
        overall, _ = without_difference(turns, match_type, *adks(TRAJECTORY, turns, match_type=spelling))
        assert ours(TRAJECTORY, turns, match_type=spelling).value == overall


# Random texts.

STEMS = ["run", "hop", "fall", "relat", "conform", "lag", "replic", "partit", "broker", "topic", "oscill", "sky", "y"]
SUFFIXES = ["", "s", "ies", "ed", "ing", "ational", "iveness", "ization", "ly", "ement", "e", "y", "fulli", "2"]
SCRIPTS = {
    "Latin": "abcdefghijklmnopqrstuvwxyzäößéñøłİ\u0131\u017f",
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюя\u0306",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي\u064b\u0651\u0667",
    "Devanagari": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह\u093f\u0940\u094d\u0902",
    "Thai": "กขคงจฉชซญดตถทนบปผพฟมยรลวศสหอฮ\u0e31\u0e34\u0e35\u0e48\u0e49",
    "Han": "支付服务宕机了登录正常一万丁七上下",
    "Kana": "ひらがなカタカナっーゞｶﾞ",
    "Hangul": "한글테스트서비스장애정상ㅎㅏ\u1112\u1161",
}
BETWEEN = [" ", " ", " ", "", ", ", ". ", "-", "_", "'", "\n", " ✅ ", "…", "\u200d", "\u00a0", "/", " 75 ", "½", "ﬁ"]


def random_word(choose, script):
    if script == "Latin" and choose.random() < 0.6:
        word = choose.choice(STEMS) + choose.choice(SUFFIXES)
        return choose.choice((word, word, word.upper(), word.title()))
    return "".join(choose.choices(SCRIPTS[script], k=choose.randint(1, 6)))


def random_texts(choose, script):
    """A text and another that shares some of its words."""
    known = [
        random_word(choose, choose.choice((script, script, script, "Latin"))) for _ in range(choose.randint(1, 30))
    ]
    other = [choose.choice(known) if choose.random() < 0.7 else random_word(choose, script) for _ in known]
    return ["".join(word + choose.choice(BETWEEN) for word in words) for words in (known, other)]


@pytest.fixture(scope="module")
def texts():
    """504 pairs of texts, 63 a script."""
    choose = random.Random(20261130)  # noqa: S311 - reproducible, not secret
    return [random_texts(choose, script) for script in SCRIPTS for _ in range(63)]


def text_turn(expected, actual):
    return {"parts": [{"text": expected}]}, {"parts": [{"text": part} for part in actual.split("\n")]}


def test_rouge_scores_equal_adks_to_the_last_bit_in_eight_scripts(texts):
    turns = [text_turn(expected, actual) for expected, actual in texts]
    score = ours(ROUGE, turns)
    overall, each = adks(ROUGE, turns)
    assert [one.value for one in score.turns] == each
    assert score.value == overall
    assert len(set(each)) > 200  # not all the same


def test_rouge_scores_of_identical_texts_equal_adks(texts):
    turns = [text_turn(expected, expected) for expected, _ in texts]
    assert [one.value for one in ours(ROUGE, turns).turns] == adks(ROUGE, turns)[1]


def test_rouge_scores_of_any_characters_equal_adks():
    """Every character of the basic plane, between words and in the middle of one."""
    letters = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    turns = []
    for start in range(0, len(letters), 512):
        block = letters[start : start + 512]
        text = "lag ".join(f"{letter}ab{letter}{letter} " for letter in block)
        turns.append(({"parts": [{"text": text}]}, {"parts": [{"text": "lag ab " + "".join(block) + text[::3]}]}))
    assert [one.value for one in ours(ROUGE, turns).turns] == adks(ROUGE, turns)[1]


def test_rouge_scores_of_ascii_words_equal_adks():
    choose = random.Random(20261201)  # noqa: S311 - reproducible, not secret
    made = ["".join(choose.choices(string.ascii_letters + "aeiouys" * 4, k=choose.randint(1, 12))) for _ in range(6000)]
    turns = [
        text_turn(" ".join(made[start : start + 20]), " ".join(word + "s" for word in made[start : start + 20]))
        for start in range(0, len(made), 20)
    ]
    assert [one.value for one in ours(ROUGE, turns).turns] == adks(ROUGE, turns)[1]


# The differences, one test each.


def test_difference_absent_arguments_equal_empty_ones():
    turns = [({"calls": [("whoami", None)]}, {"calls": [("whoami", {})]})]
    score = ours(TRAJECTORY, turns)
    assert (adks(TRAJECTORY, turns)[0], score.value) == (0.0, 1.0)
    assert "ADK would score 0" in score.reason


@pytest.mark.parametrize("match_type", ["IN_ORDER", "ANY_ORDER"])
def test_difference_an_explicit_empty_expectation_means_no_calls(match_type):
    turns = [({"calls": []}, {"calls": [("a", {})]})]
    score = ours(TRAJECTORY, turns, match_type=match_type)
    assert (adks(TRAJECTORY, turns, match_type=match_type)[0], score.value) == (1.0, 0.0)
    assert f"ADK's {match_type} would accept any" in score.reason


def test_difference_a_turn_without_intermediate_data_is_not_applicable():
    turns = [({}, {"calls": [("a", {})]}), ({"calls": [("a", {})]}, {"calls": [("a", {})]})]
    score = ours(TRAJECTORY, turns)
    assert (adks(TRAJECTORY, turns)[0], score.value) == (0.5, 1.0)
    assert "ADK would take it as expecting no call" in score.reason


def test_difference_thoughts_are_not_the_answer():
    thought = {"text": "I first recall arithmetic rules, then add two and two carefully", "thought": True}
    answer = {"text": "The answer is four."}
    turns = [({"parts": [answer]}, {"parts": [thought, answer]})]
    score = ours(ROUGE, turns)
    assert adks(ROUGE, turns)[0] == pytest.approx(0.4211, abs=1e-4)
    assert (score.value, "ADK counts them" in score.reason) == (1.0, True)


def test_difference_a_turn_without_final_response_is_not_applicable():
    turns = [({}, {"parts": [{"text": "None run."}]}), ({"parts": [{"text": "Ok"}]}, {"parts": [{"text": "Ok"}]})]
    score = ours(ROUGE, turns)
    assert (adks(ROUGE, turns)[0], score.value) == (0.5, 1.0)
    assert "ADK would score it 0" in score.reason


def test_difference_identical_symbols_score_one():
    turns = [text_turn("✅", "✅")]
    score = ours(ROUGE, turns)
    assert (adks(ROUGE, turns)[0], score.value) == (0.0, 1.0)
    assert "ADK would score it 0" in score.reason


@pytest.mark.parametrize("kind", ["1", "2", "L", "Lsum"])
def test_rouge_of_every_type_equals_rouge_score_with_adks_tokenizer(kind):
    dice = random.Random(4)  # noqa: S311 - the same texts in every run
    reference = RougeScorer([f"rouge{kind}"], tokenizer=_UnicodeAwareTokenizer(use_stemmer=True))
    pieces = ["lag", "lagging", "lags", "支付", "服务", "ระบบล่ม", "भुगतान", "خدمة", "Größe", "half½", "✅", ".", "\n"]
    for _ in range(200):
        said, wanted = (" ".join(dice.choices(pieces, k=dice.randrange(20))) for _ in range(2))
        expected = reference.score(wanted, said)[f"rouge{kind}"]
        assert tuple(overlap(kind, said, wanted)) == (expected.precision, expected.recall, expected.fmeasure)
