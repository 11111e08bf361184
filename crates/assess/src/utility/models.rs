//! Models that are trained with published values and tested with held-out records.

use haggle_api::{Amount, Ask, BeforeAfter, ModelScore, ModelsUtility, UtilityAsk};
use haggle_cube::{Base, CountedPart, Counter, Cube};
use haggle_inference::JointCounts;
use haggle_inference::utility::{CATALOG, Cases, Classifier, ENCODING, HoldOut, Score};
use haggle_model::{Error, Progress};

use super::published::PublishedRows;
use super::{as_recorded, classes};
use crate::examined::{criteria, examined};
use haggle_engine::Engine;

/// Why there are no models.
pub(super) enum NoModels {
    /// The table does not allow them.
    Because(String),
    /// Something failed.
    Error(Error),
}

impl From<Error> for NoModels {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// Holds out records, then chooses the recoding from the others, trains with their published values
/// and predicts the held-out records.
pub(super) fn models(
    engine: &Engine,
    joint: &JointCounts,
    request: &Ask,
    ask: &UtilityAsk,
    progress: &dyn Progress,
) -> Result<ModelsUtility, NoModels> {
    if engine.cube().unit().is_some() {
        let why = "persons have several records, which cannot be held out one by one";
        return Err(NoModels::Because(why.into()));
    }
    let (training, held_out) = HoldOut { share: ask.held_out, seed: ask.seed }.divide(joint);
    if training.records() == 0 || held_out.records() == 0 {
        let why = "there are too few records to hold some out";
        return Err(NoModels::Because(why.into()));
    }
    let part = engine.of_part(counted(engine, &training))?;
    let request = scaled(request, engine.records(), training.records());
    let criteria = criteria(&part, &request)?;
    let recoded = examined(&part, &request, &ask.choice()?, &criteria, progress);
    let recoded = recoded.map_err(|error| {
        if error.is_cancelled() {
            return error.into();
        }
        let why = "nothing meets the request without the held-out records";
        if ask.scheme.is_none() { NoModels::Because(why.into()) } else { error.into() }
    })?;
    let base = Base::of(engine.cube());
    let all = (engine.cube().attributes(), &base);
    let published = PublishedRows::of_part(&recoded, &criteria, all);
    let published = published.map_err(|_| {
        let why = "what becomes of a record depends on the others of its group, so held-out records \
                   cannot be recoded";
        NoModels::Because(why.into())
    })?;
    let classes = classes(&training);
    let (class, number) = (|value: u32| classes.class(value), classes.names.len());
    let original = as_recorded(engine);
    let before = HeldOutRecords {
        training: original.all_cases(&training, class, number),
        held_out: original.all_cases(&held_out, class, number),
    };
    let after = HeldOutRecords {
        training: published.kept_cases(&training, class, number),
        held_out: published.all_cases(&held_out, class, number),
    };
    Ok(ModelsUtility {
        chosen_without_held_out: ask.scheme.is_none(),
        training: training.records(),
        training_suppressed: training.records() - after.training.records(),
        held_out: held_out.records(),
        encoding: ENCODING,
        scores: CATALOG.iter().map(|predictor| score(predictor, &before, &after)).collect(),
        classes_are: classes.how.clone(),
        classes: classes.names,
        scheme: recoded.levels().cloned(),
    })
}

/// The training records as a cube, with every sensitive attribute that the table's cube watches.
fn counted(engine: &Engine, training: &JointCounts) -> Cube {
    let place = |name: &str| training.columns().iter().position(|column| column.name == name);
    let watched: Vec<usize> =
        engine.cube().sensitive().filter_map(|(_, watched)| place(&watched.name)).collect();
    let mut counter = Counter::new(training.attributes().len(), watched.len());
    let mut codes = Vec::new();
    for row in 0..training.len() {
        for value in training.values(row).iter().filter(|value| value.count > 0) {
            codes.clear();
            codes.extend_from_slice(training.codes(row));
            codes.extend(watched.iter().map(|&column| value.codes[column]));
            counter.add_many(&codes, value.count);
        }
    }
    let watched: Vec<_> = watched.iter().map(|&at| training.columns()[at].clone()).collect();
    let domains = training.attributes().iter().map(|a| a.hierarchy.len(0.into()));
    // Records without a sensitive value have the code after its last value.
    let values = watched.iter().map(|watched| watched.values.len() + 1);
    let recode = domains.chain(values).map(|size| (0..size as u32).collect()).collect();
    Cube::from_parts(training.attributes().to_vec(), watched, &[CountedPart { counter, recode }])
}

/// The request for a part of the records: a limit in records shrinks with them.
fn scaled(request: &Ask, all: u64, part: u64) -> Ask {
    let limit = request.max_suppressed.map(|limit| {
        let scaled = u128::from(limit.of(all)) * u128::from(part) / u128::from(all.max(1));
        Amount::Records(scaled as u64)
    });
    Ask { max_suppressed: limit, ..request.clone() }
}

/// Records to train and to test with.
struct HeldOutRecords {
    training: Cases,
    held_out: Cases,
}

impl HeldOutRecords {
    fn score(&self, predictor: &Classifier) -> Result<Score, String> {
        let predicted = (predictor.predict)(&self.training, &self.held_out)?;
        Score::compare(&self.held_out, &predicted).ok_or_else(|| "no record is held out".into())
    }
}

fn score(predictor: &Classifier, before: &HeldOutRecords, after: &HeldOutRecords) -> ModelScore {
    let both = before.score(predictor).and_then(|b| Ok((b, after.score(predictor)?)));
    let number = |of: fn(&Score) -> f64| {
        let pair = |(b, a): &(Score, Score)| BeforeAfter { before: of(b), after: of(a) };
        both.as_ref().ok().map(pair)
    };
    ModelScore {
        model: predictor.id,
        definition: predictor.definition,
        accuracy: number(|score| score.accuracy),
        balanced_accuracy: number(|score| score.balanced_accuracy),
        reason: both.err(),
    }
}
