//! What a compaction aims at, and what it leaves alone.

use throughline_conversation::units;
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::TargetSize;
use crate::testing::{session, small, with_summaries, words};

fn step(n: usize, tokens: usize) -> String {
    format!("assistant:\n  -> c{n} read {{}}\nresults:\n  c{n} = {}\n", words(tokens - 2))
}

/// The first protected unit of a view, with that goal, room and number of protected steps.
fn protected(text: &str, goal: Goal, room: u64, protect_steps: usize) -> usize {
    protected_by(&CompactionPolicy { protect_steps, ..small() }, text, goal, room)
}

/// The same by any policy.
fn protected_by(policy: &CompactionPolicy, text: &str, goal: Goal, room: u64) -> usize {
    let (session, view) = (session(), view(text));
    let job = CompactionJob {
        goal,
        reason: EditReason::Early,
        ..CompactionJob::new(&session, &view, &WordCounter, room)
    };
    Plan::new(&job, policy).first_protected(&view, &units(view.entries()))
}

#[test]
fn that_many_newest_steps_are_protected() {
    let text = format!("user: go\n{}{}assistant: so\nuser: on", step(1, 10), step(2, 10));
    for (steps, first) in [(0, 5), (1, 3), (2, 2), (3, 1), (9, 1)] {
        assert_eq!(protected(&text, Goal::Deep, 1_000, steps), first, "{steps}");
    }
}

#[test]
fn fewer_steps_are_protected_if_they_fill_more_than_half_of_the_room() {
    // The two newest steps and the words behind them have 21 tokens.
    let text = format!("user: go\n{}{}{}user: on", step(1, 10), step(2, 10), step(3, 10));
    for (room, first) in [(62, 1), (61, 2), (42, 2), (41, 3), (20, 3), (2, 3)] {
        assert_eq!(protected(&text, Goal::Deep, room, 9), first, "{room}");
        assert_eq!(protected(&text, Goal::MustFit(30), room, 9), first, "{room}");
    }
    // Where the user asks for it, they are protected up to the target, too: 30 tokens.
    assert_eq!(protected(&text, Goal::Requested, 1_000, 9), 2);
    assert_eq!(protected(&text, Goal::Requested, 41, 9), 3);
}

#[test]
fn steps_before_the_newest_are_protected_up_to_a_number_of_tokens() {
    let text = format!("user: go\n{}{}{}user: on", step(1, 10), step(2, 10), step(3, 50));
    let protected = |goal, room, recent_tokens| {
        protected_by(&CompactionPolicy { recent_tokens, ..small() }, &text, goal, room)
    };
    // The newest step does not count, however large it is.
    for (tokens, first) in [(0, 3), (9, 3), (10, 2), (19, 2), (20, 1), (900, 1)] {
        assert_eq!(protected(Goal::Deep, 1_000, tokens), first, "{tokens}");
        assert_eq!(protected(Goal::MustFit(900), 1_000, tokens), first, "{tokens}");
    }
    // Together they have at most half of the room, and no more than the target where the user asks for a compaction.
    assert_eq!(protected(Goal::Deep, 130, 900), 2);
    assert_eq!(protected(Goal::Requested, 1_000, 900), 3);
}

#[test]
fn the_aim_is_the_target_or_half_of_a_view_that_must_become_smaller() {
    let (session, view) = (session(), view(&format!("user: {}", words(40))));
    let policy = CompactionPolicy { target: TargetSize { fraction: 0.5, tokens: 60 }, ..small() };
    for (goal, reason, room, aim, limit) in [
        (Goal::Deep, EditReason::Early, 100, 50, 100),
        (Goal::Deep, EditReason::Early, 1_000, 60, 1_000),
        (Goal::Requested, EditReason::Manual, 100, 20, 100),
        (Goal::Deep, EditReason::Overflow, 100, 20, 100),
        (Goal::Deep, EditReason::Overflow, 30, 15, 30),
        (Goal::MustFit(45), EditReason::Switch, 100, 45, 45),
        (Goal::MustFit(70), EditReason::Switch, 100, 50, 70),
    ] {
        let job = CompactionJob { goal, reason, ..CompactionJob::new(&session, &view, &WordCounter, room) };
        let plan = Plan::new(&job, &policy);
        assert_eq!((plan.aim, plan.limit), (aim, limit), "{goal:?}, {room}");
    }
}

#[test]
fn budgets_are_a_part_of_a_small_room() {
    let (session, view) = (session(), view("user: go"));
    let policy = CompactionPolicy {
        user_words_tokens: 1_000,
        progress_tokens: 200,
        ledger_tokens: 300,
        names_tokens: 400,
        given_tokens: 500,
        ..small()
    };
    for (goal, room, budgets) in [
        (Goal::Deep, 1_000, Budgets { words: 150, progress: 50, ledger: 50, names: 100, given: 100 }),
        (Goal::MustFit(500), 1_000, Budgets { words: 75, progress: 25, ledger: 25, names: 50, given: 50 }),
        (Goal::Deep, 9_000, Budgets { words: 1_000, progress: 200, ledger: 300, names: 400, given: 500 }),
    ] {
        let job = CompactionJob { goal, ..CompactionJob::new(&session, &view, &WordCounter, room) };
        let plan = Plan::new(&job, &policy);
        assert_eq!(plan.budgets(), budgets);
        assert_eq!(plan.words_tokens(), budgets.words);
    }
}

#[test]
fn a_step_that_the_model_has_not_read_or_that_is_open_is_fixed() {
    for (text, first) in [
        ("", 0),
        ("user: go", 1),
        ("user: go\nassistant: yes", 2),
        ("user: go\nassistant:\n  -> c1 read {}", 1),
        ("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = ok", 1),
        ("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = ok\nassistant: yes", 3),
        ("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = ok\nuser: on", 3),
    ] {
        let view = view(text);
        assert_eq!(first_fixed(&view, &units(view.entries())), first, "{text}");
    }
}

#[test]
fn the_last_request_is_a_message_or_the_end_of_a_summary() {
    let ends = "prose\\n\\n[Full text of these messages: ref_id=\"r-1\" (use \"read_result\").]\\n\\nLast request from user was: on";
    let found = |text: &str, summaries: &[usize]| {
        let view = with_summaries(text, summaries);
        last_request(&units(view.entries()), view.entries())
    };
    for (text, summaries, expected) in [
        ("assistant: a".to_owned(), vec![], None),
        ("user: one\nassistant: a\nuser: two\nassistant: b".to_owned(), vec![], Some(2)),
        (format!("user: one\nassistant: a\nuser: {ends}\nassistant: b"), vec![2], Some(2)),
        ("user: one\nassistant: a\nuser: prose\nassistant: b".to_owned(), vec![2], Some(0)),
        (format!("assistant: {ends}"), vec![], None),
    ] {
        assert_eq!(found(&text, &summaries), expected, "{text}");
    }
}
