//! The durability that a builder opens its storage with.

use super::*;
use crate::Throughline;

#[test]
fn the_durability_of_the_caller_wins_over_that_of_the_settings() {
    let chosen = Throughline::builder().durability(Durability::Full).storage;
    assert_eq!(chosen.durability(Durability::Normal), Durability::Full);
    let by_settings = Throughline::builder().storage;
    assert_eq!(by_settings.durability(Durability::Full), Durability::Full);
    assert_eq!(by_settings.durability(Durability::Normal), Durability::Normal);
}
