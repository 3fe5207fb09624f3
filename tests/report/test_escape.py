"""Text from outside, made safe to show."""

import unicodedata

import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from evalkit.report.escape import cells, code_span, fenced, first_line, one_line, pad, printable, table_row

AWKWARD = st.text(alphabet="`|\\ \n\tab*_<&#\x1b", max_size=40)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x1b[2Jb", "a\\x1b[2Jb", id="escape sequence"),
        pytest.param("a\x9b2Jb", "a\\x9b2Jb", id="eight-bit escape sequence"),
        pytest.param("a\rb\bc\x07\x00\x7f", "a\\x0db\\x08c\\x07\\x00\\x7f", id="control characters"),
        pytest.param("a\r\nb\tc", "a\nb   c", id="line ends and tabs"),
        pytest.param("a\u202eb\u2066", "a\\u202eb\\u2066", id="reversed text"),
        pytest.param("a\u200bb\ufeff", "a\\u200bb\\ufeff", id="hidden characters"),
        pytest.param("a\u2028b", "a\\u2028b", id="line separator"),
        pytest.param("\ud800", "\\ud800", id="lone surrogate"),
        pytest.param("Größe 消费者 🦊", "Größe 消费者 🦊", id="other scripts"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_its_code(text, shown):
    assert printable(text) == shown


@settings(deadline=None)
@given(st.text())
def test_nothing_printable_is_unsafe(text):
    shown = printable(text)

    shown.encode()
    assert not any(unicodedata.category(char) == "Cc" and char != "\n" for char in shown)


def test_what_is_too_long_is_cut_and_says_so():
    shown = printable("x" * 10_240)

    assert shown == "x" * 2_000 + "... (truncated: 8,240 more characters in results.json)"


def test_one_line_shows_its_line_breaks():
    assert one_line("a\nb") == "a\\nb"


def test_the_first_line_leaves_the_rest_out():
    assert first_line("\n  first\nsecond") == "first"


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("消费者", 6), ("e\u0301", 1), ("", 0)])
def test_width_is_counted_in_columns(text, width):
    assert cells(text) == width
    assert cells(pad(text, 8)) == 8


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("lag", "`lag`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a``", "``` a`` ```"),
        (" a", "`  a `"),
        ("a\nb", "`a\\nb`"),
        ("", "`(empty)`"),
    ],
)
def test_a_code_span_outruns_the_backticks_inside(text, span):
    assert code_span(text) == span


def test_a_fence_outruns_the_backticks_inside():
    assert fenced("a\n````\nb") == "`````text\na\n````\nb\n`````"


@settings(deadline=None)
@given(AWKWARD)
def test_a_code_span_is_read_as_exactly_its_text(text):
    (paragraph,) = (token for token in MarkdownIt().parse(f"x {code_span(text)} y") if token.type == "inline")

    assert [(token.type, token.content) for token in paragraph.children] == [
        ("text", "x "),
        ("code_inline", one_line(text) or "(empty)"),
        ("text", " y"),
    ]


@settings(deadline=None)
@given(AWKWARD)
def test_a_code_block_is_read_as_exactly_its_text(text):
    (block,) = MarkdownIt().parse(fenced(text))

    assert (block.type, block.content) == ("fence", printable(text) + "\n")


@settings(deadline=None)
@given(AWKWARD, AWKWARD)
def test_a_table_row_is_read_as_exactly_its_columns(left, right):
    source = "\n".join(["| a | b |", "| --- | --- |", table_row(code_span(left), code_span(right))])

    tokens = MarkdownIt().enable("table").parse(source)

    cells_read = [token.children[0].content for token in tokens if token.type == "inline"][2:]
    assert cells_read == [one_line(left) or "(empty)", one_line(right) or "(empty)"]
