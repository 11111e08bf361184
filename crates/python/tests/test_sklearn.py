"""The transformer in pipelines, and the checks that scikit-learn has for estimators."""

from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

import haggle as hg
from haggle.sklearn import Anonymizer

# The checks of scikit-learn that fail, by encoding: they subtract outputs from each other to compare
# them, and labels are text. With numbers for labels, the same checks pass.
EXCEPTIONS = {
    "ordinal": set(),
    "label": {
        "check_estimators_pickle", "check_fit_idempotent", "check_methods_sample_order_invariance",
        "check_methods_subset_invariance", "check_pipeline_consistency", "check_transformer_data_not_an_array",
        "check_transformer_general",
    },
}
# Checks that scikit-learn itself leaves out where an environment variable is not set.
LEFT_OUT = {"check_array_api_input"}


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


@pytest.mark.parametrize("encode", EXCEPTIONS)
def test_scikit_learn_checks_it(encode):
    failed, left_out, passed = {}, set(), set()
    for estimator, check in estimator_checks_generator(Anonymizer(k=2, max_suppressed="100%", encode=encode)):
        name = check.func.__name__
        try:
            check(estimator)
            passed.add(name)
        except SkipTest:
            left_out.add(name)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {str(error)[:200]}"
    assert set(failed) == EXCEPTIONS[encode], failed
    assert all("'str' and 'str'" in why for why in failed.values()), failed
    assert left_out <= LEFT_OUT and len(passed) > 25


def test_output_has_the_form_that_was_asked_for():
    data = frame()
    model = Anonymizer(k=10, hierarchies={"age": hg.intervals(10, 20)}, max_suppressed="10%").fit(data)
    polars = model.set_output(transform="polars").transform(data)
    pandas = model.set_output(transform="pandas").transform(data)
    assert polars.columns == list(pandas.columns) == list(model.get_feature_names_out())
    assert polars.to_numpy().tolist() == pandas.to_numpy().tolist()
    assert pandas.index.equals(data.index)
