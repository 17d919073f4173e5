//! Marks in ASCII.

use super::in_ascii;
use crate::line::Line;

#[test]
fn marks_become_ascii_and_code_stays() {
    let shown = |text: &str| in_ascii(Line::plain(text)).text();
    assert_eq!(shown("  ✓ read a.rs  +1 −2 · 3s"), "  ok read a.rs  +1 -2 - 3s");
    assert_eq!(shown("━━╍╍──┿─"), "==~~--+-");
    assert_eq!(shown("日本 ⋯ 3 lines"), "日本 ... 3 lines");
    let code = Line::plain("a → b").whole();
    assert_eq!(in_ascii(code.clone()), code);
}
