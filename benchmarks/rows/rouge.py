"""`response_match_score` against ADK's `RougeEvaluator`: the same numbers, on the same pairs of texts."""

from collections.abc import Iterator

import data
from google.adk.evaluation.eval_case import Invocation
from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric
from google.adk.evaluation.final_response_match_v1 import RougeEvaluator
from google.genai import types
from measure import Bench, Figure, cpu, pairs

from evalkit.cases import Case, Criterion, Message, Turn
from evalkit.scorers.rouge import score
from evalkit.traces import Trace, TurnTrace

WORDS = 60
CRITERION = Criterion(name="response_match_score", threshold=0.8)


def measure(bench: Bench) -> Iterator[Figure]:
    """Score pairs of texts of sixty words, most in Latin script; values have to be equal to the last bit."""
    count = bench.size(400, 50)
    texts = [_pair(number) for number in range(count)]
    ours = [_ours(*texts_of_pair) for texts_of_pair in texts]
    adks = [_adks(*texts_of_pair) for texts_of_pair in texts]
    evaluator = RougeEvaluator(EvalMetric(metric_name="response_match_score", criterion=BaseCriterion(threshold=0.8)))

    def our_values() -> list[float | None]:
        return [score(case, trace, CRITERION).value for case, trace in ours]

    def adks_values() -> list[float | None]:
        return [evaluator.evaluate_invocations([actual], [expected]).overall_score for actual, expected in adks]

    assert our_values() == adks_values()
    timed = pairs(cpu(our_values), cpu(adks_values), rounds=bench.size(7, 2))
    yield timed.faster(f"response_match_score / ADK's, {count} pairs of {WORDS} words", aim=20.0)


def _pair(number: int) -> tuple[str, str]:
    """Two texts that share their first half."""
    shared = " ".join(data.words(WORDS // 2, seed=3 * number))
    said, wanted = (" ".join(data.words(WORDS // 2, seed=3 * number + side)) for side in (1, 2))
    return f"{shared} {said}.", f"{shared} {wanted}."


def _ours(said: str, wanted: str) -> tuple[Case, Trace]:
    user, answer, expected = (Message(role=role, parts=({"text": text},)) for role, text in _roles(said, wanted))
    case = Case(eval_id="case", turns=(Turn(index=0, user=user, final=expected, steps=()),))
    return case, Trace(mode="live", turns=(TurnTrace(user=user, final=answer),))


def _adks(said: str, wanted: str) -> tuple[Invocation, Invocation]:
    user, answer, expected = (
        types.Content(role=role, parts=[types.Part(text=text)]) for role, text in _roles(said, wanted)
    )
    return Invocation(user_content=user, final_response=answer), Invocation(user_content=user, final_response=expected)


def _roles(said: str, wanted: str) -> tuple[tuple[str, str], ...]:
    return ("user", "Well?"), ("model", said), ("model", wanted)
