"""The stubs and the documentation of what is made from the catalogs, and of everything public."""

import inspect
from pathlib import Path

import pytest

import haggle as hg
from haggle import _catalogs


@pytest.mark.parametrize("catalog", ["models", "measures", "strategies"])
def test_the_stubs_are_those_of_the_catalogs(catalog):
    written = (Path(hg.__file__).parent / f"{catalog}.pyi").read_text()
    assert written == _catalogs.stub(catalog), "run make python-stubs"


def test_everything_public_is_documented():
    for name in hg.__all__:
        thing = getattr(hg, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert (thing.__doc__ or "").strip(), name
            for method, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not method.startswith("_") and callable(value):
                    assert (value.__doc__ or "").strip(), f"{name}.{method}"


def test_the_package_is_typed():
    assert (Path(hg.__file__).parent / "py.typed").exists()
