"""gfactor: a psychometric laboratory for multimodal LLMs.

An examinee answers the items of a bank under a condition; every answer becomes a response in a
journal; scoring turns responses into a score matrix; psychometrics turns matrices into models of
what was measured; reports show it. The packages are that sentence, in that order.
"""

__version__ = "0.2.0"
