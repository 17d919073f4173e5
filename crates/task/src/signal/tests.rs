//! Which lines are signals, and which only look like some.

use expect_test::{Expect, expect};
use proptest::prelude::{any, prop, proptest};

use super::{Signal, signals};
use crate::checklist::ItemStatus;

fn check(text: &str, expected: &Expect) {
    expected
        .assert_eq(&signals(text).iter().map(|signal| format!("{}\n", shown(signal))).collect::<String>());
}

fn shown(signal: &Signal) -> String {
    match signal {
        Signal::Done => "done".to_owned(),
        Signal::Hat(name) => format!("hat {name}"),
        Signal::Blocked(why) => format!("blocked: {why}"),
        Signal::Item { number, status: ItemStatus::Blocked(why) } => format!("item {number} blocked: {why}"),
        Signal::Item { number, status } => format!("item {number} {}", status.name()),
        Signal::Malformed { line, why } => format!("malformed {line:?}: {why}"),
    }
}

// S0-44
#[test]
fn every_signal_in_its_plain_form() {
    check(
        "I did it.\nSIGNAL:ITEM 2 completed\nSIGNAL:ITEM 3 blocked: no (real) schema\nCHECKLIST: 4 in_progress\n\
         SIGNAL:HAT reviewer\nSIGNAL:BLOCKED the password: it is missing\nSIGNAL:DONE",
        &expect![[r"
            item 2 completed
            item 3 blocked: no (real) schema
            item 4 in_progress
            hat reviewer
            blocked: the password: it is missing
            done
        "]],
    );
}

// S0-44
#[test]
fn what_models_write_instead_is_understood() {
    check(
        "**SIGNAL:DONE**\n`SIGNAL: done.`\n  SIGNAL:HAT: `builder`\nSIGNAL:ITEM #2, #3: Done\nSIGNAL:ITEM 4 in progress\n\
         SIGNAL:CHECKLIST 5 todo\nSIGNAL:ITEM [6] completed!\nSIGNAL:ITEM 7 blocked (needs ÄÖ)\r\nSIGNAL:ITEM 1. complete",
        &expect![[r"
            done
            done
            hat builder
            item 2 completed
            item 3 completed
            item 4 in_progress
            item 5 pending
            item 6 completed
            item 7 blocked: needs ÄÖ
            item 1 completed
        "]],
    );
}

// S0-44
#[test]
fn what_is_quoted_or_mentioned_is_no_signal() {
    check(
        "I will write SIGNAL:DONE later.\n- SIGNAL:DONE\n> SIGNAL:DONE\n```\nSIGNAL:DONE\n```\n~~~sh\nSIGNAL:DONE\n```\n~~~\nsignal: done\nCHECKLISTS: 2",
        &expect![""],
    );
}

// C-02
#[test]
fn a_malformed_one_says_what_to_write() {
    check(
        "SIGNAL:\nSIGNAL:FINISHED\nSIGNAL:DONE when the tests pass\nSIGNAL:HAT\nSIGNAL:HAT the builder\nSIGNAL:BLOCKED\n\
         SIGNAL:ITEM completed\nSIGNAL:ITEM 2\nSIGNAL:ITEM 2 perhaps\nSIGNAL:ITEM 2 blocked\nCHECKLIST: all done",
        &expect![[r#"
            malformed "SIGNAL:": the signals are DONE, HAT, BLOCKED and ITEM, as in `SIGNAL:DONE`
            malformed "SIGNAL:FINISHED": the signals are DONE, HAT, BLOCKED and ITEM, as in `SIGNAL:DONE`
            malformed "SIGNAL:DONE when the tests pass": nothing may follow `SIGNAL:DONE` on its line
            malformed "SIGNAL:HAT": name one hat and nothing else: `SIGNAL:HAT builder`
            malformed "SIGNAL:HAT the builder": name one hat and nothing else: `SIGNAL:HAT builder`
            malformed "SIGNAL:BLOCKED": say what blocks the task: `SIGNAL:BLOCKED the reason, in one line`
            malformed "SIGNAL:ITEM completed": write the item's number and its status: `SIGNAL:ITEM 2 completed`
            malformed "SIGNAL:ITEM 2": write the item's number and its status: `SIGNAL:ITEM 2 completed`
            malformed "SIGNAL:ITEM 2 perhaps": an item is completed, in_progress, pending, or blocked with a reason
            malformed "SIGNAL:ITEM 2 blocked": say what blocks the item: `SIGNAL:ITEM 2 blocked: the reason`
            malformed "CHECKLIST: all done": write the item's number and its status: `SIGNAL:ITEM 2 completed`
        "#]],
    );
}

// S0-13 S0-44
#[test]
fn the_text_of_a_scratchpad_ends_at_a_signal_and_holds_none() {
    check(
        "SCRATCHPAD:## Current Plan\n1. [x] look\n  SIGNAL:DONE\n**SIGNAL:DONE**\n- SIGNAL:HAT reviewer\nCHECKLIST: see above\n\
         CHECKLIST: 1 completed\n## Last Action\nlooked\nSIGNAL:ITEM 2 completed\n**SIGNAL:DONE**",
        &expect![[r"
            item 1 completed
            item 2 completed
            done
        "]],
    );
}

proptest! {
    #[test]
    fn any_text_has_signals_only_on_lines_that_name_them(text in any::<String>()) {
        let lines = text.lines().filter(|line| line.contains("SIGNAL:") || line.contains("CHECKLIST:")).count();
        assert!(lines > 0 || signals(&text).is_empty());
    }

    #[test]
    fn a_line_that_begins_as_a_signal_is_one_or_is_malformed(rest in "[ -~äß#:]{0,40}") {
        assert!(!signals(&format!("SIGNAL:{rest}")).is_empty());
    }

    #[test]
    fn numbers_and_statuses_read_back(numbers in prop::collection::vec(1usize..100, 1..5), at in 0usize..3) {
        let status = [ItemStatus::Pending, ItemStatus::InProgress, ItemStatus::Completed][at].clone();
        let list = numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let expected: Vec<Signal> =
            numbers.iter().map(|&number| Signal::Item { number, status: status.clone() }).collect();
        assert_eq!(signals(&format!("SIGNAL:ITEM {list} {}", status.name())), expected);
    }
}
