from hypothesis import given, settings, strategies as st

from evalkit.redaction.encodings import traces
from evalkit.redaction.views import views

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=6, max_size=60)


@settings(deadline=None)
@given(TEXTS)
def test_each_encoding_of_a_text_has_a_trace_of_it(spellings, text):
    for encoding, spelling in spellings(text).items():
        assert any(trace in spelling for trace in traces(text, begun=8)), encoding


@settings(deadline=None)
@given(TEXTS)
def test_each_encoding_can_be_decoded_with_the_places_that_the_text_came_from(spellings, text):
    as_bytes = text.encode().decode("latin-1")
    for encoding, spelling in spellings(text).items():
        if encoding in ("as it is", "JSON in JSON", "URL in a URL") or spelling == text:
            continue
        found = [(view, view.text.find(said)) for view in views(spelling, lambda _: True) for said in (text, as_bytes)]
        view, start = next((view, start) for view, start in found if start >= 0)
        assert 0 <= view.starts[start] < view.ends[start + len(text) - 1] <= len(spelling), encoding
