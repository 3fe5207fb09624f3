"""Rubrics: properties of a turn that hold or do not hold, by a check of our own or by the word of a judge.

`effective` finds the rubrics of a turn, `checks` decides those that have a check, `tally` makes a score of what was
found, and `offline` does all that without a judge. Who judges, and how a judge is asked, is `evalkit.judges`' business.
"""
