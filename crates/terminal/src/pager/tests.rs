//! Rows of long lines.

use super::rows_of;

#[test]
fn long_lines_take_several_rows() {
    assert_eq!(rows_of("", 80), 0);
    assert_eq!(rows_of("one\n\ntwo\n", 80), 3);
    assert_eq!(rows_of(&"x".repeat(161), 80), 3);
    assert_eq!(rows_of("ééé", 1), 3);
}
