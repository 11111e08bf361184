"""Strategies: a function for each, made from the catalog."""

from . import _catalogs

globals().update(_catalogs.functions("strategies"))
__all__ = sorted(_catalogs.functions("strategies"))


def catalog() -> list[dict[str, object]]:
    """The catalog, as the command `haggle strategies --json` prints it.

    >>> import haggle as hg
    >>> len(hg.strategies.catalog()) > 10
    True
    """
    return _catalogs.entries("strategies")
