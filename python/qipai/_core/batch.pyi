# Its classes serve the other compiled modules, which hand none of them out.
from typing_extensions import disjoint_base

@disjoint_base
class Rows:
    @property
    def n(self) -> int: ...

@disjoint_base
class Slice:
    def run(self) -> None: ...
