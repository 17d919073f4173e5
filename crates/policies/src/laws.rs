//! Laws that hold for every view, every goal and every sequence of compactions.

mod chains;
mod eviction;
mod pins;

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;
use throughline_compaction::{CompactionError, CompactionPolicy, Compactor, Goal, TargetSize};
use throughline_conversation::{
    ContentBlock, EntryKind, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Source,
    Thinking, ToolCall, ToolResult, View,
};
use throughline_ledger::refs;
use throughline_testkit::WordCounter;

use crate::testing::{appended, compact, words};

/// One thing that happens in a session.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Asks(usize),
    Says(usize),
    Works { calls: Vec<(usize, usize, bool)>, thinks: bool, says: usize },
    Notes,
    Compacts { room: u64, goal: Goal },
}

pub(crate) fn event() -> impl Strategy<Value = Event> {
    let goal = prop_oneof![Just(Goal::Deep), (40u64..600).prop_map(Goal::MustFit)];
    prop_oneof![
        2 => (1usize..60).prop_map(Event::Asks),
        2 => (1usize..60).prop_map(Event::Says),
        6 => (prop::collection::vec((0usize..120, 0usize..80, any::<bool>()), 1..4), any::<bool>(), 0usize..30)
            .prop_map(|(calls, thinks, says)| Event::Works { calls, thinks, says }),
        1 => Just(Event::Notes),
        2 => (100u64..1_500, goal).prop_map(|(room, goal)| Event::Compacts { room, goal }),
    ]
}

fn policy() -> impl Strategy<Value = CompactionPolicy> {
    (0usize..4, 20u64..300, 0u64..300, 0usize..200).prop_map(
        |(protect_steps, tokens, user_words_tokens, least)| CompactionPolicy {
            protect_steps,
            target: TargetSize { fraction: 0.5, tokens },
            user_words_tokens,
            clear_min_bytes: least,
            max_failures: 0,
            ..CompactionPolicy::default()
        },
    )
}

/// A session that is played, with all that was ever stored.
pub(crate) struct Play {
    pub(crate) view: View,
    stored: BTreeSet<String>,
    calls: usize,
    exchange: ExchangeId,
    /// Whether a compaction may put the last request into a summary, verbatim.
    moves_request: bool,
}

impl Play {
    /// A session in which the user has asked for something.
    pub(crate) fn new(moves_request: bool) -> Self {
        let view = View::default();
        let mut play =
            Self { view, stored: BTreeSet::new(), calls: 0, exchange: ExchangeId(0), moves_request };
        play.play(&Event::Asks(5));
        play
    }

    /// Has the model call a tool that does not answer.
    pub(crate) fn leave_open(&mut self) -> Message {
        if self.model_spoke() {
            self.play(&Event::Asks(5));
        }
        let call = ToolCall {
            id: "open".to_owned(),
            name: "bash".to_owned(),
            input: json!({ "command": words(9) }),
        };
        let message = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
        self.say(message.clone(), Source::Model("m".to_owned()));
        message
    }

    /// Returns true if the view has the request in a message of its own, or, where that is allowed, inside a summary.
    fn still_has(&self, request: Option<&Message>) -> bool {
        let text = request.map(Message::text).unwrap_or_default();
        let inside = |entry: &throughline_conversation::Entry| entry.message.text().ends_with(&text);
        self.last_request().as_ref() == request
            || (self.moves_request && self.view.entries().iter().any(inside))
    }

    pub(crate) fn say(&mut self, message: Message, source: Source) {
        let body = RecordBody::Message(MessageRecord { message, source, usage: None });
        let record = Record { seq: self.view.last().next(), at: Millis(0), exchange: self.exchange, body };
        self.view.apply(&record, &WordCounter).expect("messages in order always apply");
    }

    /// Returns true if the last message is the model's, so that it is not its turn.
    fn model_spoke(&self) -> bool {
        self.view.entries().last().is_none_or(|entry| entry.message.role == Role::Assistant)
    }

    pub(crate) fn play(&mut self, event: &Event) {
        match event {
            Event::Asks(count) if self.view.open_calls().is_empty() => {
                self.exchange = self.exchange.next();
                self.say(Message::user(format!("please {}", words(*count))), Source::User);
            }
            Event::Notes if self.view.open_calls().is_empty() => {
                self.say(Message::user("a note of the engine"), Source::Engine);
            }
            Event::Says(count) if !self.model_spoke() => {
                self.say(Message::assistant(words(*count)), Source::Model("m".to_owned()));
            }
            Event::Works { calls, thinks, says } if !self.model_spoke() => self.work(calls, *thinks, *says),
            _ => {}
        }
    }

    fn work(&mut self, calls: &[(usize, usize, bool)], thinks: bool, says: usize) {
        let mut content = Vec::new();
        if thinks {
            let (text, signature) = (words(5), Some("signed".to_owned()));
            content.push(ContentBlock::Thinking(Thinking { text, signature, redacted: None }));
        }
        if says > 0 {
            content.push(ContentBlock::Text { text: words(says) });
        }
        let mut results = Vec::new();
        for (result, input, fails) in calls {
            self.calls += 1;
            let id = format!("c{}", self.calls);
            let name = if *fails { "bash" } else { "read" }.to_owned();
            let input = json!({ "path": format!("src/file_{}.rs", self.calls % 7), "note": words(*input) });
            content.push(ContentBlock::ToolCall(ToolCall { id: id.clone(), name, input }));
            let text = format!("result_{} {}", self.calls, words(*result));
            results.push(ToolResult { is_error: *fails, ..ToolResult::text(id, text) });
        }
        self.say(Message { role: Role::Assistant, content }, Source::Model("m".to_owned()));
        self.say(Message::results(results), Source::Tools);
    }

    fn last_request(&self) -> Option<Message> {
        let mut requests = self.view.entries().iter().rev().filter(|entry| entry.kind == EntryKind::User);
        requests.next().map(|entry| entry.message.as_ref().clone())
    }

    pub(crate) fn compact(&mut self, compactor: &Compactor, room: u64, goal: Goal) {
        let before = self.view.clone();
        let outcome = compact(compactor, &self.view, room, goal);
        assert_eq!(self.view, before, "the view is untouched");
        let again = compact(compactor, &self.view, room, goal);
        let done = match outcome {
            Err(error) => {
                let expected = matches!(
                    error,
                    CompactionError::NothingToGain { .. } | CompactionError::DoesNotFit { .. }
                );
                assert!(expected, "{error}");
                if let (CompactionError::DoesNotFit { smallest, allowed, .. }, Goal::MustFit(limit)) =
                    (&error, goal)
                {
                    assert!(smallest > allowed && *allowed == limit, "{error}");
                }
                assert_eq!(error.to_string(), again.expect_err("the same error").to_string());
                return;
            }
            Ok(done) => done,
        };
        // Same inputs, same edit.
        let again = again.expect("the same outcome");
        assert_eq!(serde_json::to_string(&done.edit).ok(), serde_json::to_string(&again.edit).ok());
        assert_eq!(done, again);
        assert_eq!(done.degraded, [], "nothing fails on the way");
        // Valid, smaller, and as small as it must be.
        let (old, new) = (before.violations().len(), done.view.violations().len());
        assert!(new <= old, "{:?} -> {:?}", before.violations(), done.view.violations());
        assert!(done.result.after_tokens < done.result.before_tokens, "{}", done.result);
        assert_eq!(done.result.after_tokens, done.view.tokens());
        if let Goal::MustFit(allowed) = goal {
            assert!(done.view.tokens() <= allowed);
        }
        assert_eq!(before.open_calls(), done.view.open_calls());
        // The edit leads to the candidate, also after it was written down and read.
        let written = serde_json::to_string(&done.edit).expect("an edit can be written");
        let read = serde_json::from_str(&written).expect("and read");
        assert_eq!(done.edit, read);
        assert_eq!(done.view, before.edited(&read, &WordCounter).expect("it fits"));
        // Whatever a text names can be read back.
        for kept in &done.keep {
            assert!(
                done.view.entries().iter().any(|entry| names(&entry.message, kept.stored.as_str())),
                "unnamed"
            );
            self.stored.insert(kept.stored.to_string());
        }
        let request = self.last_request();
        self.view = appended(&self.view, &done);
        assert!(self.still_has(request.as_ref()), "the last request stays verbatim");
        for entry in self.view.entries() {
            let text = serde_json::to_string(entry.message.as_ref()).expect("a message can be written");
            for name in refs(&text) {
                assert!(self.stored.contains(name), "{name} is not stored: {text}");
            }
        }
    }
}

fn names(message: &Message, name: &str) -> bool {
    serde_json::to_string(message).is_ok_and(|text| text.contains(name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_session_survives_any_compactions(policy in policy(), events in prop::collection::vec(event(), 1..40)) {
        let compactor = Compactor::new(policy, None);
        let mut play = Play::new(false);
        for event in &events {
            match event {
                Event::Compacts { room, goal } => play.compact(&compactor, *room, *goal),
                event => play.play(event),
            }
        }
        play.compact(&compactor, 400, Goal::Deep);
        play.compact(&compactor, 400, Goal::MustFit(200));
    }

    #[test]
    fn a_step_that_waits_for_results_is_never_touched(
        policy in policy(),
        events in prop::collection::vec(event(), 1..30),
        allowed in 40u64..400,
    ) {
        let compactor = Compactor::new(policy, None);
        let mut play = Play::new(false);
        events.iter().for_each(|event| play.play(event));
        let message = play.leave_open();
        play.compact(&compactor, 600, Goal::MustFit(allowed));
        prop_assert_eq!(play.view.entries().last().map(|entry| entry.message.as_ref().clone()), Some(message));
        play.say(Message::results([ToolResult::text("open", "ok")]), Source::Tools);
        prop_assert_eq!(play.view.violations(), []);
    }
}
