//! What comes after each iteration.

mod endings;
mod laws;
mod prompts;
mod restart;

use std::fmt::Write as _;

use throughline_conversation::Millis;

use super::{Step, TurnSeen, after_gates, after_turn, begin};
use crate::file::TaskFile;
use crate::gate::{GateEnd, GateResult};
use crate::progress::Progress;

/// What a driver sees.
#[derive(Debug, Clone)]
enum Seen {
    /// A turn that called tools.
    Worked(&'static str),
    /// A turn that only talked.
    Talked(&'static str),
    /// A turn in which the context was compacted.
    Compacted(&'static str),
    /// A turn that stopped for another reason.
    Stopped(&'static str, &'static str),
    /// The gates ran: exit status and output for each, in order.
    Gates(&'static [(i32, &'static str)]),
    /// Milliseconds go by.
    Wait(i64),
}

use Seen::{Compacted, Gates, Stopped, Talked, Wait, Worked};

/// A task under way, with a clock that the test moves.
struct Drive {
    file: TaskFile,
    progress: Progress,
    now: Millis,
    step: Step,
}

impl Drive {
    fn of(text: &str) -> Self {
        let file = TaskFile::parse(text).unwrap();
        let now = Millis(1_000);
        let mut progress = Progress::new(&file, now);
        let step = begin(&file, &mut progress, now);
        Self { file, progress, now, step }
    }

    fn see(&mut self, seen: &Seen) {
        let turn = |text: &str, stop: &str, calls, compacted| TurnSeen {
            text: text.to_owned(),
            stop: stop.to_owned(),
            calls,
            compacted,
        };
        let turn = match seen {
            Worked(text) => turn(text, "end_turn", 2, false),
            Talked(text) => turn(text, "end_turn", 0, false),
            Compacted(text) => turn(text, "end_turn", 1, true),
            Stopped(stop, text) => turn(text, stop, 1, false),
            Wait(millis) => {
                self.now.0 += millis;
                return;
            }
            Gates(ends) => {
                assert_eq!(self.step, Step::RunGates, "the gates were not asked for");
                let results: Vec<GateResult> = self
                    .file
                    .gates
                    .iter()
                    .zip(*ends)
                    .map(|(gate, (status, output))| GateResult {
                        name: gate.name.clone(),
                        end: GateEnd::Exit(*status),
                        output: (*output).to_owned(),
                    })
                    .collect();
                self.step = after_gates(&self.file, &mut self.progress, &results, self.now);
                return;
            }
        };
        assert!(matches!(self.step, Step::Ask { .. }), "nothing was asked");
        self.step = after_turn(&self.file, &mut self.progress, &turn, self.now);
    }

    /// The progress goes through JSON, and the task begins again.
    fn restart(&mut self) {
        let kept = serde_json::to_string(&self.progress).unwrap();
        self.progress = serde_json::from_str(&kept).unwrap();
        self.step = begin(&self.file, &mut self.progress, self.now);
    }

    fn prompt(&self) -> &str {
        match &self.step {
            Step::Ask { prompt } => prompt,
            other => panic!("nothing is asked: {other:?}"),
        }
    }

    /// The step in a few words.
    fn outcome(&self) -> String {
        let Progress { iteration, hat, .. } = &self.progress;
        match &self.step {
            Step::Ask { .. } => {
                let left: Vec<&str> = self.progress.remaining().collect();
                format!("ask {iteration} as {hat}, left: {}", left.join(", "))
            }
            Step::RunGates => "gates".to_owned(),
            Step::Finished(reason) => format!("finished {}: {reason}", reason.name()),
        }
    }
}

/// Each step in a few words.
fn steps(text: &str, all: &[Seen]) -> String {
    let mut drive = Drive::of(text);
    let mut out = format!("{}\n", drive.outcome().trim_end());
    for seen in all {
        drive.see(seen);
        if !matches!(seen, Wait(_)) {
            writeln!(out, "{}", drive.outcome().trim_end()).unwrap();
        }
    }
    out
}
