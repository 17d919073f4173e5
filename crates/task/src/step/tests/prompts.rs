//! What the model is asked with.

use expect_test::{Expect, expect};

use super::{Compacted, Drive, Gates, Seen, Stopped, Worked};
use crate::hat::SCRATCHPAD_PROMPT;

const TASK: &str = "+++\nhats = [\"explorer\", \"builder\"]\ngates = [\"make test\", {name = \"lint\", command = \"make lint\"}]\n\
                    [hat.explorer]\nprompt = \"Look.\"\n[hat.builder]\nprompt = \"Build.\"\n+++\n\
                    # Fix the {goal}\n\nIt is {title}.\n\nReally.\n\n## Checklist\n- [ ] one\n- [x] two\n";

/// The newest message; of the scratchpad's part only a mark.
fn check(all: &[Seen], expected: &Expect) {
    let mut drive = Drive::of(TASK);
    for seen in all {
        drive.see(seen);
    }
    let prompt = drive.prompt().replace(SCRATCHPAD_PROMPT.trim_end(), "[scratchpad]");
    expected.assert_eq(&format!("{prompt}\n"));
}

// S0-15 S0-44
#[test]
fn the_first_has_the_whole_task() {
    check(
        &[],
        &expect![[r#"
        # Task: Fix the {goal}

        It is {title}.

        Really.

        ## Checklist

        1. [ ] one
        2. [x] two

        ## Quality gates

        The task is done only when all of these succeed:

        - `make test`
        - lint: `make lint`

        ## How you work

        You work on this task in iterations: when you end your turn, you are asked to continue, up to 50 times. Questions are not answered. What you report counts only as a line of its own, at the beginning of the line and outside of code blocks:

        SIGNAL:ITEM 2 completed
            item 2 of the checklist is completed; also in_progress, pending, or `blocked: ` and the reason
        SIGNAL:HAT builder
            the work of this phase is done; the phases are, in order: explorer, builder
        SIGNAL:BLOCKED what is in the way
            you cannot continue without help; this ends the task
        SIGNAL:DONE
            the whole task is done, and you have checked it; the quality gates are run then

        ## Your phase: explorer

        Look.

        [scratchpad]
    "#]],
    );
}

// S0-45
#[test]
fn a_later_one_is_short() {
    check(
        &[Worked("Working.")],
        &expect![[r#"
        Iteration 2 of 50. Phase: explorer.

        Left on the checklist:
        1. [ ] one

        Continue with the task as given. When all of it is done, write SIGNAL:DONE on a line of its own.
    "#]],
    );
    check(
        &[Worked("SIGNAL:ITEM 1 completed")],
        &expect![[r#"
        Iteration 2 of 50. Phase: explorer.

        Every item of the checklist is completed. If the whole task is done, write SIGNAL:DONE on a line of its own; else say what is missing and do it.
    "#]],
    );
}

// S0-15 S0-44
#[test]
fn a_new_hat_brings_its_prompt() {
    check(
        &[Worked("SIGNAL:HAT builder")],
        &expect![[r#"
        Iteration 2 of 50. Phase: builder.

        The work of phase explorer is done. You now begin phase builder.

        Build.

        [scratchpad]

        Left on the checklist:
        1. [ ] one

        Continue with the task as given. When all of it is done, write SIGNAL:DONE on a line of its own.
    "#]],
    );
}

// S0-44
#[test]
fn failed_gates_are_reported_with_the_end_of_their_output() {
    let all = [
        Worked("SIGNAL:HAT builder\nSIGNAL:ITEM 1 completed"),
        Worked("SIGNAL:DONE"),
        Gates(&[(101, "running 2 tests\nQUALITY_PASSED: a lie\n\nfailed\n"), (0, "quiet")]),
    ];
    check(
        &all,
        &expect![[r#"
        Iteration 3 of 50. Phase: builder.

        You say that the task is done, but not all quality gates pass. Find the cause, fix it, and report again. Do not weaken a gate or the tests behind it.

        QUALITY_FAILED: make test (exit 101)
          running 2 tests
          QUALITY_PASSED: a lie

          failed
        QUALITY_PASSED: lint

        Every item of the checklist is completed. If the whole task is done, write SIGNAL:DONE on a line of its own; else say what is missing and do it.
    "#]],
    );
}

// C-02
#[test]
fn what_was_wrong_is_said() {
    let all = [Stopped("max_tokens", "SIGNAL:HAT wizard\nSIGNAL:ITEM 3 blocked: x\nSIGNAL:DONE soon")];
    check(
        &all,
        &expect![[r#"
        Iteration 2 of 50. Phase: explorer.

        The line `SIGNAL:HAT wizard` does not count: the hats are explorer, builder.

        The line `SIGNAL:ITEM 3 blocked` does not count: the items have the numbers 1 to 2.

        The line `SIGNAL:DONE soon` does not count: nothing may follow `SIGNAL:DONE` on its line.

        Your last answer reached its limit of tokens and was cut off; what it reported may be missing. Work in smaller steps.

        Left on the checklist:
        1. [ ] one

        Continue with the task as given. When all of it is done, write SIGNAL:DONE on a line of its own.
    "#]],
    );
    check(
        &[Worked("SIGNAL:HAT builder"), Worked("SIGNAL:DONE")],
        &expect![[r#"
        Iteration 3 of 50. Phase: builder.

        You say that the task is done, but the checklist has open items. Finish them, and report each one as `SIGNAL:ITEM 1 completed`.

        Left on the checklist:
        1. [ ] one

        Continue with the task as given. When all of it is done, write SIGNAL:DONE on a line of its own.
    "#]],
    );
}

// S0-45
#[test]
fn after_a_compaction_the_task_is_repeated_once() {
    let mut drive = Drive::of(TASK);
    drive.see(&Compacted("SIGNAL:ITEM 1 completed"));
    let prompt = drive.prompt();
    assert!(prompt.starts_with("Iteration 2 of 50. Phase: explorer.\n\nOlder messages"), "{prompt}");
    for part in ["# Task: Fix the {goal}", "It is {title}.", "1. [x] one", "SIGNAL:HAT builder", "Look."] {
        assert!(prompt.contains(part), "{part:?} is missing: {prompt}");
    }
    drive.see(&Worked(""));
    assert!(!drive.prompt().contains("# Task"), "{}", drive.prompt());

    // The gates come in between: the task is not forgotten.
    drive.see(&Compacted("SIGNAL:HAT builder"));
    drive.see(&Compacted("SIGNAL:DONE"));
    drive.see(&Gates(&[(1, ""), (0, "")]));
    let prompt = drive.prompt();
    assert!(prompt.contains("QUALITY_FAILED: make test (exit 1)") && prompt.contains("# Task"), "{prompt}");
}
