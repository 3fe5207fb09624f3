"""What a live run sets up around a case: a working directory of its own, scripts, port-forwards, and their end.

Each case has a *stage*: a fresh tree of files and, if it has anything to run, a *keeper*. That is a small process of
its own which runs the scripts, becomes the parent of whatever they leave in the background, and at the end ends all of
it. It also notices when the process above is gone, and then cleans up by itself: `after_test` runs even then.
"""
