//! Policies outside of this crate, over a small session.

use std::sync::{Arc, Mutex};

use throughline_conversation::{Message, ToolResult};
use throughline_testkit::WordCounter;

use super::{
    ExternalError, ExternalMessage, ExternalPolicy, ExternalReport, ExternalRoom, Summarize, replay_external,
};
use crate::factor::TokenScale;
use crate::peers::PeerOptions;
use crate::recall::SessionNeeds;
use crate::sample::session;

/// Shows all messages; from `most` on, a summary and the last message of the user.
#[derive(Debug)]
struct Fake {
    most: usize,
    /// Removes the pair of the last result, which is invalid, or names what it was not given.
    fault: Option<fn() -> ExternalMessage>,
    state: Mutex<(usize, Vec<ExternalMessage>)>,
    refused: Mutex<usize>,
}

impl Fake {
    fn new(most: usize) -> Self {
        Self { most, fault: None, state: Mutex::default(), refused: Mutex::default() }
    }
}

impl ExternalPolicy for Fake {
    fn open(&self, room: &ExternalRoom) -> Result<(), ExternalError> {
        assert!(room.chars_per_token > 1.0 && room.limit < room.window && room.fixed == 500, "{room:?}");
        *self.state.lock().unwrap() = (0, Vec::new());
        Ok(())
    }

    fn view(
        &self,
        new: &[&Message],
        summarize: &mut Summarize<'_>,
    ) -> Result<Vec<ExternalMessage>, ExternalError> {
        let mut state = self.state.lock().unwrap();
        for message in new {
            let given = state.0;
            state.0 += 1;
            state.1.push(ExternalMessage::Given(given));
            if state.1.len() > self.most && message.tool_results().next().is_none() {
                let summary = Message::user(summarize("What was done so far?"));
                state.1 = vec![ExternalMessage::Own(summary), ExternalMessage::Given(given)];
            }
        }
        let mut view = state.1.clone();
        view.extend(self.fault.map(|fault| fault()));
        Ok(view)
    }

    fn refused(&self, _: &mut Summarize<'_>) -> Result<Vec<ExternalMessage>, ExternalError> {
        *self.refused.lock().unwrap() += 1;
        Ok(self.state.lock().unwrap().1.clone())
    }
}

fn run(fake: &Fake, window: u64) -> Result<ExternalReport, ExternalError> {
    let work = |turn: usize| {
        let old = turn.saturating_sub(5);
        let words = "word in ".repeat(300);
        format!(
            "user: change number {turn}\nassistant: I look\n  -> a{turn} read {{\"path\": \"src/part_{turn}.rs\"}}\n\
             results:\n  a{turn} = fn shown_{turn}() of this file\\n{words}\nassistant:\n  -> b{turn} edit \
             {{\"old_string\": \"fn shown_{old}() of this file\"}}\nresults:\n  b{turn} = edited\nassistant: done\n"
        )
    };
    let session = session(&(0..10).map(work).collect::<String>());
    let options = PeerOptions {
        window,
        scale: TokenScale::Provider,
        max_output: 100,
        overhead: 500,
        counter: Arc::new(WordCounter),
        clock: true,
    };
    let mut seen = 0;
    let report = replay_external(&session, &SessionNeeds::of(&session), &options, fake, &mut |_| seen += 1)?;
    assert_eq!(seen, 30);
    Ok(report)
}

#[test]
fn a_policy_that_shows_all_costs_as_much_as_the_whole_history() {
    let report = run(&Fake::new(usize::MAX), 1_000_000).unwrap();
    assert_eq!((report.requests, report.dropped, report.invalid, report.summaries), (30, 0, 0, 0));
    assert!((report.prices.ratio_anthropic_regret - 1.0).abs() < 1e-9, "{report:?}");
    assert_eq!(report.prices.cuts, 0);
}

#[test]
fn a_policy_that_summarizes_pays_for_it_and_for_what_is_needed_again() {
    let report = run(&Fake::new(20), 1_000_000).unwrap();
    assert!(report.summaries > 0 && report.prices.cuts > 0, "{report:?}");
    assert!(report.prices.summaries_anthropic > 0.0 && report.prices.refetches > 0, "{report:?}");
    assert_eq!(report.invalid, 0);
}

#[test]
fn a_request_that_is_too_large_is_refused_and_then_cut() {
    let fake = Fake::new(usize::MAX);
    let report = run(&fake, 3_000).unwrap();
    let refused = *fake.refused.lock().unwrap();
    assert_eq!(report.dropped, u64::try_from(refused).unwrap(), "the fake shrinks nothing, so once each");
    assert!(refused > 0);
}

#[test]
fn an_orphan_is_counted_and_a_message_that_was_not_given_ends_the_session() {
    let orphan = || ExternalMessage::Own(Message::results([ToolResult::text("never", "called")]));
    let report = run(&Fake { fault: Some(orphan), ..Fake::new(usize::MAX) }, 1_000_000).unwrap();
    assert_eq!(report.invalid, 30);
    let unknown = Fake { fault: Some(|| ExternalMessage::Given(1_000)), ..Fake::new(usize::MAX) };
    let error = run(&unknown, 1_000_000).unwrap_err();
    assert_eq!(error.to_string(), "the policy shows message 1000, which it was not given");
}

#[test]
fn a_view_is_read_from_json() {
    let view = r#"[{"given":3},{"own":{"role":"user","content":[{"type":"text","text":"hm"}]}}]"#;
    let view: Vec<ExternalMessage> = serde_json::from_str(view).unwrap();
    assert_eq!(view, [ExternalMessage::Given(3), ExternalMessage::Own(Message::user("hm"))]);
}
