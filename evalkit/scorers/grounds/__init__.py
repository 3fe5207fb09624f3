"""What grounding is made of: what an answer states, what the agent was shown, and whether the one comes from the other.

- `units`, `numerals`, `moments`: numbers, measures, dates as people write them.
- `words`, `statuses`: words that look like names and are none; words that tell a state.
- `segments`, `claims`: an answer in parts, and what each part states.
- `facts`, `figures`, `derived`: what tools and the user said, the numbers in it, and what a reader computes from them.
- `belonging`, `states`, `doings`: whether a fact is told of what it belongs to; states; what tools did.
"""
