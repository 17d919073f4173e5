//! A stopped task resumes.

use expect_test::expect;
use throughline_conversation::is_iteration_prompt;

use super::{Drive, Gates, Wait, Worked};
use crate::checklist::ItemStatus;
use crate::file::TaskFile;
use crate::reason::Reason;
use crate::step::{Step, stopped};

const TASK: &str =
    "+++\nmax_time = \"1m\"\ngates = [\"test\"]\n+++\n# T\ngoal\n## Checklist\n- [ ] one\n- [ ] two\n";

// S0-35 S0-44
#[test]
fn it_resumes_with_the_iteration_that_was_not_answered_and_says_how() {
    let mut drive = Drive::of(TASK);
    drive.see(&Worked("SIGNAL:ITEM 1 completed"));
    drive.restart();
    expect![[r#"
        Iteration 2 of 50. Phase: builder.

        The work was interrupted and continues now. Look at what is there before you rely on what you remember.

        Continue working on: T
        Current phase: builder
        Next step: two

        Left on the checklist:
        2. [ ] two

        Continue with the task as given. When all of it is done, write SIGNAL:DONE on a line of its own."#]].assert_eq(drive.prompt());
    assert_eq!((drive.progress.iteration, drive.progress.iterations()), (2, 1));
    // Other crates tell such a message from a request of the user.
    assert!(is_iteration_prompt(drive.prompt()));
    assert!(!is_iteration_prompt(Drive::of(TASK).prompt()), "the first message is what the user asks for");
}

// S0-15 S0-44
#[test]
fn what_was_not_sent_before_the_stop_is_sent_after() {
    let text =
        "+++\nmax_iterations = 1\ngates = [\"test\"]\nhats = [\"builder\", \"reviewer\"]\n+++\n# T\ngoal";
    let mut drive = Drive::of(text);
    drive.see(&Worked("SIGNAL:HAT reviewer"));
    drive.file.max_iterations = 2;
    drive.restart();
    let prompt = drive.prompt();
    assert!(prompt.contains("You now begin phase reviewer.\n\nYou review."), "{prompt}");
    drive.see(&Worked("SIGNAL:DONE"));
    drive.see(&Gates(&[(3, "red")]));
    drive.file.max_iterations = 3;
    drive.restart();
    let prompt = drive.prompt();
    assert!(prompt.contains("ran last:\nQUALITY_FAILED: test (exit 3)\n"), "{prompt}");
    assert!(!prompt.contains("You review."), "{prompt}");
}

// S0-35: time counts whether or not the turn came to its end
#[test]
fn the_time_of_a_turn_that_failed_counts() {
    let mut drive = Drive::of(TASK);
    drive.see(&Wait(50_000));
    stopped(&mut drive.progress, drive.now);
    assert_eq!(drive.progress.spent_ms, 50_000);
    drive.restart();
    drive.see(&Wait(20_000));
    drive.see(&Worked("more"));
    assert_eq!(drive.step, Step::Finished(Reason::MaxTime { seconds: 60 }));
}

// S0-33
#[test]
fn only_completed_items_are_done() {
    let mut drive = Drive::of("# T\n- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d");
    drive.see(&Worked("SIGNAL:ITEM 1 completed\nSIGNAL:ITEM 2 in_progress\nSIGNAL:ITEM 3 blocked: x"));
    let progress = &drive.progress;
    assert_eq!(progress.completed().collect::<Vec<_>>(), ["a"]);
    assert_eq!(progress.remaining().collect::<Vec<_>>(), ["b", "c", "d"]);
    let kept = serde_json::to_value(&progress.items).unwrap();
    assert_eq!(kept[0]["status"], "completed");
    assert_eq!(kept[2]["status"]["blocked"], "x");
}

// C-02
#[test]
fn time_between_a_stop_and_the_next_start_is_no_work() {
    let mut drive = Drive::of(TASK);
    drive.see(&Wait(30_000));
    drive.see(&Worked(""));
    drive.see(&Wait(86_400_000));
    drive.restart();
    assert_eq!(drive.progress.time_left(&drive.file).as_secs(), 30);
    drive.see(&Wait(30_000));
    drive.see(&Worked(""));
    assert_eq!(
        drive.outcome(),
        "finished max_time: the task is not done after 1m of work; raise max_time in its file to continue"
    );
    drive.restart();
    assert!(drive.outcome().starts_with("finished max_time"), "{}", drive.outcome());
    drive.file.max_time *= 2;
    drive.restart();
    assert_eq!(drive.outcome(), "ask 3 as builder, left: one, two");
}

// S0-44
#[test]
fn an_end_that_was_claimed_is_checked_again() {
    let mut drive = Drive::of(TASK);
    drive.see(&Worked("SIGNAL:ITEM 1, 2 completed\nSIGNAL:DONE"));
    assert_eq!(drive.step, Step::RunGates);
    drive.restart();
    drive.see(&Gates(&[(0, "")]));
    assert_eq!(drive.outcome(), "finished done: the task is done");
    drive.restart();
    drive.see(&Gates(&[(1, "")]));
    assert_eq!(drive.outcome().trim_end(), "ask 2 as builder, left:");
}

// S0-44
#[test]
fn a_changed_file_is_read_again() {
    let mut drive = Drive::of(TASK);
    drive.see(&Worked("SIGNAL:ITEM 1 blocked: no key\nSIGNAL:ITEM 2 completed\nSIGNAL:DONE"));
    assert_eq!(drive.outcome(), "finished blocked: the task is blocked: one (no key)");
    let text = TASK
        .replace("- [ ] two", "- [ ] three\n- [ ] two\n- [x] four")
        .replace("+++\nmax", "+++\nhats = [\"planner\"]\nmax");
    drive.file = TaskFile::parse(&text).unwrap();
    drive.restart();
    assert_eq!(drive.outcome(), "ask 2 as planner, left: one, three");
    assert_eq!(drive.progress.items[0].status, ItemStatus::Pending, "what was in the way may be gone");
}
