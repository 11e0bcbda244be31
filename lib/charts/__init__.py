"""Charts in the house style, what they say in words, and the colours of charts and demos."""
