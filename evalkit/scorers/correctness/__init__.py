"""What gold expects of an answer, as rulings: by the word of a judge, or by what can be read off without one.

`plain_text` and `wording` look for an expected text in an answer, `sections` for what a part of it must contain,
`rulings` puts them together. How a judge is asked is `evalkit.judges`' business.
"""
