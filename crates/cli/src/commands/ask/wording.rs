//! An answer in words, for a person who wants to act on it.

use std::fmt::Write;
use std::path::Path;

use haggle::catalog::Value;
use haggle::reports::{AttributesOffer, Obtained, PartialKnown, PrivacyOffer};
use haggle::search::SearchState;
use haggle::{Answer, Ask, Engine, Offer, Offers, Privacy};

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
        match (&answer.exact, &answer.relaxations) {
            (Some(offer), _) => {
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
            }
            (None, Some(offers)) => {
                let known = answer.obtained.as_ref().is_none_or(|o| o.proven || o.impossible);
                let some = answer.obtained.as_ref().is_some_and(|o| o.partial.is_some());
                let none = match (known, some) {
                    (true, _) => "No scheme does all of that",
                    (_, true) => "No annotated scheme does all of that",
                    _ => "No scheme that does all of that was found in this time",
                };
                match (offers.is_empty(), answer.is_stopped()) {
                    (true, true) => writeln!(text, "{none}, and no relaxation was found yet.")?,
                    (true, false) => nothing(&mut text, offers)?,
                    (false, _) => {
                        writeln!(text, "{none}. What could be relaxed:")?;
                        self.offers(&mut text, offers)?;
                    }
                }
            }
            (None, None) => {}
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
        let limit = self.ask.max_suppressed.unwrap_or(haggle::Amount::ZERO);
        let records = self.engine.records();
        let caps = self.caps();
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

    /// The maximum levels as `--levels` takes them.
    fn caps(&self) -> String {
        let top = self.engine.top().levels().iter();
        let caps: Vec<u8> = match &self.ask.levels {
            Some(haggle::Levels::InOrder(levels)) => levels.clone(),
            Some(haggle::Levels::ByName(caps)) => {
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

    fn offers(&self, text: &mut String, offers: &Offers) -> anyhow::Result<()> {
        let caps = self.caps();
        let limit = self.limit();
        let suppression = offers.suppression.as_ref().map(|offer| {
            let allowed = self.ask.max_suppressed.unwrap_or(haggle::Amount::ZERO);
            let more = offer.suppressed - allowed.of(self.engine.records());
            let title = format!("Suppress {} more", counted(more, "record"));
            (title, offer, self.accept(None, &caps, &offer.suppressed.to_string()))
        });
        self.relaxation(
            text,
            "Suppress more records",
            suppression,
            offers.suppression_reason.as_ref(),
        )?;
        let height = offers.height.as_ref().map(|offer| {
            let levels: Vec<u8> = offer.scheme.levels().iter().map(|&level| level.into()).collect();
            let title = format!("Generalize further ({})", beyond(offer, &caps));
            (title, offer, self.accept(None, &join(&levels), &limit))
        });
        self.relaxation(text, "Generalize further", height, offers.height_reason.as_ref())?;
        for each in &offers.privacy_each {
            self.settle(text, each, offers.privacy_each.len() > 1, &caps)?;
        }
        for found in &offers.attribute {
            let accept = self.publish(&found.offer, &limit)?;
            let offer = (format!("Leave out {}", found.attribute), &found.offer, accept);
            self.relaxation(text, "", Some(offer), None)?;
        }
        if let Some(reason) = &offers.attribute_reason {
            writeln!(text, "\nLeave out an attribute: not offered; {reason}.")?;
        }
        self.sets(text, &offers.attributes)
    }

    /// Sets of attributes to leave out: the first few, and how many more there are.
    fn sets(&self, text: &mut String, sets: &[AttributesOffer]) -> anyhow::Result<()> {
        for found in sets.iter().take(SETS_SHOWN) {
            let accept = self.publish(&found.offer, &self.limit())?;
            let title = format!("Leave out {}", found.attributes.join(" and "));
            self.relaxation(text, "", Some((title, &found.offer, accept)), None)?;
        }
        if sets.len() > SETS_SHOWN {
            let more = counted((sets.len() - SETS_SHOWN) as u64, "set");
            writeln!(text, "\n{more} of attributes more could be left out; --json lists all.")?;
        }
        Ok(())
    }

    /// How far one number would have to be relaxed; of which model, where there are several.
    fn settle(
        &self,
        text: &mut String,
        each: &PrivacyOffer,
        several: bool,
        caps: &str,
    ) -> anyhow::Result<()> {
        let of = if several { format!(" of {}", each.model) } else { String::new() };
        let title = format!("Settle for less {}{of}", each.parameter);
        let title = if several { title } else { "Settle for less privacy".into() };
        let offer = each.offer.as_ref().zip(each.value).map(|(offer, value)| {
            let offered = (each.position, each.parameter, value);
            let title = format!("Settle for {} = {value}{of}", each.parameter);
            (title, offer, self.accept(Some(offered), caps, &self.limit()))
        });
        self.relaxation(text, &title, offer, each.reason.as_ref())
    }

    /// One relaxation with the command that accepts it, or why there is none.
    fn relaxation(
        &self,
        text: &mut String,
        title: &str,
        offer: Option<(String, &Offer, String)>,
        reason: Option<&String>,
    ) -> anyhow::Result<()> {
        match offer {
            Some((title, offer, accept)) => {
                let (cost, scheme) = (self.cost(offer), self.scheme(offer)?);
                write!(text, "\n{title}: {cost}.\n{scheme}    {accept}\n")?;
            }
            None => {
                writeln!(text, "\n{title}: not offered; {}.", reason.map_or("", String::as_str))?;
            }
        }
        Ok(())
    }

    fn limit(&self) -> String {
        self.ask.max_suppressed.unwrap_or(haggle::Amount::ZERO).to_string()
    }

    /// The command that publishes exactly this scheme: maximum levels could not keep an attribute
    /// out. From a lattice alone nothing can be published, but the scheme can be studied.
    fn publish(&self, offer: &Offer, limit: &str) -> anyhow::Result<String> {
        let levels: Vec<u8> = offer.scheme.levels().iter().map(|&level| level.into()).collect();
        let scheme = format!("--scheme {}", join(&levels));
        if Path::new(&self.args.project).extension().is_some_and(|e| e == "lattice") {
            let asked = self.thresholds(&self.ask.privacy, false);
            return Ok(format!("{} {asked} {scheme}", self.args.command("why")));
        }
        let weaker = !self.engine.weakened(self.ask)?.is_empty();
        let asked = self.thresholds(&self.ask.privacy, weaker);
        let command = self.args.command("publish");
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

    /// The command that accepts a relaxation, with one number of one model replaced if that is
    /// relaxed.
    fn accept(&self, offered: Option<(usize, &str, f64)>, levels: &str, limit: &str) -> String {
        let asked = self.ask.privacy.iter().enumerate().map(|(i, asked)| match offered {
            Some((position, parameter, value)) if position == i => asked.with(parameter, value),
            _ => asked.clone(),
        });
        let asked = self.thresholds(&asked.collect::<Vec<_>>(), false);
        let optimize = self.ask.optimize.as_ref();
        let optimize = optimize
            .map_or(String::new(), |o| format!(" --optimize {}", shell_word(&o.to_string())));
        let asked = format!("{asked}{optimize}");
        format!("{} {asked} --levels {levels} --max-suppressed {limit}", self.args.command("ask"))
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
fn nothing(text: &mut String, offers: &Offers) -> anyhow::Result<()> {
    text.push_str("No, and no single relaxation would be enough:\n\n");
    let reasons = [
        ("suppression", &offers.suppression_reason),
        ("levels", &offers.height_reason),
        ("privacy", &offers.privacy_reason),
        ("attributes", &offers.attribute_reason),
    ];
    let rows = reasons.map(|(what, why)| vec![format!("{what}: {}", why.as_deref().unwrap_or(""))]);
    write!(text, "{}", table(&rows))?;
    Ok(())
}
