//! How a task ends.

use expect_test::{Expect, expect};

use super::{Gates, Seen, Stopped, Talked, Wait, Worked, steps};

fn check(text: &str, all: &[Seen], expected: &Expect) {
    expected.assert_eq(&steps(text, all));
}

const LIST: &str = "+++\ngates = [\"test\", \"lint\"]\n+++\n# T\n- [ ] one\n- [x] two\n- [ ] three\n";

// S0-44
#[test]
fn done_is_believed_when_every_gate_passes() {
    let all = [
        Worked("SIGNAL:ITEM 1 completed"),
        Talked("SIGNAL:ITEM 3 completed\nSIGNAL:DONE"),
        Gates(&[(0, ""), (1, "line 3 is long")]),
        Worked("SIGNAL:DONE"),
        Gates(&[(0, ""), (0, "")]),
    ];
    check(
        LIST,
        &all,
        &expect![[r#"
        ask 1 as builder, left: one, three
        ask 2 as builder, left: three
        gates
        ask 3 as builder, left:
        gates
        finished done: the task is done
    "#]],
    );
}

// S0-44
#[test]
fn done_is_not_believed_while_items_are_open_or_a_gate_did_not_run() {
    let all = [
        Worked("SIGNAL:DONE"),
        Worked("SIGNAL:ITEM 1, 3 completed"),
        Worked("SIGNAL:DONE"),
        Gates(&[(0, "")]),
    ];
    check(
        LIST,
        &all,
        &expect![[r#"
        ask 1 as builder, left: one, three
        ask 2 as builder, left: one, three
        ask 3 as builder, left:
        gates
        ask 4 as builder, left:
    "#]],
    );
}

// S0-44
#[test]
fn without_gates_the_models_word_is_enough() {
    check(
        "# T\ngoal",
        &[Worked("Working."), Talked("SIGNAL:DONE")],
        &expect![[r#"
        ask 1 as builder, left:
        ask 2 as builder, left:
        finished done: the task is done
    "#]],
    );
}

// S0-44
#[test]
fn hats_change_by_signal_or_when_the_work_of_one_is_done_and_only_the_last_ends_the_task() {
    let text = "+++\nhats = [\"explorer\", \"builder\", \"reviewer\"]\n+++\n# T\ngoal";
    let all = [
        Worked("SIGNAL:DONE"),
        Worked("SIGNAL:HAT Reviewer\nSIGNAL:DONE"),
        Worked("SIGNAL:HAT builder"),
        Worked("SIGNAL:HAT wizard"),
        Worked("SIGNAL:DONE"),
        Worked("SIGNAL:DONE"),
    ];
    check(
        text,
        &all,
        &expect![[r#"
        ask 1 as explorer, left:
        ask 2 as builder, left:
        ask 3 as reviewer, left:
        ask 4 as builder, left:
        ask 5 as builder, left:
        ask 6 as reviewer, left:
        finished done: the task is done
    "#]],
    );
}

// S0-44
#[test]
fn a_blocked_task_ends_with_its_reason_and_the_last_claim_holds() {
    check(
        LIST,
        &[Worked("SIGNAL:DONE\nSIGNAL:BLOCKED no  network")],
        &expect![[r#"
        ask 1 as builder, left: one, three
        finished blocked: the task is blocked: no network
    "#]],
    );
    let found_a_way =
        Worked("SIGNAL:BLOCKED no network\nThere is a mirror.\nSIGNAL:ITEM 1, 3 completed\nSIGNAL:DONE");
    check(
        LIST,
        &[found_a_way],
        &expect![[r#"
        ask 1 as builder, left: one, three
        gates
    "#]],
    );
    let item = [Worked("SIGNAL:ITEM 1 completed\nSIGNAL:ITEM 3 blocked: no key"), Worked("SIGNAL:DONE")];
    check(
        LIST,
        &item,
        &expect![[r#"
        ask 1 as builder, left: one, three
        ask 2 as builder, left: three
        finished blocked: the task is blocked: three (no key)
    "#]],
    );
}

// C-02
#[test]
fn three_malformed_signals_in_a_row_end_it() {
    let all = [
        Worked("SIGNAL:FOO"),
        Worked("SIGNAL:ITEM 9 completed"),
        Worked("fine"),
        Worked("SIGNAL:HAT none"),
        Worked("SIGNAL:DONE now"),
        Worked("SIGNAL:ITEM two completed"),
    ];
    check(
        LIST,
        &all,
        &expect![[r#"
        ask 1 as builder, left: one, three
        ask 2 as builder, left: one, three
        ask 3 as builder, left: one, three
        ask 4 as builder, left: one, three
        ask 5 as builder, left: one, three
        ask 6 as builder, left: one, three
        finished malformed: the model's signals could not be read, iteration after iteration; the last one is: SIGNAL:ITEM two completed
    "#]],
    );
    check(
        "# T\ngoal",
        &[Worked("SIGNAL:ITEM 1 completed")],
        &expect![[r#"
        ask 1 as builder, left:
        ask 2 as builder, left:
    "#]],
    );
}

// S0-44
#[test]
fn iterations_in_which_nothing_happens_end_it() {
    let all = [
        Talked("thinking"),
        Talked("thinking"),
        Talked("SIGNAL:ITEM 1 in_progress"),
        Talked("SIGNAL:ITEM 1 in_progress"),
        Talked(""),
        Talked("still thinking"),
    ];
    check(
        LIST,
        &all,
        &expect![[r#"
        ask 1 as builder, left: one, three
        ask 2 as builder, left: one, three
        ask 3 as builder, left: one, three
        ask 4 as builder, left: one, three
        ask 5 as builder, left: one, three
        ask 6 as builder, left: one, three
        finished stalled: nothing has happened for 3 iterations: no tool was called, no item changed
    "#]],
    );
    let claims = [
        Talked("SIGNAL:ITEM 1, 3 completed\nSIGNAL:DONE"),
        Gates(&[(1, ""), (1, "")]),
        Talked("SIGNAL:DONE"),
        Gates(&[(1, ""), (1, "")]),
        Talked("SIGNAL:DONE"),
        Gates(&[(1, ""), (1, "")]),
        Talked("SIGNAL:DONE"),
        Gates(&[(1, ""), (1, "")]),
    ];
    check(
        LIST,
        &claims,
        &expect![[r#"
        ask 1 as builder, left: one, three
        gates
        ask 2 as builder, left:
        gates
        ask 3 as builder, left:
        gates
        ask 4 as builder, left:
        gates
        finished stalled: nothing has happened for 3 iterations: no tool was called, no item changed
    "#]],
    );
}

// C-02
#[test]
fn iterations_and_time_are_limited() {
    let text = "+++\nmax_iterations = 2\nmax_time = \"1m\"\n+++\n# T\ngoal";
    check(
        text,
        &[Worked("a"), Worked("b")],
        &expect![[r#"
        ask 1 as builder, left:
        ask 2 as builder, left:
        finished max_iterations: the task is not done after 2 iterations; raise max_iterations in its file to continue
    "#]],
    );
    check(
        text,
        &[Wait(59_999), Worked("a"), Wait(1), Worked("b")],
        &expect![[r#"
        ask 1 as builder, left:
        ask 2 as builder, left:
        finished max_time: the task is not done after 1m of work; raise max_time in its file to continue
    "#]],
    );
    check(
        "# T\ngoal",
        &[Wait(4 * 3_600_000), Worked("a")],
        &expect![[r#"
        ask 1 as builder, left:
        finished max_time: the task is not done after 4h of work; raise max_time in its file to continue
    "#]],
    );
    // What was done in the last moment counts.
    check(
        text,
        &[Wait(99_000), Worked("SIGNAL:DONE")],
        &expect![[r#"
        ask 1 as builder, left:
        finished done: the task is done
    "#]],
    );
}

// S0-44
#[test]
fn a_refusal_ends_it_and_an_answer_that_was_cut_off_does_not() {
    check(
        "# T\ngoal",
        &[Stopped("max_tokens", "SIGNAL:IT"), Stopped("refusal", "No.")],
        &expect![[r#"
        ask 1 as builder, left:
        ask 2 as builder, left:
        finished refused: the model refuses to answer
    "#]],
    );
}
