//! The table, and what becomes of a suite whose input is absent.

use super::prepared::without_recordings;
use super::suite::{Extra, Suite};
use super::table::SUITES;
use super::{Choice, names};
use crate::bundles::Bundle;
use crate::tally::Outcome;
use crate::traces::OptionalInput;

#[test]
fn names_are_unique() {
    let mut seen: Vec<_> = names().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), SUITES.len());
}

#[test]
fn a_suite_runs_behind_its_feature_and_shares_what_the_tests_before_it_have_built() {
    let args = |name| SUITES.iter().find(|suite| suite.name == name).unwrap().cargo_args().join(" ");
    assert_eq!(
        args("crash"),
        "test --workspace --features throughline-cli/integration --test crash -- --nocapture"
    );
    assert_eq!(
        args("replay-all"),
        "test --release -p throughline-cli --features throughline-cli/integration --test replay -- --nocapture"
    );
}

#[test]
fn a_suite_that_fetches_much_runs_by_name_and_with_all() {
    let runs = |choice: Choice<'_>, name| SUITES.iter().any(|suite| suite.name == name && choice.has(suite));
    let of = |name| [Choice::Usual, Choice::All, Choice::Named("agents")].map(|choice| runs(choice, name));
    assert_eq!(of("agents"), [false, true, true]);
    assert_eq!(of("wire"), [true, true, false]);
}

#[test]
fn what_a_suite_fetches_has_names_of_its_own() {
    let extras = |suite: &'static Suite| {
        suite.extras.iter().filter_map(|extra| match extra {
            Extra::Fetched(_, bundle) => Some(bundle),
            Extra::Input(_) => None,
        })
    };
    let mut bundles: Vec<_> = SUITES
        .iter()
        .flat_map(|suite| suite.bundles.iter().chain(suite.peers).chain(extras(suite)))
        .collect();
    bundles.sort_by_key(|bundle| (bundle.name, bundle.variable));
    bundles.dedup_by_key(|bundle| (bundle.name, bundle.variable));
    for (at, bundle) in bundles.iter().enumerate() {
        assert!(!bundle.packages.is_empty(), "{bundle:?}");
        let same = |other: &&&Bundle| other.name == bundle.name || other.variable == bundle.variable;
        assert_eq!(bundles.iter().filter(same).count(), 1, "{at}: {bundle:?}");
    }
}

#[test]
fn absent_recordings_are_allowed_unless_the_variable_is_set() {
    for input in [OptionalInput::Traces, OptionalInput::Wire] {
        let allowed = |asked_for| match without_recordings(input, "none".to_owned(), asked_for) {
            Outcome::Skipped { allowed_because, .. } => allowed_because.is_some(),
            _ => false,
        };
        assert!(allowed(false));
        assert!(!allowed(true));
    }
}
