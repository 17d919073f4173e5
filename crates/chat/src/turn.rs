//! Runs a turn while handling user input and signals.

use throughline_agent::{Agent, TurnError, TurnOutcome};
use throughline_conversation::Message;
use throughline_session::{AnswerSink, RunEnding};
use throughline_stored::InputHistory;
use throughline_text::error_chain;
use throughline_tools::CancelFlag;
use throughline_tui::{Act, Show};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};

use super::background::BackgroundCommands;
use super::failure::Failure;
use super::screen::Screen;

/// Input of the user and signals of the system.
pub(super) struct InputSource {
    pub(super) acts: UnboundedReceiver<Act>,
    pub(super) ended: Receiver<u8>,
    /// The input history for later sessions; `None` once it could not be written.
    pub(super) history: Option<InputHistory>,
    pub(super) screen: Screen,
}

/// One input.
pub(super) enum Input {
    Act(Act),
    /// The program has to end with this code.
    End(u8),
}

impl InputSource {
    /// Waits for the next input. A closed screen counts as Quit.
    pub(super) async fn next(&mut self) -> Input {
        loop {
            let act = tokio::select! {
                biased;
                Some(code) = self.ended.recv() => return Input::End(code),
                act = self.acts.recv() => act.unwrap_or(Act::Quit),
            };
            match act {
                Act::Entered(text) => self.record(&text),
                act => return Input::Act(act),
            }
        }
    }

    /// Adds input to the history. A failure is reported once.
    fn record(&mut self, text: &str) {
        let Some(history) = &self.history else { return };
        if let Err(error) = history.record(text) {
            let why = error_chain(&error);
            self.screen
                .notice(format!("The input of this session cannot be recorded for later ones: {why}."));
            self.history = None;
        }
    }
}

/// Input that arrived during work and has to be handled after it.
#[derive(Debug, Default)]
pub(super) struct PendingInput {
    pub(super) acts: Vec<Act>,
    /// The exit code, if the program has to end.
    pub(super) end: Option<u8>,
}

/// Waits for work. Meanwhile handles input that needs no agent, and collects the rest.
pub(super) async fn run_with_input<T>(
    work: impl Future<Output = T>,
    input: &mut InputSource,
    background: &BackgroundCommands,
    cancel: &CancelFlag,
) -> (T, PendingInput) {
    let mut pending = PendingInput::default();
    tokio::pin!(work);
    loop {
        let next = tokio::select! {
            biased;
            done = &mut work => return (done, pending),
            next = input.next(), if pending.end.is_none() => next,
        };
        match next {
            Input::End(code) => {
                cancel.cancel();
                pending.end = Some(code);
            }
            Input::Act(Act::Quit) => {
                cancel.cancel();
                pending.end = Some(0);
            }
            Input::Act(Act::Typing) => {}
            Input::Act(Act::Interrupt) => cancel.cancel(),
            Input::Act(act) if background.accepts(&act) => background.spawn(act),
            Input::Act(act) => pending.acts.push(act),
        }
    }
}

/// Waits for work until it is cancelled. Only for work that may be dropped at any moment.
pub(super) async fn cancellable<T>(work: impl Future<Output = T>, cancel: &CancelFlag) -> Option<T> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        done = work => Some(done),
    }
}

/// What to ask the agent.
pub(super) enum Work {
    /// Answer a message.
    Message {
        /// Names a session without a title.
        title: String,
        message: Message,
    },
    /// Continue the interrupted turn.
    Continue,
}

/// Runs a turn, and shows how it ended unless that is obvious.
pub(super) async fn turn(
    agent: &mut Agent,
    work: Work,
    input: &mut InputSource,
    background: &BackgroundCommands,
) -> PendingInput {
    let screen = &input.screen.clone();
    let cancel = CancelFlag::new();
    let working = async {
        let sink = AnswerSink::new(screen);
        match work {
            Work::Message { message, .. } => agent.turn(message, &sink, &cancel).await.map(Some),
            Work::Continue => agent.continue_turn(&sink, &cancel).await,
        }
    };
    let (outcome, pending) = run_with_input(working, input, background, &cancel).await;
    show_ending(&outcome, screen);
    pending
}

fn show_ending(outcome: &Result<Option<TurnOutcome>, TurnError>, screen: &Screen) {
    match outcome {
        Ok(None) => screen.notice("Nothing to continue: the last turn is complete."),
        Ok(Some(TurnOutcome { cancelled: true, .. })) => {
            screen.notice("Interrupted. The work so far is saved: send a new message, or /continue.");
        }
        Ok(Some(outcome)) => {
            let ending = RunEnding::answered(outcome.clone());
            ending.error.into_iter().for_each(|why| screen.problem(why));
            ending.note.into_iter().for_each(|text| screen.notice(text));
        }
        Err(error) => {
            let failure = Failure::of(error);
            screen.show(Show::Failure { what: failure.what, advice: failure.advice });
        }
    }
}

#[cfg(test)]
mod tests;
