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
    expect!["⠋ stopping 0.0s"]
        .assert_eq(&turn.activity(0, "working".to_owned(), None, 60, now).unwrap().text());
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

#[test]
fn a_long_item_leaves_room_for_the_figures() {
    let now = Instant::now();
    let mut turn = Turn::default();
    turn.run(Phase::Working, now);
    let todo = Some(("an item that is ".repeat(9), "1 of 3 done".to_owned()));
    let line = turn.activity(0, "working".to_owned(), todo, 60, now).unwrap();
    expect!["⠋ an item that is an item th… 1 of 3 done · 0.0s · esc stops"].assert_eq(&line.text());
}
