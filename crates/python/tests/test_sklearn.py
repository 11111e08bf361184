"""The transformer in pipelines, and the checks that scikit-learn has for estimators."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

import haggle as hg
from haggle.sklearn import Anonymizer

# What scikit-learn expects of numbers, and why it does not apply.
EXCEPTIONS: dict[str, str] = {}


def frame(rows=200, seed=0):
    random = np.random.default_rng(seed)
    return pd.DataFrame({"age": random.integers(20, 60, rows), "sex": random.choice(["m", "f"], rows)})


def test_rows_keep_their_order_and_failing_ones_become_stars():
    data = frame()
    model = Anonymizer(k=10, hierarchies={"age": hg.intervals(10, 20)}, max_suppressed="10%")
    out = model.set_output(transform="pandas").fit_transform(data)
    assert list(out.columns) == ["age", "sex"] and len(out) == len(data)
    for (age, sex), row in zip(data.itertuples(index=False), out.itertuples(index=False)):
        if row.age != "*":
            low, _, high = row.age.partition("-")
            assert int(low) <= age <= int(high or low)
        if row.sex != "*":
            assert row.sex == sex
    sizes = out[out["age"] != "*"].groupby(["age", "sex"]).size()
    assert (sizes >= 10).all()


def test_it_works_in_a_pipeline():
    data = frame()
    target = data["age"] > 40
    pipeline = make_pipeline(
        Anonymizer(k=5, hierarchies={"age": hg.intervals(5, 10, 20)}),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        DecisionTreeClassifier(),
    )
    assert pipeline.fit(data, target).score(data, target) > 0.7


def test_unseen_values_become_stars():
    model = Anonymizer(k=5).fit(frame())
    out = model.transform(pd.DataFrame({"age": [30, 999], "sex": ["m", "x"]}))
    assert out.shape == (2, 2) and list(out[1]) == ["*", "*"]


@pytest.mark.parametrize("encode", ["ordinal"])
def test_scikit_learn_checks_it(encode):
    failed = {}
    for estimator, check in estimator_checks_generator(Anonymizer(k=2, max_suppressed="100%", encode=encode)):
        name = check.func.__name__
        try:
            check(estimator)
        except Exception as error:
            if type(error).__name__ not in ("SkipTest", "Skipped"):
                failed[name] = f"{type(error).__name__}: {str(error)[:200]}"
    unexpected = {name: why for name, why in failed.items() if name not in EXCEPTIONS}
    assert unexpected == {}
