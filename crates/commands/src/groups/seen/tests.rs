//! Tests of how turns are named.

use std::collections::BTreeSet;

use throughline_conversation::ExchangeId;

use super::named;

#[test]
fn turns_are_named_in_runs() {
    let named = |turns: &[u64]| named(&turns.iter().copied().map(ExchangeId).collect::<BTreeSet<_>>());
    assert_eq!(named(&[4]), "turn 4");
    assert_eq!(named(&[4, 5]), "turns 4 and 5");
    assert_eq!(named(&[1, 2, 3, 4, 6, 8, 9, 10]), "turns 1 to 4, 6 and 8 to 10");
}
