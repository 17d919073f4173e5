//! An excerpt and its rule.

use super::*;

#[test]
fn an_excerpt_is_read_back() {
    assert_eq!(without_marks(&excerpt("never do this")), "never do this");
    assert_eq!(without_marks("[…] a text of the user"), "[…] a text of the user");
}
