"""Privacy models: a function for each, made from the catalog."""

from . import _catalogs

globals().update(_catalogs.functions("models"))
__all__ = sorted(_catalogs.functions("models"))


def catalog() -> list[dict[str, object]]:
    """The catalog, as the command `haggle models --json` prints it.

    >>> import haggle as hg
    >>> len(hg.models.catalog()) > 10
    True
    """
    return _catalogs.entries("models")
