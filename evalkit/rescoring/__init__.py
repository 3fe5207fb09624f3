"""Scoring a stored run again: its outcomes judged by other criteria, or by what the files say now; nothing is played.

`basis` says by what, `chosen` which cases, `kept` what a judge said before and need not say again, `news` what changed.
"""
