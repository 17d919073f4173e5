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
    let numbers = Economy::ALL.map(|economy| (economy.pricing().patience, economy.pricing().overdue));
    assert!(numbers.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{numbers:?}");
}
