//! Ids and names that need repair, and the law that different ids stay different.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::{wire_id, wire_name};

#[test]
fn what_fits_is_not_changed() {
    assert_eq!(wire_id("toolu_01A09q90qw90lq917835lq9"), "toolu_01A09q90qw90lq917835lq9");
    assert_eq!(wire_name("mcp__files__read-file"), "mcp__files__read-file");
}

#[test]
fn what_does_not_fit_is_made_fit() {
    assert_eq!(wire_id("functions.read:0"), "functions_read_0-5b4c7fc9f36ea68e");
    assert_eq!(wire_id("functions.read:1").len(), "functions_read_1-".len() + 16);
    assert_eq!(wire_id(&"a".repeat(41)).len(), 40);
    assert_eq!(wire_name("read file"), "read_file");
    assert_eq!(wire_name(&"ä".repeat(80)), "_".repeat(64));
    assert_eq!(wire_name(""), "_");
}

proptest! {
    #[test]
    fn different_ids_stay_different(a in "[a-c.:|é]{1,50}", b in "[a-c.:|é]{1,50}") {
        prop_assert_eq!(a == b, wire_id(&a) == wire_id(&b));
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        prop_assert!(wire_id(&a).len() <= 40 && wire_id(&a).bytes().all(plain));
        prop_assert_eq!(wire_id(&wire_id(&a)), wire_id(&a));
    }
}

#[test]
fn ids_have_the_form_that_a_server_takes() {
    use super::CallIdForm::{AsGiven, NineLetters, Plain};

    let kimi = "functions.read_file:0";
    assert_eq!(AsGiven.of(kimi), kimi);
    assert_ne!(Plain.of(kimi), kimi);
    assert_eq!(NineLetters.of("abcDEF123"), "abcDEF123");
    let made = [NineLetters.of("call_0fypS1hVX"), NineLetters.of("5d29aay-call_1"), NineLetters.of("")];
    assert!(made.iter().all(|id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())));
    assert_ne!(made[0], made[1]);
}
