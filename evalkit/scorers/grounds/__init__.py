"""What grounding is made of: what an answer states, what the agent was shown, and whether the one comes from the other.

- `units`, `numerals`, `moments`: numbers, measures, dates as people write them.
- `words`, `statuses`: words that look like names and are none; words that tell a state.
- `segments`, `advice`, `claims`: an answer in parts, those that claim nothing, and what each other part states.
- `facts`, `figures`, `fields`, `derived`: what tools and the user said, the numbers in it, what a reader computes.
- `belonging`, `counting`, `counts`, `labels`: whether a number is told of what it counts, under its own name.
- `states`, `listings`, `absence`: whether things have a state, are in a list, or are there at all.
- `comparisons`, `contrasts`, `naming`, `doings`: what is compared, mixed up, called by a name, and said to be done.
"""
