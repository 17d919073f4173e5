//! Tests of what is said of a terminal.

use super::look;
use crate::finding::Verdict;

#[test]
fn a_terminal_that_cannot_draw_is_named_with_its_fix() {
    let wide = Some((120, 40));
    let good = look(true, Some("xterm-256color"), Some("en_US.UTF-8"), wide);
    assert_eq!((good.verdict, good.text.as_str()), (Verdict::Good, "xterm-256color, 120×40, UTF-8"));
    for (kind, locale, size, word) in [
        (Some("dumb"), Some("C.utf8"), wide, "TERM"),
        (None, Some("C.utf8"), wide, "TERM"),
        (Some("xterm"), Some("C"), wide, "LC_ALL"),
        (Some("xterm"), None, wide, "LC_ALL"),
        (Some("xterm"), Some("C.UTF-8"), Some((40, 20)), "columns"),
    ] {
        let found = look(true, kind, locale, size);
        assert_eq!(found.verdict, Verdict::Note, "{found:?}");
        assert!(found.fix.as_ref().is_some_and(|fix| fix.contains(word)), "{found:?}");
    }
    assert_eq!(look(false, None, None, None).verdict, Verdict::Good);
}
