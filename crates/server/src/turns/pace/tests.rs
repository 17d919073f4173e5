//! Tests of the wait of a client that was refused.

use super::TurnPace;

fn pace(took_ms: &[i64]) -> TurnPace {
    let mut pace = TurnPace::default();
    took_ms.iter().for_each(|ms| pace.took(*ms));
    pace
}

#[test]
fn the_wait_is_the_rest_of_what_half_of_the_turns_take() {
    let pace = pace(&[2_000, 30_000, 12_000]);
    assert_eq!(pace.wait(0), 12);
    assert_eq!(pace.wait(4_500), 8);
    assert_eq!(pace.wait(11_999), 1);
}

#[test]
fn an_unknown_wait_is_short_and_a_long_one_bounded() {
    assert_eq!(pace(&[]).wait(0), 5);
    assert_eq!(pace(&[1_000]).wait(90_000), 5, "it takes longer than most");
    assert_eq!(pace(&[600_000]).wait(0), 60);
}

#[test]
fn only_the_newest_turns_count() {
    let mut pace = pace(&[600_000; 40]);
    (0..32).for_each(|_| pace.took(3_000));
    assert_eq!(pace.wait(0), 3);
}
