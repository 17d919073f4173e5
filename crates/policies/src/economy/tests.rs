//! The dial.

use super::{Economy, UnknownEconomy};

#[test]
fn the_dial_has_three_settings_by_name() {
    for economy in Economy::ALL {
        assert_eq!(economy.to_string().parse(), Ok(economy));
    }
    assert_eq!(Economy::default(), Economy::Faithful);
    let error = "cheap".parse::<Economy>().unwrap_err();
    assert_eq!(error, UnknownEconomy("cheap".to_owned()));
    assert!(error.to_string().ends_with("it is lean, balanced, faithful"), "{error}");
}

#[test]
fn each_step_towards_faithful_waits_longer() {
    for window in [32_000, 64_000, 100_000, 1_000_000] {
        let numbers =
            Economy::ALL.map(|economy| economy.pricing(window)).map(|own| (own.patience, own.overdue));
        assert!(numbers.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{numbers:?}");
    }
}

#[test]
fn a_large_window_waits_for_half_as_long() {
    let patience = |window| Economy::Faithful.pricing(window).patience;
    assert_eq!((patience(32_000), patience(64_000)), (4.0, 4.0));
    assert_eq!((patience(128_000), patience(1_000_000)), (2.0, 2.0));
}
