"""Whether a document is as its schema has it; what is wrong with one that is not, `schema_faults` explains."""

from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.faults import is_valid


def schema_problems(schema_name: str, document: Document) -> tuple[Problem, ...]:
    """Find every way in which a document departs from a schema."""
    if is_valid(schema_name, document.value):
        return ()
    from evalkit.formats.schema_faults import described_faults  # most files have none, and do not pay for it

    return described_faults(schema_name, document)
