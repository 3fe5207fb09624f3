"""Judges: what a model-graded metric may ask, and how.

`kinds` finds the judge behind a name, `questions` writes what it is asked, `answers` reads what it says, and `panel`
asks: several at once, again where that may help, no question twice. `jury` does that for the cases of a run,
`calibration` for answers that people have labelled. Whatever goes wrong ends as `not judged` with its reason.

A judge sees what the agent saw and did, and the rubrics; an agent never sees rubrics or the expected answer.
"""
