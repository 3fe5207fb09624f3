"""What is evaluated: the seam that every target has, and the targets that are not ADK agents."""
