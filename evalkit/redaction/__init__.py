"""Secrets are hidden wherever something is written: `redactor.Redactor`.

A secret is known by its value (what a variable with a secretive name holds), by its shape (`shapes`), or by the name it
stands under (`names`); it is found as it is, JSON-escaped, URL-encoded, in base64 and in hexadecimal. In its place
stands `[secret: OPENAI_API_KEY]` or `[secret: a GitHub token]`; where it was encoded, `[secret: DB_PASSWORD (base64)]`.

Only what is written is redacted. Scorers judge what really happened, so a verdict never depends on redaction. A stored
run that is scored again (`evalkit score`) gives the same verdict wherever secrets are only compared: within one run
equal secrets have equal placeholders and different ones different placeholders (`[secret: password 2]`), in the cases
as used, in the outcomes and in the results alike. It may give another one where a criterion looks into a secret: a
regular expression or JSON schema that only the real value fits, a count of words or characters, a user's own scorer
that needs it.

Not found is a secret without a shape that nobody names anywhere. One that is named only after it was written is taken
out when the run ends (`RunFolder.finish`); a run that is killed before that keeps it.
"""
