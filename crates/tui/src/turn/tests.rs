//! States of a turn.

use std::time::{Duration, Instant};

use expect_test::expect;

use super::{Outcome, Phase, Turn};
use crate::program_status::ProgramState;

#[test]
fn an_interrupt_before_the_session_reports_work_is_known_while_it_works() {
    let (mut turn, now) = (Turn::default(), Instant::now());
    turn.send();
    assert!(turn.interrupt());
    turn.run(Phase::Working, now);
    turn.fail();
    assert!(!turn.interrupt(), "the session knows it");
    expect!["⠋ stopping 0.0s"].assert_eq(&turn.activity(0, "working".to_owned(), None, now).unwrap().text());
    assert_eq!(turn.end(now).outcome, Outcome::Interrupted);
}

#[test]
fn a_failure_counts_for_one_turn() {
    let (mut turn, now) = (Turn::default(), Instant::now());
    turn.fail();
    turn.run(Phase::Working, now);
    assert_eq!(turn.end(now).outcome, Outcome::Completed, "it was before the turn");
    turn.send();
    turn.fail();
    assert_eq!(turn.end(now).outcome, Outcome::Failed);
    turn.send();
    assert_eq!(turn.end(now).outcome, Outcome::Completed);
}

#[test]
fn only_work_makes_a_program_done() {
    let (mut turn, now) = (Turn::default(), Instant::now());
    turn.send();
    assert_eq!(turn.program_state(), ProgramState::Working);
    assert!(turn.end(now).work.is_none());
    assert_eq!(turn.program_state(), ProgramState::Idle);
    turn.run(Phase::Working, now);
    turn.count_answer(1_200);
    turn.run(Phase::Compacting, now + Duration::from_secs(5));
    let ended = turn.end(now + Duration::from_secs(12));
    assert_eq!(ended.work.unwrap().took, Duration::from_secs(12));
    assert_eq!(turn.program_state(), ProgramState::Done);
}
