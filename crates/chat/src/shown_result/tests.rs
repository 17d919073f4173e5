//! Results in the words for the user.

use super::shown_result;

#[test]
fn a_command_in_the_background_says_only_that() {
    let moved = "one\n[the user moved this command to the background: it runs on as job 2. shell_output shows what it writes next]";
    assert_eq!(shown_result("shell", moved, false), "one\nin the background as job 2");
    let started = "Started as job 1. shell_output shows what it writes, shell_stop ends it.";
    assert_eq!(shown_result("shell", started, false), "in the background as job 1");
    assert_eq!(shown_result("shell", "one\ntwo\n", false), "one\ntwo\n");
}

#[test]
fn where_exact_bytes_are_is_for_the_model() {
    let note = "[Some bytes are no UTF-8 text. The exact bytes are stored: ref_id=\"r1\".]";
    let whole = format!("caf\u{fffd}\n[exit status: 0]\n{note}");
    assert_eq!(shown_result("shell", &whole, false), "caf\u{fffd}\n[exit status: 0]");
}
