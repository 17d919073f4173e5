//! Levels of effort, as typed and as shown.

use throughline_wire::Effort;

use super::*;

#[test]
fn levels_and_numbers_are_understood_and_others_named() {
    assert_eq!(parsed("high").unwrap(), Some(24_576));
    assert_eq!((parsed("off").unwrap(), parsed("0").unwrap()), (Some(0), Some(0)));
    assert_eq!(parsed("default").unwrap(), None);
    assert_eq!(parsed("10,000").unwrap(), Some(10_000));
    let error = parsed("huge").unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no effort \"huge\"; there are: off, low, medium, high, default or a number of tokens"
    );
    assert_eq!(shown(Some(1_024)), "low, up to 1,024 tokens of thinking");
    assert_eq!((shown(None).as_str(), shown(Some(0)).as_str()), ("the provider's default", "off"));
    assert_eq!(shown(Some(5)), "up to 5 tokens of thinking");
}

#[test]
fn a_model_that_takes_levels_gets_the_one_that_was_named() {
    for (name, thinking) in LEVELS.into_iter().filter(|(name, _)| !["off", "default"].contains(name)) {
        let effort = thinking.and_then(Effort::of_budget).map(Effort::name);
        assert_eq!(effort, Some(name));
    }
}
