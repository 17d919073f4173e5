//! What comes next: the three questions that a driver asks, and their answers.

use throughline_conversation::Millis;

use crate::checklist::ItemStatus;
use crate::file::TaskFile;
use crate::gate::GateResult;
use crate::gate::report;
use crate::progress::{GateSeen, Progress};
use crate::prompt::{Asking, message};
use crate::reason::Reason;
use crate::signal::{Signal, signals};
use crate::template::fill;

/// Iterations in a row with a signal that cannot be read, after which the task stops.
const MALFORMED_AFTER: u32 = 3;

/// Iterations in a row in which nothing happens, after which the task stops.
const STALLED_AFTER: u32 = 3;

/// The stop of a model that does not want to answer.
const REFUSAL: &str = "refusal";

/// The stop of an answer that was cut off.
const CUT_OFF: &str = "max_tokens";

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask the model: one more iteration, or the one again that has no answer. Then [`after_turn`].
    Ask {
        /// The user's message.
        prompt: String,
    },
    /// Run all gates of the file, in order. Then [`after_gates`].
    RunGates,
    /// Stop.
    Finished(Reason),
}

/// What was seen of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnSeen {
    /// Everything that the model said in the turn, also between calls, each answer on lines of its own.
    pub text: String,
    /// Why the model stopped at the end, as `end_turn`.
    pub stop: String,
    /// Calls of tools.
    pub calls: u64,
    /// Whether the context was compacted since the iteration began: then the goal may be out of sight.
    pub compacted: bool,
}

/// Begins or resumes a task. A task that was done stays done as long as nothing new is open and its gates pass.
pub fn begin(file: &TaskFile, progress: &mut Progress, now: Millis) -> Step {
    let is_new = progress.iteration == 0;
    progress.reopen(file, now);
    if progress.claims_done && !progress.items.iter().any(crate::Item::is_open) {
        return check(file, progress);
    }
    progress.claims_done = false;
    let feedback = std::mem::take(&mut progress.feedback);
    ask(file, progress, Asking { resumed: !is_new, feedback })
}

/// Takes a turn that the model has ended.
pub fn after_turn(file: &TaskFile, progress: &mut Progress, seen: &TurnSeen, now: Millis) -> Step {
    progress.tick(now);
    progress.note_answer(seen.compacted);
    if seen.stop == REFUSAL {
        return finish(progress, Reason::Refused);
    }
    let effects = SignalEffects::of(file, progress, &signals(&seen.text));
    let SignalEffects { has_new_hat, claim, changed, malformed, mut feedback } = effects;
    let failures = &mut progress.failures;
    failures.idle = if seen.calls > 0 || changed { 0 } else { failures.idle.saturating_add(1) };
    failures.malformed = if malformed.is_none() { 0 } else { failures.malformed.saturating_add(1) };
    if let Some(line) = malformed.filter(|_| failures.malformed >= MALFORMED_AFTER) {
        return finish(progress, Reason::Malformed { line });
    }
    if seen.stop == CUT_OFF {
        feedback.push(include_str!("../prompts/cut_off.md").to_owned());
    }
    match claim {
        Claim::Blocked(why) => return finish(progress, Reason::Blocked { why }),
        // A hat that has just been put on has done no work yet.
        Claim::Done if has_new_hat => {}
        Claim::Done => {
            let open = progress.items.iter().position(crate::Item::is_open);
            if let Some(next) = file.hat_after(&progress.hat) {
                progress.failures.idle = 0;
                progress.hat.clone_from(&next.name);
            } else if let Some(index) = open {
                let number = (index + 1).to_string();
                let text = fill(include_str!("../prompts/items_open.md"), &[("number", &number)]);
                feedback.push(text);
            } else if let Some(why) = blocked_items(progress) {
                return finish(progress, Reason::Blocked { why });
            } else {
                progress.claims_done = true;
                return check(file, progress);
            }
        }
        Claim::Nothing => {}
    }
    ask(file, progress, Asking { feedback, ..Asking::default() })
}

/// Takes a run of the gates. A gate of the file without a result counts as failed.
pub fn after_gates(file: &TaskFile, progress: &mut Progress, results: &[GateResult], now: Millis) -> Step {
    progress.tick(now);
    let seen = |result: &GateResult| GateSeen { name: result.name.clone(), end: result.end.clone() };
    progress.gates = results.iter().map(seen).collect();
    let passed = |name: &str| results.iter().any(|result| result.name == name && result.end.passed());
    if file.gates.iter().all(|gate| passed(&gate.name)) {
        progress.failures.gates = 0;
        return finish(progress, Reason::Done);
    }
    progress.claims_done = false;
    progress.failures.gates = progress.failures.gates.saturating_add(1);
    // What the gates printed is part of it: a retry of the iteration has it again.
    let feedback = vec![include_str!("../prompts/gates_failed.md").to_owned(), report(results)];
    ask(file, progress, Asking { feedback, ..Asking::default() })
}

/// Ends a task whose time ran out in the middle of a turn or of a gate.
pub fn out_of_time(file: &TaskFile, progress: &mut Progress, now: Millis) -> Reason {
    progress.tick(now);
    let reason = Reason::MaxTime { seconds: file.max_time.as_secs() };
    progress.finished = Some(reason.clone());
    reason
}

/// Counts the time of a turn or of gates that did not end: the run was interrupted, or the turn failed.
pub fn stopped(progress: &mut Progress, now: Millis) {
    progress.tick(now);
}

/// What the model claims about the whole.
enum Claim {
    Nothing,
    Done,
    Blocked(String),
}

/// What the signals of a turn changed.
struct SignalEffects {
    has_new_hat: bool,
    claim: Claim,
    /// Whether an item has another status, or another hat is worn.
    changed: bool,
    /// The last line that could not be taken.
    malformed: Option<String>,
    feedback: Vec<String>,
}

impl SignalEffects {
    /// Takes each signal in order; of several claims about the whole, the last one holds.
    fn of(file: &TaskFile, progress: &mut Progress, signals: &[Signal]) -> Self {
        let before = (progress.hat.clone(), progress.items.clone());
        let mut effects = Self {
            has_new_hat: false,
            claim: Claim::Nothing,
            changed: false,
            malformed: None,
            feedback: Vec::new(),
        };
        for signal in signals {
            match signal {
                Signal::Done => effects.claim = Claim::Done,
                Signal::Blocked(why) => effects.claim = Claim::Blocked(why.clone()),
                Signal::Hat(name) => match file.hat(name) {
                    Some(hat) => progress.hat.clone_from(&hat.name),
                    None => {
                        let names: Vec<&str> = file.hats.iter().map(|hat| hat.name.as_str()).collect();
                        effects.wrong(
                            &format!("SIGNAL:HAT {name}"),
                            &format!("the hats are {}", names.join(", ")),
                        );
                    }
                },
                Signal::Item { number, status } => {
                    let count = progress.items.len();
                    match number.checked_sub(1).and_then(|index| progress.items.get_mut(index)) {
                        Some(item) => item.status = status.clone(),
                        None if count == 0 => {
                            effects.wrong(&line_of(*number, status), "this task has no checklist");
                        }
                        None => {
                            let why = match count {
                                1 => "the only item has the number 1".to_owned(),
                                _ => format!("the items have the numbers 1 to {count}"),
                            };
                            effects.wrong(&line_of(*number, status), &why);
                        }
                    }
                }
                Signal::Malformed { line, why } => effects.wrong(line, why),
            }
        }
        effects.has_new_hat = before.0 != progress.hat;
        effects.changed = effects.has_new_hat || before.1 != progress.items;
        effects
    }

    fn wrong(&mut self, line: &str, why: &str) {
        // The first few say what is wrong; hundreds would fill the window.
        if self.feedback.len() < 5 {
            self.feedback.push(format!("The line `{line}` does not count: {why}."));
        }
        self.malformed = Some(line.to_owned());
    }
}

fn line_of(number: usize, status: &ItemStatus) -> String {
    format!("SIGNAL:ITEM {number} {}", status.name())
}

/// Reasons of the items that are blocked, when there is one.
fn blocked_items(progress: &Progress) -> Option<String> {
    let reasons = progress.items.iter().filter_map(|item| match &item.status {
        ItemStatus::Blocked(why) => Some(format!("{} ({why})", item.text)),
        _ => None,
    });
    let reasons: Vec<String> = reasons.collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// An end is claimed: the gates decide.
fn check(file: &TaskFile, progress: &mut Progress) -> Step {
    if file.gates.is_empty() { finish(progress, Reason::Done) } else { Step::RunGates }
}

/// One more iteration, or the newest one again if it has no answer; no limit may be reached.
fn ask(file: &TaskFile, progress: &mut Progress, asking: Asking) -> Step {
    let idle = progress.failures.idle;
    if idle >= STALLED_AFTER {
        return finish(progress, Reason::Stalled { iterations: idle });
    }
    if progress.time_left(file).is_zero() {
        return finish(progress, Reason::MaxTime { seconds: file.max_time.as_secs() });
    }
    if progress.iterations() >= file.max_iterations {
        return finish(progress, Reason::MaxIterations { limit: file.max_iterations });
    }
    progress.iteration = progress.iterations() + 1;
    progress.answered = false;
    let prompt = message(file, progress, &asking);
    progress.feedback = asking.feedback;
    Step::Ask { prompt }
}

fn finish(progress: &mut Progress, reason: Reason) -> Step {
    progress.finished = Some(reason.clone());
    Step::Finished(reason)
}

#[cfg(test)]
mod tests;
