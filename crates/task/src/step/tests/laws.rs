//! What holds for every task, whatever the model says.

use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};
use throughline_conversation::Millis;

use super::super::{Step, TurnSeen, after_gates, after_turn, begin};
use super::{Drive, Worked};
use crate::file::TaskFile;
use crate::gate::{GateEnd, GateResult};
use crate::progress::Progress;
use crate::reason::Reason;

const TASK: &str = "+++\nhats = [\"explorer\", \"builder\"]\ngates = [\"test\"]\nmax_iterations = 20\n+++\n\
                    # T\ngoal\n## Checklist\n- [ ] one\n- [ ] two\n";

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("SIGNAL:DONE".to_owned()),
        Just("SIGNAL:HAT builder".to_owned()),
        Just("SIGNAL:HAT explorer".to_owned()),
        Just("SIGNAL:NONSENSE".to_owned()),
        (0usize..4, prop_oneof![Just("completed"), Just("pending"), Just("blocked: x")])
            .prop_map(|(number, status)| format!("SIGNAL:ITEM {number} {status}")),
        "[a-z ]{0,12}",
    ]
}

proptest! {
    // S0-44
    // C-02
    #[test]
    fn it_ends_and_done_means_done(
        turns in prop::collection::vec((prop::collection::vec(line(), 0..5), 0u64..3, -1i32..2, prop::bool::ANY), 30)
    ) {
        let file = TaskFile::parse(TASK).unwrap();
        let mut progress = Progress::new(&file, Millis(0));
        let mut step = begin(&file, &mut progress, Millis(0));
        let mut passed = false;
        for (lines, calls, status, restart) in turns {
            let now = Millis(0);
            match &step {
                Step::Finished(_) => break,
                Step::Ask { prompt } => {
                    assert!(!prompt.is_empty());
                    let seen = TurnSeen { text: lines.join("\n"), stop: "end_turn".to_owned(), calls, compacted: restart };
                    step = after_turn(&file, &mut progress, &seen, now);
                    passed = false;
                }
                Step::RunGates => {
                    passed = status == 0;
                    let result = GateResult { name: "test".to_owned(), end: GateEnd::Exit(status), output: String::new() };
                    step = after_gates(&file, &mut progress, &[result], now);
                }
            }
            let kept: Progress = serde_json::from_str(&serde_json::to_string(&progress).unwrap()).unwrap();
            assert_eq!(kept, progress);
            if restart && step == Step::RunGates {
                step = begin(&file, &mut progress, now);
                assert_eq!(step, Step::RunGates, "a claim outlives a restart");
            }
        }
        assert!(progress.iteration <= 20);
        if step == Step::Finished(Reason::Done) {
            assert!(passed && progress.remaining().next().is_none() && progress.hat == "builder");
        }
    }
}

// S0-45
#[test]
fn a_long_goal_costs_once_and_not_in_every_iteration() {
    let sent = |goal: &str, iterations: usize| -> usize {
        let mut drive = Drive::of(&format!("# T\n{goal}\n## Checklist\n- [ ] one\n- [ ] two\n"));
        let first = drive.prompt().len();
        let later: usize = (0..iterations)
            .map(|_| {
                drive.see(&Worked("Working."));
                drive.prompt().len()
            })
            .sum();
        first + later
    };
    let long = "All of it matters. ".repeat(5_000);
    let (short_ten, short_forty) = (sent("Short.", 10), sent("Short.", 40));
    let (long_ten, long_forty) = (sent(&long, 10), sent(&long, 40));
    assert_eq!(
        long_forty - long_ten,
        short_forty - short_ten,
        "iterations cost the same, whatever the goal's length"
    );
    assert!((short_forty - short_ten) / 30 < 300, "a later message is short");
}

// S0-45
#[test]
fn a_long_checklist_and_long_outputs_are_shortened() {
    let items: String = (0..500).map(|n| format!("- [ ] item {n} {}\n", "ä".repeat(300))).collect();
    let gates: Vec<String> = (0..30).map(|n| format!("\"gate {n}\"")).collect();
    let text = format!("+++\ngates = [{}]\n+++\n# T\n{items}", gates.join(", "));
    let mut drive = Drive::of(&text);
    drive.see(&Worked(""));
    assert!(drive.prompt().len() < 6_000, "{}", drive.prompt().len());
    assert!(drive.prompt().contains("… and 480 more"), "{}", drive.prompt());
    drive.progress.items.clear();
    drive.see(&Worked("SIGNAL:DONE"));
    assert_eq!(drive.step, Step::RunGates);
    let result = |n: usize| GateResult {
        name: format!("gate {n}"),
        end: GateEnd::TimedOut(600),
        output: format!("{}\nthe end of {n}\n", "ö".repeat(100_000)),
    };
    let results: Vec<GateResult> = (0..30).map(result).collect();
    drive.step = after_gates(&drive.file, &mut drive.progress, &results, drive.now);
    let prompt = drive.prompt();
    assert!(prompt.len() < 25_000, "{}", prompt.len());
    for part in
        ["QUALITY_FAILED: gate 0 (timed out after 10m)\n  [… 19", "  the end of 0\n", "  the end of 29\n"]
    {
        assert!(prompt.contains(part), "{part:?}");
    }
}
