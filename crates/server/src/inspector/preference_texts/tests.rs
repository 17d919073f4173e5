//! Every setting that the inspector lists has its meaning, and no other one.

use std::collections::BTreeSet;

use throughline_settings::resolve;

use super::super::preferences::is_preference;
use super::TEXTS;

#[test]
fn every_setting_of_context_management_has_a_meaning() {
    let settings = resolve([], true).unwrap();
    let listed: BTreeSet<&str> =
        settings.shown().into_iter().map(|(key, ..)| key).filter(|key| is_preference(key)).collect();
    let explained: BTreeSet<&str> = TEXTS.iter().map(|(key, _)| *key).collect();
    assert_eq!(explained, listed);
}
