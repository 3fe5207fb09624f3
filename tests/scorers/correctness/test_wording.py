"""An expected text is found whatever its form, only if it is whole, and not where the answer denies it."""

import pytest

from evalkit.scorers.correctness.wording import look_for

FOUND = [
    ("disk pressure", "The node has DISK PRESSURE.", "case"),
    ("disk pressure", "It is **disk   `pressure`**!", "markup and spacing"),
    ("disk pressure", "It is disk\npressure", "a line break"),
    ("out of memory", "killed: out-of-memory", "a hyphen for a space"),
    ("read-only volume", "a read only volume", "a space for a hyphen"),
    ("the class doesn't exist", "The class doesn\u2019t exist", "apostrophes"),
    ("June 3rd 2031", "It is June 3rd, 2031.", "a comma"),
    ("- blue-7 is down", "1. blue-7 is down", "marks of lists"),
    ("2031-06-03 The store is gone", "* **2031-06-03**: the store is gone", "a colon"),
    ("five pods", "5 pods", "a number in words"),
    ("21 pods", "twenty-one pods", "a number in two words"),
    ("200 requests", "two hundred requests", "hundreds in words"),
    ("1 pod is down", "One pod is down", "one as a number"),
    ("3,600 seconds", "3600 seconds", "thousands"),
    ("limit of 100Mi", "limit of 100 Mi", "a unit apart"),
    ("timeout", "many timeouts", "a plural"),
    ("2.4.1", "the image web:2.4.1", "a tag behind a colon"),
    ("low disk space", "It could not start because of low disk space", "a denial of something else"),
    ("the disk is full", "It is not the network, but the disk is full", "a denial in another clause"),
]

ABSENT = [
    ("5 pods", "15 pods", "a longer number"),
    ("5 seconds", "2.5 seconds", "a decimal"),
    ("5 degrees", "-5 degrees", "another sign"),
    ("5 degrees", "1-5 degrees", "a range"),
    ("hit rate is 25", "hit rate is 25%", "another unit"),
    ("5 pods", "<5 pods", "a bound"),
    ("able to connect", "unable to connect", "the end of a word"),
    ("cart is down", "shopping-cart is down", "the end of a name"),
    ("shop is down", "shop-2 is down", "the beginning of a name"),
    ("1 of the pods", "one of the pods", "one as a pronoun"),
    ("disk pressure", "pressure on the disk", "another order"),
    ("***", "anything", "nothing to look for"),
    ("disk is full", "", "silence"),
]

DENIED = [
    ("disk pressure", "This is not disk pressure."),
    ("disk pressure", "There is no disk pressure at all"),
    ("disk pressure", "It isn't caused by disk pressure"),
    ("disk pressure", "I ruled out disk pressure"),
    ("disk pressure", "Disk pressure is not the cause"),
    ("disk pressure", "Disk pressure was ruled out"),
    ("disk pressure", "a leak rather than disk pressure"),
]


@pytest.mark.parametrize(("expected", "answer", "despite"), FOUND)
def test_a_text_is_found(expected, answer, despite):
    assert look_for(expected, answer) == "found", despite


@pytest.mark.parametrize(("expected", "answer", "because"), ABSENT)
def test_a_text_is_absent(expected, answer, because):
    assert look_for(expected, answer) == "absent", because


@pytest.mark.parametrize(("expected", "answer"), DENIED)
def test_a_text_that_the_answer_denies_is_told_apart(expected, answer):
    assert look_for(expected, answer) == "denied"


def test_one_place_that_does_not_deny_it_is_enough():
    assert look_for("disk pressure", "It is not disk pressure on red-1. Blue-7 has disk pressure.") == "found"
