//! Tests of expressions.

use super::is_allowed;

#[test]
fn one_choice_must_be_allowed_as_a_whole() {
    let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
    for expression in [
        "MIT",
        "MIT OR GPL-3.0",
        "GPL-3.0/MIT",
        "(MIT OR GPL-3.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_allowed(expression, &allowed), "{expression}");
    }
    for expression in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT)", "", "MIT OR", "MIT GPL-3.0", "mit"] {
        assert!(!is_allowed(expression, &allowed), "{expression}");
    }
}
