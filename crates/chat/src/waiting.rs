//! While the session waits for its user: what happens shortly before its prompt cache expires.

use std::time::{Duration, Instant};

use throughline_agent::Agent;
use throughline_compaction::{WaitingChoice, WaitingTerms};
use throughline_text::error_chain;
use throughline_tools::CancelFlag;
use throughline_tui::{Act, TurnState};

use super::driver::Driver;
use super::turn::Input;

/// How long before the end the decision is made: a summary takes some seconds.
const LEAD: Duration = Duration::from_secs(45);

/// How long the user must not have typed.
const QUIET: Duration = Duration::from_secs(20);

/// What was done since the session waits.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    typed: Option<Instant>,
    warmed: u64,
    decided: bool,
}

impl Waiting {
    /// The user types.
    pub(super) fn typed(&mut self) {
        self.typed = Some(Instant::now());
    }

    /// When the next decision is due; `None`: nothing is left to decide.
    fn due(&self, agent: &Agent) -> Option<Instant> {
        if self.decided {
            return None;
        }
        let now = Instant::now();
        let left = agent.cache_expires_in()?;
        let quiet = self.typed.map_or(now, |typed| typed + QUIET);
        let due = (now + left.saturating_sub(LEAD)).max(quiet);
        (due < now + left).then_some(due)
    }
}

impl Driver {
    /// Waits for the next input, and sees to the prompt cache meanwhile.
    pub(super) async fn next_input(&mut self) -> Input {
        loop {
            let due = self.live.as_ref().and_then(|live| self.waiting.due(&live.session.agent));
            let input = tokio::select! {
                biased;
                input = self.input.next() => input,
                () = at(due) => match self.before_expiry().await {
                    Some(input) => input,
                    None => continue,
                },
            };
            return input;
        }
    }

    /// Does what is cheapest. Returns the input that came meanwhile.
    async fn before_expiry(&mut self) -> Option<Input> {
        let config = &self.setup.config;
        let may_warm = self.waiting.warmed < config.keep_warm();
        let terms = self.live.as_ref().and_then(|live| live.session.agent.decide_idle(may_warm));
        match terms {
            Some(terms) if terms.choice == WaitingChoice::KeepWarm => {
                self.waiting.warmed += 1;
                self.keep_warm().await
            }
            Some(terms) if terms.choice == WaitingChoice::Compact && config.compacts_idle() => {
                self.waiting.decided = true;
                self.compact_idle(&terms).await
            }
            _ => {
                self.waiting.decided = true;
                None
            }
        }
    }

    async fn keep_warm(&mut self) -> Option<Input> {
        let (screen, cancel) = (self.setup.screen.clone(), CancelFlag::new());
        let live = self.live.as_mut()?;
        let (done, input) =
            until_input(live.session.agent.keep_warm(&screen, &cancel), &mut self.input, &cancel).await;
        if let Err(error) = done
            && input.is_none()
        {
            self.waiting.decided = true;
            screen.notice(format!("The prompt cache was not kept warm: {}.", error_chain(&error)));
        }
        input
    }

    async fn compact_idle(&mut self, terms: &WaitingTerms) -> Option<Input> {
        let (screen, cancel) = (self.setup.screen.clone(), CancelFlag::new());
        let live = self.live.as_mut()?;
        screen.turn(TurnState::Compacting);
        let work = live.session.agent.compact_idle(&screen, &cancel);
        let (done, input) = until_input(work, &mut self.input, &cancel).await;
        live.measure(&screen);
        screen.turn(TurnState::Idle);
        if done.is_ok() {
            screen.notice(format!("While the session waited: {}.", terms.sentence()));
        }
        input
    }
}

/// Waits for work. The first input, or a key of the user, stops it.
async fn until_input<T>(
    work: impl Future<Output = T>,
    input: &mut super::turn::InputSource,
    cancel: &CancelFlag,
) -> (T, Option<Input>) {
    tokio::pin!(work);
    let first = tokio::select! {
        biased;
        done = &mut work => return (done, None),
        input = input.next() => input,
    };
    cancel.cancel();
    (work.await, Some(first))
}

async fn at(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due.into()).await,
        None => std::future::pending().await,
    }
}

/// Returns true if the act means that the session works again.
pub(super) fn ends_waiting(act: &Act) -> bool {
    matches!(act, Act::Submit(_) | Act::Picked { .. })
}
