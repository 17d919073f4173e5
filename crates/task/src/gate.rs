//! Quality gates: commands whose exit status decides, and the report of them for the model.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use throughline_ledger::{QUALITY_FAILED, QUALITY_PASSED};
use throughline_text::{cut_start, span_text};

use crate::template;

/// Bytes of the output of all failed gates together that the model is shown.
const SHOWN: usize = 12_000;

/// However many gates fail, each shows that much.
const SHOWN_AT_LEAST: usize = 600;

/// One gate shows no more, also when it is the only one.
const SHOWN_AT_MOST: usize = 4_000;

/// A command that has to succeed before an end is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Its name, in one line; unique within its file.
    pub name: String,
    /// The command line, for a shell in the folder of the work.
    pub command: String,
    /// It fails when it takes longer.
    pub timeout: Duration,
}

/// How a gate's command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateEnd {
    /// By itself, with this status; only 0 passes.
    Exit(i32),
    /// By a signal from elsewhere.
    Signal(i32),
    /// Its time was over, in seconds.
    TimedOut(u64),
    /// It could not be started, or its end is not known.
    Failed(String),
}

/// A gate that has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateResult {
    /// Name of the gate.
    pub name: String,
    /// How it ended.
    pub end: GateEnd,
    /// What it wrote; its end is what the model is shown.
    pub output: String,
}

impl GateEnd {
    /// Returns true if the gate passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        *self == Self::Exit(0)
    }

    /// The line that reports a gate's end.
    #[must_use]
    pub fn line(&self, name: &str) -> String {
        match self {
            Self::Exit(0) => format!("{QUALITY_PASSED}: {name}"),
            Self::Exit(status) => format!("{QUALITY_FAILED}: {name} (exit {status})"),
            Self::Signal(signal) => format!("{QUALITY_FAILED}: {name} (ended by signal {signal})"),
            Self::TimedOut(seconds) => {
                let span = span_text(Duration::from_secs(*seconds));
                format!("{QUALITY_FAILED}: {name} (timed out after {span})")
            }
            Self::Failed(why) => format!("{QUALITY_FAILED}: {name} ({})", template::one_line(why)),
        }
    }
}

/// The report of a run of the gates, for the model.
pub(crate) fn report(results: &[GateResult]) -> String {
    let failed = results.iter().filter(|result| !result.end.passed()).count().max(1);
    let most = (SHOWN / failed).clamp(SHOWN_AT_LEAST, SHOWN_AT_MOST);
    let mut text = String::new();
    for result in results {
        text.push_str(&result.end.line(&result.name));
        text.push('\n');
        if !result.end.passed() {
            text.push_str(&shown(&result.output, most));
        }
    }
    text
}

/// The end of an output, in from the margin: no line of it can be taken for a gate's result.
fn shown(output: &str, most: usize) -> String {
    let output = output.trim_end();
    let end = cut_start(output, most);
    let mut text = String::new();
    if end.len() < output.len() {
        text.push_str(&format!("  [… {} bytes before this …]\n", output.len() - end.len()));
    }
    for line in end.lines() {
        let line = format!("  {line}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
