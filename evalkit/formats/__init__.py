"""From bytes to values or problems, and back: evalsets, eval configs and mocks files.

A reader returns `Loaded`: the value, and every problem found on the way. A file with an error has no value.
"""
