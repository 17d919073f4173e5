//! Long tasks: many turns of one session towards one goal.
//!
//! A [`TaskFile`] says what is to be done: a goal, a checklist, the hats (phases, each with a prompt) and the quality
//! gates (commands whose exit status decides). Each iteration is one turn. [`begin`], [`after_turn`] and [`after_gates`]
//! say what comes next: a message to ask with, the gates to run, or the end and its [`Reason`]. What the model reports
//! by [`Signal`]s is a claim: an end is believed only when nothing on the checklist is open and every gate has passed.
//! [`Progress`] is all state that is stored between iterations; it is small, and a resumed task continues from it.
//!
//! ```
//! use throughline_conversation::Millis;
//! use throughline_task::{Progress, Step, TaskFile, TurnSeen, after_turn, begin};
//!
//! let file = TaskFile::parse("# Fix the parser\n\nIt loses the last line.\n")?;
//! let mut progress = Progress::new(&file, Millis(0));
//! let Step::Ask { prompt } = begin(&file, &mut progress, Millis(0)) else { unreachable!() };
//! assert!(prompt.starts_with("# Task: Fix the parser"));
//! // Run a turn with the prompt, then pass on what the model wrote.
//! let seen = TurnSeen { text: "SIGNAL:DONE".into(), stop: "end_turn".into(), calls: 1, compacted: false };
//! assert!(matches!(after_turn(&file, &mut progress, &seen, Millis(60_000)), Step::Finished(_)));
//! # Ok::<(), throughline_task::TaskError>(())
//! ```
//!
//! Neighbours: `ledger` has the words of a gate's result in a message ([`throughline_ledger::QUALITY_PASSED`]). `cli`
//! reads the file, runs the turns and the gates, and stores the progress.
//!
//! It does NOT know: how a turn or a command runs, what a session is, where progress is kept, and what time it is. It
//! reads no scratchpad; it only teaches the model to keep one and knows where the text of one ends.

mod body;
mod checklist;
mod continuation;
mod error;
mod file;
mod front;
mod gate;
mod hat;
mod progress;
mod prompt;
mod reason;
mod signal;
mod step;
mod template;

pub use checklist::{Item, ItemStatus};
pub use error::TaskError;
pub use file::TaskFile;
pub use gate::{Gate, GateEnd, GateResult};
pub use hat::Hat;
pub use progress::{Failures, GateSeen, Progress};
pub use prompt::asks_for;
pub use reason::Reason;
pub use signal::Signal;
pub use step::{Step, TurnSeen, after_gates, after_turn, begin, out_of_time, stopped};
