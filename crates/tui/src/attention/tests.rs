//! When the user is called back.

use std::time::Duration;

use super::Attention;
use crate::program_status::ProgramState::{Done, Idle, Permission, Question, Working};

const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(31);

#[test]
fn a_user_without_focus_on_the_terminal_is_called() {
    let auto = |to, worked, focused| Attention::Auto.call(Working, to, worked, focused);
    assert_eq!(auto(Done, SHORT, Some(true)), None);
    assert_eq!(auto(Done, SHORT, None), None);
    assert_eq!(auto(Done, SHORT, Some(false)), Some("Throughline has finished."));
    assert_eq!(auto(Done, LONG, None), Some("Throughline has finished."));
    assert_eq!(auto(Permission, LONG, Some(true)), Some("Throughline has a question."));
    assert_eq!(auto(Idle, LONG, Some(false)), None);
}

#[test]
fn the_setting_decides() {
    for to in [Done, Permission, Question] {
        assert!(Attention::Always.call(Working, to, SHORT, Some(true)).is_some());
        assert_eq!(Attention::Never.call(Working, to, LONG, Some(false)), None);
    }
    // A picker that the user opens is no reason.
    assert_eq!(Attention::Always.call(Idle, Question, SHORT, None), None);
}
