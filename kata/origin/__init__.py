"""Where a process comes from: what the kernel tells of it, whether an agent started it, whether a person can be behind it.

Both fences stand on it, the shell's and the API's (design 9.3). On Linux the kernel's table says who began whom; where there
is none, or it may not be read, nothing is said and nobody is doubted.
"""

from .doubt import Doubt, Doubts, Record
from .marks import MARKS, agent_mark
from .processes import PROC, Processes

__all__ = ["MARKS", "PROC", "Doubt", "Doubts", "Processes", "Record", "agent_mark"]
