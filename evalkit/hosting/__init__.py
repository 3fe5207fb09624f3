"""`evalkit adk eval`: ADK's own command, whose cases evalkit plays and judges.

ADK's command takes one config, so it is run once for each config that the evalsets have; and of two evalsets with the
same id, which it refuses, each gets a run of its own. Whatever ADK's command makes of a case, the verdict is that of
`evalkit run`, and ADK's own output, results and history say the same.
"""
