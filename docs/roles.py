"""Docstrings name things by Sphinx's roles; on these pages the name alone is enough."""

import re
from typing import Any


def on_page_content(html: str, **_: Any) -> str:
    """Drop the role before a name."""
    return re.sub(r":(?:attr|class|data|func|meth|mod):(<code>)~?", r"\1", html)
