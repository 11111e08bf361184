//! Answers as pictures, with captions that say what was asked.

use haggle_api::{
    Answer, Ask, ComparedStrategy, Front, FrontPoint, HeightStudy, MeasureSpec, Offer, PairsFront,
    Privacy, Relaxation, RelaxationKind, SchemeHistogram,
};
use haggle_cube::{Lattice as _, Passing};
use haggle_engine::answer::resolve::{request_of, request_on};
use haggle_engine::{Engine, FrontAxes};
use haggle_loss::find as find_measure;
use haggle_model::numerals::{grouped, records};
use haggle_model::{Error, Scheme};
use haggle_plot::{self as plot, Bars, Caption, Lattice, MarkKind, Picture, Steps};
use haggle_privacy::{Parameter, find as find_model};
use haggle_search::study::suppressed;

/// More schemes than this cannot be distinguished on a page.
const MOST_SCHEMES: usize = 100_000;

/// Draws a front on the axes that were asked for.
pub fn picture_of_front(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    front: &Front,
    axes: FrontAxes,
) -> Result<Picture, Error> {
    let found = format!("{} points, none beaten by another", front.points.len());
    let drawn = empty_front(engine, ask, spec, &front.model, front.parameter, front.limit, &found)?;
    let points = front.points.iter().map(point).collect();
    let suppression = axes == FrontAxes::LossAndSuppression;
    Ok(Picture::Front(plot::Front { suppression, points, ..drawn }))
}

/// The picture of a front before its points are drawn.
pub(crate) fn empty_front(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    model: &str,
    parameter: &str,
    limit: u64,
    found: &str,
) -> Result<plot::Front, Error> {
    let ask = ask.or(engine.defaults());
    let measure = find_measure(&spec.measure);
    let range = measure.map_or("", |measure| measure.range);
    let title = measure.map_or(spec.measure.as_str(), |measure| measure.title);
    let written = spec.to_string();
    let weights = if spec.measure == written { String::new() } else { format!(" as {written}") };
    let (varying, limit) = (varying_words(&ask), limit_words(engine, limit));
    let asked = format!("{varying}{weights}; {limit}{}; {found}", level_words(engine, &ask)?);
    Ok(plot::Front {
        caption: Caption {
            title: format!("{model} against {title}"),
            asked: vec![asked, attribute_words(engine)],
        },
        parameter: parameter.into(),
        privacy: privacy_axis(model, parameter),
        loss: format!("loss, {range}"),
        second: "loss".into(),
        best: "the best for its threshold".into(),
        records: engine.records(),
        suppression: false,
        points: Vec::new(),
        missed: Vec::new(),
        chosen: None,
    })
}

/// A front of two models as a picture, the second model's threshold upwards.
pub fn picture_of_two(engine: &Engine, ask: &Ask, front: &PairsFront) -> Result<Picture, Error> {
    let ask = ask.or(engine.defaults());
    let point = |point: &haggle_api::PairPoint| plot::Point {
        threshold: point.thresholds[0],
        loss: point.thresholds[1],
        suppressed: point.suppressed,
        scheme: point.scheme.clone(),
        knee: false,
    };
    Ok(Picture::Front(plot::Front {
        caption: Caption {
            title: format!("{} against {}", front.models[0], front.models[1]),
            asked: vec![
                format!(
                    "{}; {} at most {}; {}{}; {} points, none beaten at both",
                    varying_words(&ask),
                    front.loss,
                    front.max_loss,
                    limit_words(engine, front.limit),
                    level_words(engine, &ask)?,
                    front.points.len()
                ),
                attribute_words(engine),
            ],
        },
        parameter: front.parameters[0].into(),
        privacy: privacy_axis(&front.models[0], front.parameters[0]),
        loss: short_axis(&front.models[1], front.parameters[1]),
        second: format!("{} =", front.parameters[1]),
        best: "no other is as strong in both".into(),
        records: engine.records(),
        suppression: false,
        points: front.points.iter().map(point).collect(),
        missed: Vec::new(),
        chosen: None,
    }))
}

/// A study of heights as a picture.
pub fn picture_of_study(
    engine: &Engine,
    ask: &Ask,
    heights: &[HeightStudy],
) -> Result<Picture, Error> {
    let ask = ask.or(engine.defaults());
    let height = |&HeightStudy { height, schemes, least, mean, most }: &HeightStudy| {
        plot::HeightBar { height, schemes, least, mean, most }
    };
    let schemes: u64 = heights.iter().map(|height| height.schemes).sum();
    let asked = format!(
        "{}{}; {} schemes",
        ask.privacy_words(),
        level_words(engine, &ask)?,
        grouped(schemes as f64, 0)
    );
    Ok(Picture::Bars(Bars {
        caption: Caption {
            title: "Records suppressed at each height".into(),
            asked: vec![asked, attribute_words(engine)],
        },
        records: engine.records(),
        heights: heights.iter().map(height).collect(),
    }))
}

/// A scheme's histogram as a picture: what each threshold suppresses.
pub fn picture_of_histogram(
    engine: &Engine,
    ask: &Ask,
    scheme: &Scheme,
    histogram: &SchemeHistogram,
) -> Result<Picture, Error> {
    let ask = ask.or(engine.defaults());
    let (judged, criteria) = engine.judged(&ask)?;
    let cost = suppressed(&judged.lattice, scheme, &judged.requirements)?;
    let asked = criteria.first().map(|criterion| (criterion.numbers[0].value, cost));
    let groups = grouped(histogram.groups as f64, 0);
    Ok(Picture::Steps(Steps {
        caption: Caption {
            title: format!("Records suppressed under scheme {scheme} by each threshold"),
            asked: vec![
                format!("{}; {groups} groups", ask.privacy_words()),
                attribute_words(engine),
            ],
        },
        parameter: histogram.parameter.into(),
        privacy: privacy_axis(histogram.model, histogram.parameter),
        records: engine.records(),
        steps: histogram.bins.iter().map(|bin| (bin.value, bin.weaker)).collect(),
        asked,
    }))
}

/// The lattice as a picture, with the answer to a request.
pub fn picture_of_lattice(engine: &Engine, ask: &Ask, answer: &Answer) -> Result<Picture, Error> {
    let ask = ask.or(engine.defaults());
    let (judged, _) = engine.judged(&ask)?;
    let request = request_of(&ask, &judged)?;
    let space = judged.lattice.space();
    let size = space.size().filter(|&size| size <= MOST_SCHEMES).ok_or_else(|| {
        let what = format!("a lattice of more than {MOST_SCHEMES} schemes cannot be drawn");
        Error::new(what, "choose fewer quasi-identifiers")
    })?;
    let cost = |index: usize| {
        let scheme = space.scheme(index);
        let cost = suppressed(&judged.lattice, &scheme, &request.requirements)?;
        Ok((scheme, cost))
    };
    let schemes = (0..size).map(cost).collect::<Result<Vec<_>, Error>>()?;
    let limit = limit_words(engine, request.limit);
    Ok(Picture::Lattice(Lattice {
        caption: Caption {
            title: format!("The {} schemes and the records they suppress", grouped(size as f64, 0)),
            asked: vec![
                format!("{}, {limit}{}", ask.privacy_words(), level_words(engine, &ask)?),
                attribute_words(engine),
            ],
        },
        records: engine.records(),
        limit: request.limit,
        caps: request.caps,
        schemes,
        offers: offers(engine, answer),
    }))
}

/// A comparison as a picture.
pub fn picture_of_comparison(
    engine: &Engine,
    ask: &Ask,
    comparison: &haggle_api::Comparison,
) -> Result<Picture, Error> {
    let ask = ask.or(engine.defaults());
    let measure = comparison.measures.first().cloned().unwrap_or_default();
    let bar = |one: &ComparedStrategy| plot::Bar {
        name: one.title.clone(),
        value: one.loss.get(&measure).copied(),
        note: outcome_words(one, comparison.records),
    };
    let title = format!("{measure} by strategy");
    let asked = vec![
        format!(
            "{}; {}{}",
            ask.privacy_words(),
            limit_words(engine, comparison.limit),
            level_words(engine, &ask)?
        ),
        attribute_words(engine),
    ];
    Ok(Picture::Compared(plot::Compared {
        caption: Caption { title, asked },
        bars: comparison.strategies.iter().map(bar).collect(),
        measure,
    }))
}

fn offers(engine: &Engine, answer: &Answer) -> Vec<plot::Offer> {
    let offer = |kind: MarkKind, words: &str, offer: &Offer| {
        let suppressed = records(offer.suppressed, engine.records());
        let words = format!("{words}: {}, {suppressed} suppressed", offer.scheme);
        plot::Offer { kind, scheme: offer.scheme.clone(), words }
    };
    let mut offers: Vec<plot::Offer> =
        answer.exact.iter().map(|exact| offer(MarkKind::Answer, "answer", exact)).collect();
    let without = [RelaxationKind::Attribute, RelaxationKind::Attributes];
    let without = without.into_iter().find(|&kind| answer.relaxations.offer(kind).is_some());
    let kinds = [RelaxationKind::Suppression, RelaxationKind::Privacy, RelaxationKind::Height];
    for relaxation in kinds.into_iter().chain(without).filter_map(|k| answer.relaxations.get(k)) {
        let (kind, words) = mark(relaxation);
        offers.extend(relaxation.offer.iter().map(|o| offer(kind, &words, o)));
    }
    offers
}

/// The mark of a relaxation and its words.
fn mark(relaxation: &Relaxation) -> (MarkKind, String) {
    match relaxation.kind {
        RelaxationKind::Suppression => (MarkKind::Suppression, "if more are suppressed".into()),
        RelaxationKind::Height => (MarkKind::Height, "if levels rise".into()),
        RelaxationKind::Privacy => {
            let value = relaxation.value.map_or(String::new(), |value| format!(" = {value}"));
            let words = format!("if {}{value}", relaxation.parameter.unwrap_or_default());
            (MarkKind::Privacy, words)
        }
        _ => (MarkKind::Attribute, format!("without {}", relaxation.without.join(" and "))),
    }
}

pub(crate) fn attribute_words(engine: &Engine) -> String {
    format!("quasi-identifiers: {}", engine.attributes().join(", "))
}

pub(crate) fn limit_words(engine: &Engine, limit: u64) -> String {
    let all = grouped(engine.records() as f64, 0);
    format!("at most {} of {all} records suppressed", grouped(limit as f64, 0))
}

/// "; levels at most [2,1,1]", if there is a maximum.
pub(crate) fn level_words(engine: &Engine, ask: &Ask) -> Result<String, Error> {
    let caps = request_on(ask, engine.cube(), Vec::new(), Vec::new())?.caps;
    Ok(if caps == *engine.top() { String::new() } else { format!("; levels at most {caps}") })
}

/// The model whose first number varies, with its other parameters.
fn varying_words(ask: &Ask) -> String {
    let one = |privacy: &Privacy| {
        let first = find_model(&privacy.model).map_or("", |model| model.threshold().name);
        let others = privacy.parameters.iter();
        let others = others.filter(|(name, _)| !name.is_empty() && *name != first);
        let others: String = others.map(|(name, value)| format!(", {name} = {value}")).collect();
        let on = privacy.on.as_ref().map_or(String::new(), |on| format!(" on {on}"));
        format!("{} with every {first}{others}{on}", privacy.model)
    };
    ask.privacy.iter().map(one).collect::<Vec<_>>().join(" and ")
}

pub(crate) fn point(point: &FrontPoint) -> plot::Point {
    plot::Point {
        threshold: point.threshold,
        loss: point.loss,
        suppressed: point.suppressed,
        scheme: point.scheme.clone(),
        knee: point.knee,
    }
}

/// What a threshold is called and means, with the side that is safer.
fn privacy_axis(model: &str, parameter: &str) -> String {
    let Some(found) = parameter_of(model, parameter) else { return parameter.to_owned() };
    format!("{parameter}: {} ({} is safer)", found.meaning, safer(found))
}

/// What a threshold is called, with the side that is safer, for an axis with little room.
fn short_axis(model: &str, parameter: &str) -> String {
    let Some(found) = parameter_of(model, parameter) else { return parameter.to_owned() };
    format!("{parameter} of {model} ({} is safer)", safer(found))
}

fn parameter_of(model: &str, parameter: &str) -> Option<&'static Parameter> {
    let model = find_model(model.split(':').next().unwrap_or_default())?;
    model.parameters.iter().find(|found| found.name == parameter)
}

fn safer(parameter: &Parameter) -> &'static str {
    match parameter.negotiated {
        Some(Passing::AtMost | Passing::Below) => "smaller",
        _ => "larger",
    }
}

/// Formats what a strategy found: "boxes, 1,204 groups, none suppressed", or why there is nothing.
fn outcome_words(one: &ComparedStrategy, all: u64) -> String {
    let Some(suppressed) = one.suppressed else {
        let why = one.reason.clone().or_else(|| Some(format!("failed: {}", one.error.as_ref()?)));
        return why.unwrap_or_default();
    };
    let suppressed = match suppressed {
        0 => "none suppressed".into(),
        some => format!("{} suppressed", records(some, all)),
    };
    let stopped = if one.stopped { ", stopped by the time limit" } else { "" };
    format!("{}, {suppressed}{stopped}", one.found.as_deref().unwrap_or_default())
}
