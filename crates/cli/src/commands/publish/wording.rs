//! What was published, in words.

use haggle::publishing::{Differing, EarlierPublication, PublishedAnatomy, SingleValued, Together};
use haggle::{Account, PublicationReport};

use crate::columns;
use crate::text::{counted, percent, thousands, thresholds};

/// How many earlier publications are named.
const LISTED: usize = 3;

/// What was applied: `[1,1,0]`, or `1,204 boxes by mondrian`.
fn under(report: &PublicationReport) -> String {
    if let Some(scheme) = &report.scheme {
        return scheme.to_string();
    }
    let by = report.strategy.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    let kind = match report.recoding {
        "parts" => "levels by part",
        "boxes" if report.tight => "tight boxes",
        kind => kind,
    };
    format!("{kind}{by} ({})", counted(report.groups, "group"))
}

/// What happened to suppressed records that were to be kept with stars.
fn stars(report: &PublicationReport) -> String {
    if report.starred > 0 {
        return format!(
            "{} with * in every quasi-identifier: suppressed, and proved as a group of their own.\n",
            counted(report.starred, "record")
        );
    }
    if report.stars_failed.is_empty() {
        return String::new();
    }
    format!(
        "Note: the suppressed records were dropped, not kept with *: as a group of their own they \
         fail {}.\n",
        report.stars_failed.join(", ")
    )
}

/// What the curator should know before the file is shared.
fn warnings(report: &PublicationReport) -> String {
    let mut text = String::new();
    for SingleValued { attribute, groups, records, .. } in &report.single_valued {
        text += &format!(
            "Warning: {} ({}) with a single value of {attribute}: a person who is known to be in such a \
             group is known to have it. Ask for diversity as well, such as --l 2.\n",
            counted(*groups, "group"),
            counted(*records, "record"),
        );
    }
    if report.tight {
        text += "Warning: the boxes are tight: each names the smallest and the largest recorded value \
                 of its records, which may be those of one person. Leave out tight unless the file \
                 is for research among people who may see the records.\n";
    }
    if report.formulas > 0 {
        let what = counted(report.formulas, "field");
        text += &if report.spreadsheet_safe {
            format!("{what} that spreadsheets take for formulas: written with a ' before them.\n")
        } else {
            format!(
                "Note: {what} that spreadsheets take for formulas; --spreadsheet-safe writes a ' \
                 before them.\n"
            )
        };
    }
    text + &earlier(report)
}

/// What this and earlier publications reveal together, and what of it is not judged.
pub(super) fn together_words(together: &Together) -> String {
    let sentences = [joined_words(together), differing_words(&together.differing)];
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What joining publications reveals.
fn joined_words(together: &Together) -> String {
    let Together { checked, unchecked, unrelated, changed, below, unique, .. } = *together;
    let (on, over) = (together.joined_on.join(", "), together.over.join(", "));
    let mut sentences = Vec::new();
    if checked > 0 {
        let with = counted(checked, "earlier publication");
        let found = match below {
            0 => "no record falls".to_owned(),
            1 => "1 record falls".to_owned(),
            n => format!("{} records fall", thousands(n)),
        };
        let warning = if below > 0 { "Warning: " } else { "" };
        let unique = match (below, unique) {
            (0, _) => String::new(),
            (_, unique) => format!(" (unique: {})", thousands(unique)),
        };
        sentences.push(format!(
            "{warning}Joined with {with} on {on}: {found} below the promise{unique} over {over}."
        ));
    }
    if changed > 0 {
        let which = thousands(changed);
        sentences.push(format!(
            "The data may have changed since {which} of them: records that came later count as if they had \
             been published then."
        ));
    }
    if unchecked > 0 {
        let with = counted(unchecked, "earlier publication");
        sentences.push(format!("Not judged: what joining with {with} reveals."));
    }
    if unrelated > 0 {
        let which = counted(unrelated, "earlier publication");
        sentences.push(format!("No column in common with {which}."));
    }
    sentences.join(" ")
}

/// Where counts of groups differ by few records.
fn differing_words(differing: &Differing) -> String {
    let Differing { compared, not_compared, k, groups, .. } = *differing;
    let over = differing.over.join(", ");
    let by = match k {
        2 => "1 record".to_owned(),
        k => format!("1 to {} records", thousands(k - 1)),
    };
    let mut sentences = Vec::new();
    if groups > 0 {
        let from = differing.from.as_deref().unwrap_or_default();
        let differ = if groups == 1 { "differs" } else { "differ" };
        sentences.push(format!(
            "Warning: {} over {over} {differ} from {from} by {by}, or in sensitive values alone: whoever \
             has both can tell these records from the others.",
            counted(groups, "group")
        ));
    } else if compared > 0 {
        let over = if compared == 1 { over } else { "the quasi-identifiers in common".into() };
        let from = counted(compared, "earlier publication");
        sentences.push(format!("No group over {over} differs from {from} by {by}."));
    }
    if not_compared > 0 {
        let with = counted(not_compared, "earlier publication");
        sentences.push(format!("Not judged: where groups of {with} differ from these."));
    }
    sentences.join(" ")
}

/// Earlier publications, and whether this one was recorded.
fn earlier(report: &PublicationReport) -> String {
    let mut text = String::new();
    if !report.earlier.is_empty() {
        let one =
            |e: &EarlierPublication| format!("{} on {}", e.output, &e.time[..e.time.len().min(10)]);
        let last: Vec<String> = report.earlier.iter().rev().take(LISTED).map(one).collect();
        // The report lists the newest alone.
        let listed = report.earlier.len() as u64;
        let all = report.together.as_ref().map_or(listed, |together| together.earlier.max(listed));
        let more = all.saturating_sub(LISTED as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text += &format!(
            "{} of this table ({}{more}).\n",
            counted(all, "earlier publication"),
            last.join(", "),
        );
        text += &report.together.iter().map(together_words).collect::<String>();
        text += "\n";
    }
    if let Some(why) = &report.unrecorded {
        text += &format!("Note: this publication was not recorded: {why}.\n");
    }
    text
}

/// What happened to the records: `32,561 records in, 2,399 left out …`.
fn account(report: &PublicationReport) -> String {
    let Account { read, dropped, counted: complete, .. } = report.account;
    let dropped = match dropped {
        0 => String::new(),
        n => format!("{} left out because a value is missing, ", thousands(n)),
    };
    format!(
        "{} in, {dropped}{} suppressed ({}), {} out.\n",
        counted(read, "record"),
        thousands(report.suppressed()),
        percent(report.suppressed(), complete),
        thousands(report.records)
    )
}

/// What was published in two tables, and which columns are exact.
fn in_two_tables(report: &PublicationReport, anatomy: &PublishedAnatomy) -> String {
    format!(
        "Published {} and {}: {} in {} by anatomy; 0 records suppressed (0.00 %).\n\
         Proved from the written files, joined by {}: {} of {} (promised {}).\n\
         Published exactly, so that no k is promised: {}; {}.\n",
        report.output.display(),
        anatomy.sensitive.display(),
        counted(report.records, "record"),
        counted(report.groups, "group"),
        anatomy.group,
        thresholds(&report.attained),
        anatomy.attribute,
        thresholds(&report.promised),
        anatomy.exact.join(", "),
        report.whole().words(),
    )
}

/// Reports what was published and proved.
pub(super) fn words(report: &PublicationReport, chosen: &str, again: bool) -> String {
    let mut text = report
        .anatomy
        .as_ref()
        .map_or_else(|| in_one_table(report), |anatomy| in_two_tables(report, anatomy));
    text += chosen;
    if report.search_stopped {
        text += "The search was stopped by the time limit: there may be a better recoding.\n";
    }
    text += &further(report, again);
    text
}

/// What was published in one table.
fn in_one_table(report: &PublicationReport) -> String {
    format!(
        "Published {}: {} under {}; {} suppressed ({}).\n\
         Proved from the written {}: {} over {} (promised {}); {}.\n",
        report.output.display(),
        counted(report.records, "record"),
        under(report),
        counted(report.suppressed(), "record"),
        percent(report.suppressed(), report.account.counted),
        if report.manifest.is_some() { "file" } else { "table" },
        thresholds(&report.attained),
        report.promise_over.join(", "),
        thresholds(&report.promised),
        report.whole().words(),
    )
}

/// What became of records and columns, and what the curator should know.
fn further(report: &PublicationReport, again: bool) -> String {
    let mut text = account(report);
    text += &stars(report);
    text += &columns::summary(report);
    if let Some(manifest) = &report.manifest {
        text += &format!("Public manifest: {}\n", manifest.display());
    }
    if let Some(private) = &report.private {
        text += &format!("Private manifest: {} (keep it secret)\n", private.display());
    }
    text += &warnings(report);
    if report.order == "kept" {
        text += "Warning: the records are in the order of the table. Two releases that keep it can be \
                 joined by row number, which gives back every record; publish without --keep-order.\n";
    }
    if again {
        text += "Warning: two releases about overlapping people reveal more together than each \
                 alone: a person who is in both can be found where the two groups meet. Publish \
                 only records of people who are not in the earlier release, or publish all of it anew.\n";
    }
    text
}
