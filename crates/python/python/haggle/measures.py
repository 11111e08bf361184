"""Loss measures: a function for each, made from the catalog."""

from . import _catalogs

globals().update(_catalogs.functions("measures"))
__all__ = sorted(_catalogs.functions("measures"))


def catalog() -> list[dict[str, object]]:
    """The catalog, as the command `haggle measures --json` prints it.

    >>> import haggle as hg
    >>> len(hg.measures.catalog()) > 10
    True
    """
    return _catalogs.entries("measures")
