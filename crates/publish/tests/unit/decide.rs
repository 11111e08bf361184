//! Tables of a hundred records, of which one may fall below k = 5.

use haggle_api::DropReason::{
    NearlyUnique, NearlyUniqueJointly, NearlyUniqueTogether, NotInPolicy, Shadow,
};
use haggle_api::Treatment::{Dropped, Generalized, Unchanged};
use haggle_assess::column_counts::Profiler;
use haggle_inference::shadows::HiddenFields;
use haggle_model::{Hierarchy, Role, Silent};
use haggle_project::Project;

use super::super::subject::KeepRank;
use super::{
    ColumnAccount, ColumnPlan, Decision, DropReason, Hidden, KeptBy, ProfileLayout, Standing,
    TableColumn, Treatment, decide,
};

/// A column that the project lists.
fn column(name: &str, standing: Standing) -> TableColumn {
    let role = match standing {
        Standing::Negotiated(_) | Standing::NotNegotiated => Role::QuasiIdentifier,
        Standing::Sensitive | Standing::Separate => Role::Sensitive,
        Standing::Identifier => Role::Identifier,
        Standing::Person | Standing::Other => Role::Insensitive,
    };
    TableColumn {
        name: name.into(),
        role,
        listed: true,
        standing,
        as_recorded: false,
        rank: KeepRank::Unnamed,
        is_readable: true,
    }
}

fn age() -> TableColumn {
    column("age", Standing::Negotiated(0))
}

fn sensitive(name: &str) -> TableColumn {
    column(name, Standing::Sensitive)
}

fn other(name: &str) -> TableColumn {
    column(name, Standing::Other)
}

/// A column that is named to be published as recorded.
fn named(column: TableColumn) -> TableColumn {
    TableColumn { as_recorded: true, ..column }
}

fn unlisted(name: &str) -> TableColumn {
    TableColumn { listed: false, ..other(name) }
}

/// The layout of records that consist of these columns, and perhaps more fields after them.
fn layout(subjects: &[TableColumn]) -> ProfileLayout {
    let columns = subjects.len();
    let is_negotiated =
        |column: &usize| matches!(subjects[*column].standing, Standing::Negotiated(_));
    ProfileLayout {
        free: (0..columns).filter(|&column| subjects[column].is_free()).collect(),
        negotiated: (0..columns).filter(is_negotiated).collect(),
        ..ProfileLayout::of_columns(columns, Vec::new(), 1 << 30)
    }
}

/// The layout where less is published of an attribute than was recorded.
fn hiding(subjects: &[TableColumn], published: Option<usize>, recorded: usize) -> ProfileLayout {
    let hidden = vec![HiddenFields { published, recorded }];
    let sampled = (0..subjects.len().max(recorded + 1)).collect();
    ProfileLayout { sampled, hidden, ..layout(subjects) }
}

/// Ages from 20 to 39 with their decades.
fn ages() -> Hierarchy {
    let path = |age: u32| [age.to_string(), format!("{}0s", age / 10)];
    Hierarchy::from_paths("age", (20..40).map(path)).unwrap()
}

/// What becomes of the columns of a hundred records, given by their numbers.
fn decided<const N: usize>(
    subjects: &[TableColumn],
    layout: &ProfileLayout,
    hidden: Vec<Hidden<'_>>,
    record: impl Fn(u32) -> [String; N],
) -> ColumnPlan {
    fixed(subjects, layout, hidden, None, record)
}

/// What becomes of the columns where a policy may fix them.
fn fixed<const N: usize>(
    subjects: &[TableColumn],
    layout: &ProfileLayout,
    hidden: Vec<Hidden<'_>>,
    fixed: Option<&[String]>,
    record: impl Fn(u32) -> [String; N],
) -> ColumnPlan {
    let mut counted = Profiler::counted(layout);
    for number in 0..100 {
        counted.add(&record(number).each_ref().map(String::as_str), 1);
    }
    decide(&Decision {
        subjects,
        layout,
        tally: &counted.tally,
        hidden,
        is_mapped: &|name| name == "mapped",
        k: 5,
        max_below_k: Project::MAX_BELOW_K,
        max_below_k_jointly: Project::MAX_BELOW_K_JOINTLY,
        fixed,
        progress: &Silent,
    })
}

/// What becomes of the columns where nothing is hidden.
fn plan<const N: usize>(
    subjects: &[TableColumn],
    record: impl Fn(u32) -> [String; N],
) -> ColumnPlan {
    decided(subjects, &layout(subjects), Vec::new(), record)
}

fn account<'p>(plan: &'p ColumnPlan, name: &str) -> &'p ColumnAccount {
    plan.columns.iter().find(|column| column.name == name).unwrap()
}

/// What becomes of a column, and why.
fn fate(plan: &ColumnPlan, name: &str) -> (Treatment, Option<DropReason>) {
    let account = account(plan, name);
    (account.treatment, account.reason)
}

fn explanation<'p>(plan: &'p ColumnPlan, name: &str) -> &'p str {
    account(plan, name).explanation.as_deref().unwrap()
}

#[test]
fn roles_decide_whatever_the_values_are() {
    for (subject, expected) in [
        (column("c", Standing::Negotiated(0)), (Generalized, None)),
        (column("c", Standing::Sensitive), (Unchanged, None)),
        (other("c"), (Unchanged, None)),
        (column("c", Standing::Identifier), (Dropped, Some(DropReason::Identifier))),
        (column("c", Standing::Person), (Dropped, Some(DropReason::Person))),
        (column("c", Standing::NotNegotiated), (Dropped, Some(DropReason::NotNegotiated))),
        (column("c", Standing::Separate), (Dropped, Some(DropReason::Separate))),
        (TableColumn { is_readable: false, ..other("c") }, (Dropped, Some(DropReason::Unreadable))),
    ] {
        let standing = subject.standing;
        let plan = plan(&[subject], |_| ["same".into()]);
        assert_eq!(fate(&plan, "c"), expected, "{standing:?}");
    }
    let mapped = plan(&[column("mapped", Standing::Sensitive)], |_| ["same".into()]);
    assert_eq!(fate(&mapped, "mapped"), (Generalized, None), "it is shown at a level");
}

#[test]
fn a_column_is_dropped_if_more_than_one_per_cent_share_a_value_with_too_few() {
    for (rare, sharing, expected) in [
        (1, 1, (Unchanged, None)),
        (2, 1, (Dropped, Some(NearlyUnique))),
        (4, 4, (Dropped, Some(NearlyUnique))),
        (5, 5, (Unchanged, None)),
    ] {
        let record = |number: u32| {
            [if number < rare { (number / sharing).to_string() } else { "frequent".into() }]
        };
        let plan = plan(&[other("ward")], record);
        assert_eq!(fate(&plan, "ward"), expected, "{rare} records, {sharing} alike");
    }
}

#[test]
fn a_dropped_column_says_how_many_records_it_singles_out() {
    let plan = plan(&[other("ward")], |number| [number.min(3).to_string()]);
    let ward = account(&plan, "ward");
    assert_eq!((ward.unique, ward.below_k, plan.max_below_k), (3, 3, 1));
    assert!(explanation(&plan, "ward").contains("3 of 100 records"), "{ward:?}");
}

#[test]
fn of_columns_that_single_people_out_only_together_one_is_dropped_whatever_their_order() {
    let record = |number: u32| [number / 10, number % 10, 0].map(|field| field.to_string());
    for subjects in [["a", "b", "c"], ["b", "a", "c"]] {
        let plan = plan(&subjects.map(other), record);
        assert_eq!(fate(&plan, "a"), (Unchanged, None), "names decide where counts are equal");
        assert_eq!(fate(&plan, "b"), (Dropped, Some(NearlyUniqueTogether)));
        assert_eq!(fate(&plan, "c"), (Unchanged, None), "what is dropped does not count");
        assert!(explanation(&plan, "b").contains("100 of 100 records"));
        assert_eq!(account(&plan, "b").kept_by, Some(KeptBy::Keep));
    }
}

#[test]
fn what_the_project_wants_or_the_request_names_is_kept_first() {
    let record = |number: u32| [number / 10, number % 10].map(|field| field.to_string());
    let ranked = |name, rank| TableColumn { rank, ..other(name) };
    for (subjects, kept) in [
        ([other("a"), ranked("b", KeepRank::Asked)], "b"),
        ([ranked("a", KeepRank::Asked), ranked("b", KeepRank::Wanted(0))], "b"),
        ([ranked("a", KeepRank::Wanted(1)), ranked("b", KeepRank::Wanted(0))], "b"),
        ([ranked("a", KeepRank::Wanted(0)), ranked("b", KeepRank::Wanted(1))], "a"),
    ] {
        let plan = plan(&subjects, record);
        assert_eq!(plan.named(Unchanged), [kept], "{subjects:?}");
    }
}

#[test]
fn a_column_that_singles_people_out_together_with_quasi_identifiers_is_dropped() {
    // Five of a hundred records may; each day has five records, one of each age.
    let subjects = [age(), other("day"), other("result")];
    let record = |number: u32| [number % 5, number / 5, number / 50].map(|field| field.to_string());
    let plan = plan(&subjects, record);
    assert_eq!(fate(&plan, "day"), (Dropped, Some(NearlyUniqueJointly)));
    assert_eq!(fate(&plan, "result"), (Unchanged, None));
    let jointly = |name| (account(&plan, name).below_k_jointly, account(&plan, name).kept_by);
    assert_eq!(jointly("day"), (Some(100), Some(KeptBy::AsRecorded)));
    assert_eq!(jointly("result"), (Some(0), None));
    assert_eq!((plan.max_below_k_jointly, plan.below_k_jointly), (5, 0));
    assert!(explanation(&plan, "day").contains("quasi-identifiers"), "{plan:?}");
}

#[test]
fn five_per_cent_may_be_singled_out_together_with_quasi_identifiers() {
    for (rare, expected) in [(2, (Unchanged, None)), (3, (Dropped, Some(NearlyUniqueJointly)))] {
        // A third of the records has each age: 3, 2 or 3, and 20 of these have the rare result.
        let record = |number: u32| {
            let (age, nth) = (number % 3, number / 3);
            [age.to_string(), (nth < [3, rare, 20][age as usize]).to_string()]
        };
        let plan = plan(&[age(), other("result")], record);
        assert_eq!(fate(&plan, "result"), expected, "{plan:?}");
        assert_eq!(account(&plan, "result").below_k_jointly, Some(u64::from(3 + rare)));
    }
}

#[test]
fn a_named_column_stays_whatever_it_costs_and_takes_no_other_with_it() {
    let subjects = [other("ward"), named(other("number"))];
    let plan = plan(&subjects, |number| [(number / 10).to_string(), number.to_string()]);
    assert_eq!(fate(&plan, "number"), (Unchanged, Some(NearlyUnique)));
    assert_eq!(fate(&plan, "ward"), (Unchanged, None));
    assert_eq!(plan.as_recorded(), ["number"]);
    assert!(plan.notes.len() == 1 && plan.notes[0].contains("'number'"), "{:?}", plan.notes);
}

#[test]
fn a_quasi_identifier_that_is_not_negotiated_is_published_only_if_it_is_named() {
    let zip = named(column("zip", Standing::NotNegotiated));
    let plan = plan(&[zip], |_| ["10115".into()]);
    assert_eq!(fate(&plan, "zip"), (Unchanged, Some(DropReason::NotNegotiated)));
    assert!(account(&plan, "zip").as_recorded);
}

#[test]
fn a_column_that_determines_a_finer_value_than_is_published_is_dropped() {
    let ages = ages();
    let subjects = [age(), other("born"), other("ward")];
    // The recorded age comes after the columns.
    let layout = hiding(&subjects, Some(0), 3);
    let hidden = vec![Hidden { name: "age", hierarchy: Some(&ages) }];
    let plan = decided(&subjects, &layout, hidden, |number| {
        let age = 20 + number / 5;
        let born = format!("born {}", 2000 - age);
        [format!("{}0s", age / 10), born, (number % 2).to_string(), age.to_string()]
    });
    assert_eq!(fate(&plan, "born"), (Dropped, Some(Shadow)));
    assert!(explanation(&plan, "born").contains("age"));
    assert_eq!(fate(&plan, "ward"), (Unchanged, None));
}

#[test]
fn a_column_that_determines_a_dropped_quasi_identifier_is_dropped() {
    let subjects = [column("zip", Standing::NotNegotiated), other("town")];
    let layout = hiding(&subjects, None, 0);
    let hidden = vec![Hidden { name: "zip", hierarchy: None }];
    let plan = decided(&subjects, &layout, hidden, |number| {
        [(number / 10).to_string(), format!("town {}", number / 10)]
    });
    assert_eq!(fate(&plan, "town"), (Dropped, Some(Shadow)));
    assert!(explanation(&plan, "town").contains("zip"));
}

/// What becomes of a ward and a bed that give the exact age, of which nothing is published.
fn beds(subjects: &[TableColumn]) -> ColumnPlan {
    let ages = ages();
    let layout = hiding(subjects, Some(0), 3);
    let hidden = vec![Hidden { name: "age", hierarchy: Some(&ages) }];
    decided(subjects, &layout, hidden, |number| {
        let age = 20 + number / 5;
        let (ward, bed) = (format!("w{}", age / 4), format!("b{}", age % 4));
        ["*".into(), ward, bed, age.to_string()]
    })
}

#[test]
fn of_columns_that_determine_a_finer_value_only_together_one_is_dropped() {
    let plan = beds(&[age(), other("ward"), other("bed")]);
    assert_eq!(fate(&plan, "bed"), (Unchanged, None));
    assert_eq!(fate(&plan, "ward"), (Dropped, Some(Shadow)));
    let why = "together with bed it determines a finer value of age than is published";
    assert_eq!(explanation(&plan, "ward"), why);
    assert_eq!(account(&plan, "ward").kept_by, Some(KeptBy::Keep));
    let with_sensitive = beds(&[age(), other("ward"), sensitive("bed")]);
    assert_eq!(fate(&with_sensitive, "ward"), (Dropped, Some(Shadow)), "the other one stays");
}

#[test]
fn sensitive_columns_that_determine_a_finer_value_stay_with_a_warning() {
    let plan = beds(&[age(), sensitive("ward"), sensitive("bed")]);
    assert_eq!(fate(&plan, "ward"), (Unchanged, None));
    assert_eq!(fate(&plan, "bed"), (Unchanged, None));
    let warning = "'bed' (sensitive) and 'ward' (sensitive) together determine a finer value of age \
                   than is published, for 100.0 % of the records.";
    assert_eq!(plan.notes, [warning]);
}

#[test]
fn numbers_that_add_up_to_a_generalized_attribute_are_warned_of_though_each_is_unique() {
    let ages = ages();
    let subjects = [age(), sensitive("diagnosed"), sensitive("years since")];
    let layout = hiding(&subjects, Some(0), 3);
    let hidden = vec![Hidden { name: "age", hierarchy: Some(&ages) }];
    let plan = decided(&subjects, &layout, hidden, |number| {
        let (age, since) = (f64::from(20 + number % 20), f64::from(number * 37 % 101) / 7.0);
        ["*".into(), format!("{}", age - since), format!("{since}"), format!("{age}")]
    });
    let found = plan.notes.iter().any(|note| {
        note.starts_with("'diagnosed' (sensitive) and 'years since' (sensitive) together determine")
    });
    assert!(found, "{:?}", plan.notes);
}

#[test]
fn a_policy_fixes_which_columns_are_published() {
    let subjects = [other("ward"), other("shoe")];
    let names = ["ward".to_owned()];
    let constant = |_: u32| [String::from("same"), String::from("same")];
    let plan = fixed(&subjects, &layout(&subjects), Vec::new(), Some(&names), constant);
    assert_eq!(fate(&plan, "ward"), (Unchanged, None));
    assert_eq!(fate(&plan, "shoe"), (Dropped, Some(NotInPolicy)));
}

#[test]
fn a_column_that_is_named_like_an_identifier_must_be_listed() {
    let constant = |_: u32| [String::from("same")];
    let found = plan(&[unlisted("patient_id")], constant);
    assert_eq!(fate(&found, "patient_id"), (Dropped, Some(DropReason::NamedLikeIdentifier)));
    assert_eq!(fate(&plan(&[other("patient_id")], constant), "patient_id"), (Unchanged, None));
}

#[test]
fn the_curator_is_warned_of_dates_and_of_sensitive_values_that_single_people_out() {
    let date = |number: u32| [format!("2024-01-0{}", 1 + number % 5)];
    for (subject, warned) in [(unlisted("seen"), true), (other("seen"), false)] {
        let plan = plan(&[subject], date);
        assert_eq!(fate(&plan, "seen"), (Unchanged, None));
        assert_eq!(plan.notes.iter().any(|note| note.contains("'seen'")), warned);
    }
    let plan = plan(&[column("disease", Standing::Sensitive)], |number| [number.to_string()]);
    assert_eq!(fate(&plan, "disease"), (Unchanged, None), "it is what the data is for");
    assert!(plan.notes[0].contains("'disease' is sensitive"), "{:?}", plan.notes);
}

#[test]
fn a_column_with_too_many_values_to_be_checked_is_dropped() {
    let subjects = [other("ward")];
    let mut layout = layout(&subjects);
    layout.limits.distinct = 3;
    let record = |number: u32| [(number / 10).to_string()];
    let plan = decided(&subjects, &layout, Vec::new(), record);
    assert_eq!(fate(&plan, "ward"), (Dropped, Some(NearlyUnique)));
    assert!(explanation(&plan, "ward").contains("memory"));
}

#[test]
fn where_persons_are_counted_many_records_of_few_persons_are_no_crowd() {
    let subjects = [other("ward")];
    // Each ward has ten records, of two persons.
    let record = |number: u32| [(number / 10).to_string(), (number / 5).to_string()];
    let records = decided(&subjects, &layout(&subjects), Vec::new(), record);
    assert_eq!(fate(&records, "ward"), (Unchanged, None));
    let of_persons = ProfileLayout { person: Some(1), ..layout(&subjects) };
    let persons = decided(&subjects, &of_persons, Vec::new(), record);
    assert_eq!(fate(&persons, "ward"), (Dropped, Some(NearlyUnique)));
    assert_eq!(account(&persons, "ward").below_k, 100);
}
