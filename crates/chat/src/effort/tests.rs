//! Levels of effort, as typed and as shown.

use super::*;

#[test]
fn levels_and_numbers_are_understood_and_others_named() {
    assert_eq!(parsed("high").unwrap(), Some(24_576));
    assert_eq!((parsed("off").unwrap(), parsed("0").unwrap()), (None, None));
    assert_eq!(parsed("10,000").unwrap(), Some(10_000));
    let error = parsed("huge").unwrap_err().to_string();
    assert_eq!(error, "there is no effort \"huge\"; there are: off, low, medium, high or a number of tokens");
    assert_eq!(shown(Some(2_048)), "low, up to 2,048 tokens of thinking");
    assert_eq!((shown(None), shown(Some(5))), ("off".to_owned(), "up to 5 tokens of thinking".to_owned()));
}
