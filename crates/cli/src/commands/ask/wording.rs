//! An answer in words, for a person who wants to act on it.

use std::fmt::Write;
use std::path::Path;

use haggle::catalog::Value;
use haggle::reports::{Obtained, PartialKnown};
use haggle::search::SearchState;
use haggle::{
    AcceptableRelaxation, Amount, Answer, Ask, Engine, Levels, Offer, Privacy, Relaxation,
    RelaxationKind, Relaxations,
};

use super::within_range::within_range;
use crate::args::ProjectArgs;
use crate::text::{
    account, counted, loss, percent, shell_word, short, table, thousands, thresholds, time,
};

/// How many sets of attributes to leave out are printed; all are in the JSON.
const SETS_SHOWN: usize = 3;

/// "height 14 found; none below 9 exists", or "lm 0.4120 found; none below 0.3770 exists"
pub(super) fn closing_words(closing: &SearchState, measure: Option<&str>) -> String {
    let number = |number: f64| match measure {
        Some(_) => loss(number),
        None => number.to_string(),
    };
    let what = measure.unwrap_or("height");
    let found = closing.found.map(|found| format!("{what} {} found", number(found)));
    let found = found.unwrap_or("nothing found yet".into());
    if closing.none_below > 0.0 {
        format!("{found}; none below {} exists", number(closing.none_below))
    } else {
        format!("{found}; nothing is proved of the others yet")
    }
}

/// A model as arguments take it.
fn argument(privacy: &Privacy) -> String {
    let short = [("k-anonymity", "--k"), ("distinct-l-diversity", "--l")];
    let short = short.into_iter().find(|(model, _)| *model == privacy.model);
    match (short, privacy.parameters.iter().next(), &privacy.on) {
        (Some((_, flag)), Some((_, Value::Number(value))), None) => format!("{flag} {value}"),
        _ => format!("--privacy {}", shell_word(&privacy.to_string())),
    }
}

/// Puts an answer into words for a person who wants to act on it.
pub(crate) struct AnswerWording<'a> {
    pub(crate) args: &'a ProjectArgs,
    pub(crate) engine: &'a Engine,
    pub(crate) ask: &'a Ask,
}

impl AnswerWording<'_> {
    pub(crate) fn text(&self, answer: &Answer) -> anyhow::Result<String> {
        let asked = match &answer.range {
            Some(_) => self.asked_for(&answer.asked.privacy_words()),
            None => self.asked(),
        };
        let mut text = format!("Asked: {asked}.\n{}\n", account(&answer.account));
        if let Some(offer) = &answer.exact {
            write!(text, "Yes: {}.\n\n{}", self.cost(offer), self.scheme(offer)?)?;
            for (place, next) in answer.runners_up.iter().enumerate() {
                write!(
                    text,
                    "{}{}. {}",
                    if place == 0 { "\n" } else { "" },
                    place + 2,
                    self.cost(next)
                )?;
                text += ".\n";
            }
        } else {
            let known = answer.obtained.as_ref().is_none_or(|o| o.proven || o.impossible);
            let some = answer.obtained.as_ref().is_some_and(|o| o.partial.is_some());
            let none = match (known, some) {
                (true, _) => "No scheme does all of that",
                (_, true) => "No annotated scheme does all of that",
                _ => "No scheme that does all of that was found in this time",
            };
            let relaxations = &answer.relaxations;
            match (answer.is_no(), relaxations.iter().any(Relaxation::is_possible)) {
                (true, _) => nothing(&mut text, relaxations)?,
                (false, false) => writeln!(text, "{none}, and no relaxation was found yet.")?,
                (false, true) => {
                    writeln!(text, "{none}. What could be relaxed:")?;
                    self.relaxations(&mut text, relaxations)?;
                }
            }
        }
        for model in &answer.approximate {
            writeln!(
                text,
                "\n{model} is approximate: too many categories overlap, so a group passes only if a bound does."
            )?;
        }
        if let Some(range) = &answer.range {
            text += &within_range(range);
        }
        match &answer.obtained {
            Some(obtained) => writeln!(text, "\n{}", self.obtained(obtained, answer))?,
            None => writeln!(
                text,
                "\n{} looked at in {}.",
                counted(answer.visited, "scheme"),
                time(answer.micros)
            )?,
        }
        Ok(text)
    }

    /// How an answer was obtained where not every scheme is annotated, and what is proved of it.
    fn obtained(&self, obtained: &Obtained, answer: &Answer) -> String {
        if let Some(partial) = &obtained.partial {
            return partly(partial, answer);
        }
        let schemes = self
            .engine
            .cube()
            .space()
            .size()
            .map_or("very many".into(), |schemes| thousands(schemes as u64));
        let made = counted(obtained.annotated, "scheme");
        let how = format!("{made} of {schemes} annotated on demand in {}", time(answer.micros));
        let Some(exact) = &answer.exact else {
            return match (obtained.proven, obtained.impossible) {
                (true, _) => format!("{how}; proven: no scheme does all of that."),
                (_, true) => format!(
                    "{how}, then stopped; proven: no scheme does all of that, but there may be \
                     better compromises."
                ),
                _ => format!("{how}, then stopped: there may be one. Raise --time-limit."),
            };
        };
        if obtained.proven {
            return format!("{how}; proven: there is nothing better.");
        }
        let by_loss = exact.loss.iter().next();
        let closing = SearchState {
            found: by_loss.map(|(_, loss)| *loss).or(Some(exact.height.into())),
            none_below: match obtained.none_below {
                Some(height) => height.into(),
                None => obtained.no_loss_below.unwrap_or(f64::NEG_INFINITY),
            },
            stopped: true,
        };
        let measure = by_loss.map(|(measure, _)| measure.as_str());
        format!("{how}, then stopped: {}.", closing_words(&closing, measure))
    }

    /// What was asked, as one clause.
    pub(crate) fn asked(&self) -> String {
        self.asked_for(&self.ask.privacy_words())
    }

    fn asked_for(&self, privacy: &str) -> String {
        let limit = self.ask.max_suppressed.unwrap_or(Amount::ZERO);
        let records = self.engine.records();
        let caps = self.caps(self.ask);
        let levels = if caps == *self.engine.top().to_string().trim_matches(['[', ']']) {
            "any level".to_owned()
        } else {
            format!("levels at most [{caps}]")
        };
        format!(
            "{privacy}, at most {} of {} records suppressed, {levels} ({})",
            thousands(limit.of(records)),
            thousands(records),
            self.engine.attributes().join(", ")
        )
    }

    /// The maximum levels of a request as `--levels` takes them.
    fn caps(&self, ask: &Ask) -> String {
        let top = self.engine.top().levels().iter();
        let caps: Vec<u8> = match &ask.levels {
            Some(Levels::InOrder(levels)) => levels.clone(),
            Some(Levels::ByName(caps)) => {
                let names = self.engine.attributes();
                let cap = |(name, &top): (&str, &haggle::Level)| {
                    caps.get(name).copied().unwrap_or(top.into())
                };
                names.into_iter().zip(top).map(cap).collect()
            }
            None => top.map(|&level| level.into()).collect(),
        };
        join(&caps)
    }

    /// What a scheme is and costs, and what it attains, as one clause.
    fn cost(&self, offer: &Offer) -> String {
        let lost = match offer.suppressed {
            0 => "suppresses no record".to_owned(),
            n => format!(
                "suppresses {} ({})",
                counted(n, "record"),
                percent(n, self.engine.records())
            ),
        };
        let attained = thresholds(&offer.attained);
        let by_measure: String = offer
            .loss
            .iter()
            .map(|(name, loss)| {
                let error = offer.loss_error.get(name);
                let error = error.map_or(String::new(), |error| format!(" ± {error:.6}"));
                format!(", {name} {loss:.6}{error}")
            })
            .collect();
        format!(
            "scheme {}, height {}{by_measure}, {lost} and attains {attained}",
            offer.scheme, offer.height
        )
    }

    /// What a value of each attribute looks like.
    fn scheme(&self, offer: &Offer) -> anyhow::Result<String> {
        let row = |example: haggle::reports::Example| {
            let (recorded, general) = (short(&example.recorded), short(&example.generalized));
            let looks = match (example.level, example.level == example.top) {
                (0, _) => format!("{recorded} stays as recorded"),
                (_, true) => format!("{recorded} becomes {general} (says nothing)"),
                _ => format!("{recorded} becomes {general}"),
            };
            let name = short(&example.attribute);
            format!("  {name:<16} level {} of {}   {looks}\n", example.level, example.top)
        };
        Ok(self.engine.examples(&offer.scheme)?.into_iter().map(row).collect())
    }

    /// Writes every relaxation, but of sets of attributes only the first few.
    fn relaxations(&self, text: &mut String, relaxations: &Relaxations) -> anyhow::Result<()> {
        let of_kind = |kind: RelaxationKind| relaxations.iter().filter(move |one| one.kind == kind);
        let several = of_kind(RelaxationKind::Privacy).count() > 1;
        let others = relaxations.iter().filter(|one| one.kind != RelaxationKind::Attributes);
        for relaxation in others.chain(of_kind(RelaxationKind::Attributes).take(SETS_SHOWN)) {
            self.relaxation(text, relaxation, several)?;
        }
        let more = of_kind(RelaxationKind::Attributes).skip(SETS_SHOWN).count() as u64;
        if more > 0 {
            let more = counted(more, "set");
            writeln!(text, "\n{more} of attributes more could be left out; --json lists all.")?;
        }
        Ok(())
    }

    /// Writes one relaxation with the command that accepts it, or why there is none. A weaker number
    /// is named with its model where there are `several`.
    fn relaxation(
        &self,
        text: &mut String,
        relaxation: &Relaxation,
        several: bool,
    ) -> anyhow::Result<()> {
        let model = relaxation.model.as_deref().filter(|_| several);
        let of = model.map_or(String::new(), |model| format!(" of {model}"));
        let Ok(AcceptableRelaxation { offer, accept, .. }) = relaxation.to_acceptable() else {
            let reason = relaxation.reason.as_deref().unwrap_or_default();
            writeln!(text, "\n{}: not offered; {reason}.", impossible(relaxation, &of))?;
            return Ok(());
        };
        let (title, cost) = (self.possible(relaxation, &offer, &of), self.cost(&offer));
        let command = match relaxation.kind {
            RelaxationKind::Attribute | RelaxationKind::Attributes => self.publish(&offer)?,
            _ => self.accept(relaxation, &accept)?,
        };
        write!(text, "\n{title}: {cost}.\n{}    {command}\n", self.scheme(&offer)?)?;
        Ok(())
    }

    /// Returns what a relaxation changes.
    fn possible(&self, relaxation: &Relaxation, offer: &Offer, of: &str) -> String {
        match relaxation.kind {
            RelaxationKind::Suppression => {
                let allowed = self.ask.max_suppressed.unwrap_or(Amount::ZERO);
                let more = offer.suppressed - allowed.of(self.engine.records());
                format!("Suppress {} more", counted(more, "record"))
            }
            RelaxationKind::Height => {
                format!("Generalize further ({})", beyond(offer, &self.caps(self.ask)))
            }
            RelaxationKind::Privacy => {
                let (name, value) = (relaxation.parameter, relaxation.value);
                let value = value.map_or(String::new(), |value| value.to_string());
                format!("Settle for {} = {value}{of}", name.unwrap_or_default())
            }
            _ => format!("Leave out {}", relaxation.without.join(" and ")),
        }
    }

    fn limit(&self) -> String {
        self.ask.max_suppressed.unwrap_or(Amount::ZERO).to_string()
    }

    /// The command that publishes exactly this scheme: maximum levels could not keep an attribute
    /// out. From a lattice alone nothing can be published, but the scheme can be studied.
    fn publish(&self, offer: &Offer) -> anyhow::Result<String> {
        let levels: Vec<u8> = offer.scheme.levels().iter().map(|&level| level.into()).collect();
        let scheme = format!("--scheme {}", join(&levels));
        if Path::new(&self.args.project).extension().is_some_and(|e| e == "lattice") {
            let asked = self.thresholds(&self.ask.privacy, false);
            return Ok(format!("{} {asked} {scheme}", self.args.command("why")));
        }
        let weaker = !self.engine.weakened(self.ask)?.is_empty();
        let asked = self.thresholds(&self.ask.privacy, weaker);
        let (command, limit) = (self.args.command("publish"), self.limit());
        Ok(format!("{command} {asked} {scheme} --max-suppressed {limit} -o FILE"))
    }

    /// Thresholds as arguments, with `--only` where the project's others would be added to them or
    /// where they are `weaker` than a command takes without it.
    fn thresholds(&self, privacy: &[Privacy], weaker: bool) -> String {
        let ask = Ask { privacy: privacy.to_vec(), only: false, ..Ask::default() };
        let added = self.engine.with_other_thresholds(&ask).privacy.len() > privacy.len();
        let only = if added || weaker { " --only" } else { "" };
        let asked: Vec<String> = privacy.iter().map(argument).collect();
        format!("{}{only}", asked.join(" "))
    }

    /// Returns the command that asks the request which accepts a relaxation. What is not relaxed is
    /// written as it was typed.
    fn accept(&self, relaxation: &Relaxation, accept: &Ask) -> anyhow::Result<String> {
        let asked = self.engine.asked(self.ask)?;
        let weaker = relaxation.parameter.zip(relaxation.value);
        let thresholds = self.ask.privacy.iter().zip(asked.privacy.iter().zip(&accept.privacy));
        let thresholds = thresholds.map(|(typed, (asked, accepted))| match weaker {
            Some((parameter, value)) if accepted != asked => typed.with(parameter, value),
            _ => typed.clone(),
        });
        let thresholds = self.thresholds(&thresholds.collect::<Vec<_>>(), false);
        let optimize = accept.optimize.as_ref().map(|o| shell_word(&o.to_string()));
        let optimize = optimize.map_or(String::new(), |o| format!(" --optimize {o}"));
        let limit = match accept.max_suppressed {
            Some(limit) if accept.max_suppressed != asked.max_suppressed => limit.to_string(),
            _ => self.limit(),
        };
        let (command, levels) = (self.args.command("ask"), self.caps(accept));
        Ok(format!("{command} {thresholds}{optimize} --levels {levels} --max-suppressed {limit}"))
    }
}

/// Returns what a relaxation would change if it made a scheme possible.
fn impossible(relaxation: &Relaxation, of: &str) -> String {
    match relaxation.kind {
        RelaxationKind::Suppression => "Suppress more records".into(),
        RelaxationKind::Height => "Generalize further".into(),
        RelaxationKind::Privacy if of.is_empty() => "Settle for less privacy".into(),
        RelaxationKind::Privacy => {
            format!("Settle for less {}{of}", relaxation.parameter.unwrap_or_default())
        }
        _ => "Leave out an attribute".into(),
    }
}

/// What an answer from a partial lattice means.
fn partly(partial: &PartialKnown, answer: &Answer) -> String {
    format!(
        "From a partial lattice: {} of {} annotated ({}% of each height by {}); {} looked at in {}.\n\
         That means: {}. `--full` annotates every scheme.",
        counted(partial.schemes as u64, "scheme"),
        thousands(partial.of as u64),
        partial.percent,
        partial.estimator,
        thousands(answer.visited),
        time(answer.micros),
        partial.meaning,
    )
}

/// "age 1 level more, race 2 levels more"
fn beyond(offer: &Offer, caps: &str) -> String {
    let cap = |cap: &str| cap.parse::<u8>().unwrap_or(u8::MAX);
    let climbs = offer.levels.iter().zip(caps.split(',')).filter_map(|((name, level), c)| {
        let more = level.saturating_sub(cap(c));
        (more > 0).then(|| format!("{name} {} more", counted(more.into(), "level")))
    });
    climbs.collect::<Vec<_>>().join(", ")
}

fn join(levels: &[u8]) -> String {
    levels.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// Says why nothing can be offered.
fn nothing(text: &mut String, relaxations: &Relaxations) -> anyhow::Result<()> {
    text.push_str("No, and no single relaxation would be enough:\n\n");
    let kinds = [
        (RelaxationKind::Suppression, "suppression"),
        (RelaxationKind::Height, "levels"),
        (RelaxationKind::Privacy, "privacy"),
        (RelaxationKind::Attribute, "attributes"),
    ];
    let rows = kinds.into_iter().filter_map(|(kind, what)| {
        let reason = relaxations.get(kind)?.reason.as_ref()?;
        Some(vec![format!("{what}: {reason}")])
    });
    write!(text, "{}", table(&rows.collect::<Vec<_>>()))?;
    Ok(())
}
