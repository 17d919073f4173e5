//! One turn, with an ear for the user.

use throughline_agent::{Agent, TurnError, TurnOutcome};
use throughline_conversation::Message;
use throughline_text::error_chain;
use throughline_tools::CancelFlag;
use throughline_tui::Act;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};

use super::aside::Aside;
use super::inputs::Inputs;
use super::screen::Screen;
use crate::run::answered;

/// What the user and the system tell the session.
pub(super) struct Ears {
    pub(super) acts: UnboundedReceiver<Act>,
    pub(super) ended: Receiver<u8>,
    /// Where what is typed is kept for later sessions; `None`: it cannot be.
    pub(super) inputs: Option<Inputs>,
    pub(super) screen: Screen,
}

/// Something that was heard.
pub(super) enum Heard {
    Act(Act),
    /// The program has to end, with this code.
    End(u8),
}

impl Ears {
    /// What comes next. A screen that is gone is a user who left.
    pub(super) async fn next(&mut self) -> Heard {
        tokio::select! {
            biased;
            Some(code) = self.ended.recv() => Heard::End(code),
            act = self.acts.recv() => {
                let act = act.unwrap_or(Act::Quit);
                self.keep(&act);
                Heard::Act(act)
            }
        }
    }

    /// Keeps what was typed. That it cannot be kept is said once.
    fn keep(&mut self, act: &Act) {
        let (Act::Submit(text), Some(inputs)) = (act, &self.inputs) else { return };
        if let Err(error) = inputs.typed(text) {
            let why = error_chain(error.as_ref());
            self.screen.notice(format!("Later sessions will not know what is typed in this one: {why}."));
            self.inputs = None;
        }
    }
}

/// What was heard while work went on that has to be done after it.
#[derive(Debug, Default)]
pub(super) struct Later {
    pub(super) acts: Vec<Act>,
    /// The code to end with.
    pub(super) end: Option<u8>,
}

/// Waits for work, and meanwhile does what can be done beside it.
pub(super) async fn attended<T>(
    work: impl Future<Output = T>,
    ears: &mut Ears,
    aside: &Aside,
    cancel: &CancelFlag,
) -> (T, Later) {
    let mut later = Later::default();
    tokio::pin!(work);
    loop {
        let heard = tokio::select! {
            biased;
            done = &mut work => return (done, later),
            heard = ears.next(), if later.end.is_none() => heard,
        };
        match heard {
            Heard::End(code) => {
                cancel.cancel();
                later.end = Some(code);
            }
            Heard::Act(Act::Quit) => {
                cancel.cancel();
                later.end = Some(0);
            }
            Heard::Act(Act::Interrupt) => cancel.cancel(),
            Heard::Act(act) if aside.takes(&act) => {
                // The work goes on while this is answered.
                aside.spawn(act);
            }
            Heard::Act(act) => later.acts.push(act),
        }
    }
}

/// Waits for work until it is stopped. Only for work that may be dropped at any moment.
pub(super) async fn unless_stopped<T>(work: impl Future<Output = T>, cancel: &CancelFlag) -> Option<T> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        done = work => Some(done),
    }
}

/// What the agent is asked to do.
pub(super) enum Work {
    /// Take a message.
    Message(String),
    /// Go on with what was cut off.
    GoOn,
}

/// Works until the model ends its turn, and says how it ended where that is not plain.
pub(super) async fn turn(
    agent: &mut Agent,
    work: Work,
    screen: &Screen,
    (ears, aside): (&mut Ears, &Aside),
) -> Later {
    let cancel = CancelFlag::new();
    let working = async {
        match work {
            Work::Message(text) => agent.turn(Message::user(text), screen, &cancel).await.map(Some),
            Work::GoOn => agent.continue_turn(screen, &cancel).await,
        }
    };
    let (outcome, later) = attended(working, ears, aside, &cancel).await;
    say(&outcome, screen);
    later
}

fn say(outcome: &Result<Option<TurnOutcome>, TurnError>, screen: &Screen) {
    match outcome {
        Ok(None) => screen.notice("There is nothing to go on with: the last word was the model's."),
        Ok(Some(TurnOutcome { cancelled: true, .. })) => {
            screen.notice("Interrupted. What was done so far is kept; say what to do instead, or /continue.");
        }
        Ok(Some(TurnOutcome { text, stop, .. })) => {
            let ending = answered(text.clone(), stop.clone());
            ending.error.into_iter().for_each(|why| screen.problem(why));
            ending.note.into_iter().for_each(|text| screen.notice(text));
        }
        Err(error) => {
            screen.problem(error_chain(error));
            screen.notice("The session keeps everything; /continue tries again.");
        }
    }
}
