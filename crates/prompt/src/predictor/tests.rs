//! Predictions, and the law that they equal what a prefix cache then does.

use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::{Just, Strategy, prop_assert_eq, prop_oneof, proptest};
use throughline_completion::{CompletionRequest, PrefixCache};
use throughline_conversation::{
    CacheChange, CacheForecast, SectionText, TokenCounter, ToolDefinition, ToolOrigin,
};
use throughline_testkit::{WordCounter, view};

use super::{CachePredictor, NextRequest};

fn tools(words: &str) -> Arc<[ToolDefinition]> {
    let tool = ToolDefinition {
        name: "read".to_owned(),
        description: words.to_owned(),
        input_schema: serde_json::json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    };
    Arc::new([tool])
}

fn system(words: &str) -> Arc<[SectionText]> {
    Arc::new([SectionText { name: "base".to_owned(), text: words.to_owned(), cacheable: true, skill: false }])
}

/// Tools of 100 tokens, a system prompt of 20, and so many messages of 10 each, with a tail of 3.
struct Session {
    predictor: CachePredictor,
    tools: Arc<[ToolDefinition]>,
    system: Arc<[SectionText]>,
    epoch: u64,
}

impl Session {
    fn new() -> Self {
        Self { predictor: CachePredictor::new(), tools: tools("t"), system: system("s"), epoch: 0 }
    }

    fn next(&self, messages: usize) -> NextRequest<'_> {
        NextRequest {
            tools: &self.tools,
            system: &self.system,
            tools_tokens: 100,
            system_tokens: 20,
            messages,
            conversation_tokens: messages as u64 * 10,
            epoch: self.epoch,
            tail_tokens: 3,
        }
    }

    /// What the next request finds, and what has changed.
    fn forecast(&self, messages: usize) -> Option<(u64, Option<CacheChange>)> {
        let found = self.predictor.forecast(&self.next(messages));
        found.map(|CacheForecast { warm, change }| (warm, change))
    }

    fn send(&mut self, messages: usize, after: &Expect) {
        let mut predictor = self.predictor.clone();
        let usage = predictor.predict(&self.next(messages));
        self.predictor = predictor;
        after.assert_eq(&format!(
            "read {} write {} input {}",
            usage.cache_read, usage.cache_write, usage.input
        ));
    }
}

#[test]
fn an_extended_request_reads_all_that_was_sent_before() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 130 input 3"]);
    session.send(3, &expect!["read 130 write 20 input 3"]);
    session.send(3, &expect!["read 150 write 0 input 3"]);
}

#[test]
fn a_new_epoch_reads_tools_and_system_prompt() {
    let mut session = Session::new();
    session.send(9, &expect!["read 0 write 210 input 3"]);
    session.epoch += 1;
    session.send(2, &expect!["read 120 write 20 input 3"]);
    session.send(4, &expect!["read 140 write 20 input 3"]);
    session.send(3, &expect!["read 120 write 30 input 3"]);
}

#[test]
fn a_change_makes_everything_behind_it_cold() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 130 input 3"]);
    session.system = system("other");
    session.send(3, &expect!["read 100 write 50 input 3"]);
    session.tools = tools("other");
    session.send(3, &expect!["read 0 write 150 input 3"]);
    // Equal content elsewhere in memory is no change.
    session.tools = tools("other");
    session.send(3, &expect!["read 150 write 0 input 3"]);
    session.predictor.forget(CacheChange::ModelSwitch);
    session.send(3, &expect!["read 0 write 150 input 3"]);
}

#[test]
fn what_has_changed_since_the_request_before_is_named() {
    use CacheChange::{Idle, Messages, ModelSwitch, SystemPrompt, Tools};
    let mut session = Session::new();
    assert_eq!(session.forecast(1), None, "nothing was sent");
    session.send(1, &expect!["read 0 write 130 input 3"]);
    assert_eq!(session.forecast(2), Some((130, None)));
    session.epoch += 1;
    assert_eq!(session.forecast(2), Some((130, Some(Messages))));
    session.system = system("other");
    assert_eq!(session.forecast(2), Some((130, Some(SystemPrompt))));
    session.tools = tools("other");
    assert_eq!(session.forecast(2), Some((130, Some(Tools))));
    session.predictor.forget(ModelSwitch);
    // The first cause counts.
    session.predictor.forget(Idle { minutes: 5 });
    assert_eq!(session.forecast(2), Some((130, Some(ModelSwitch))));
    session.send(2, &expect!["read 0 write 140 input 3"]);
    assert_eq!(session.forecast(2), Some((140, None)));
}

#[derive(Debug, Clone)]
enum Step {
    Say(u8),
    ChangeTools,
    ChangeSystem,
    Compact,
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0_u8..5).prop_map(Step::Say),
        1 => Just(Step::ChangeTools),
        1 => Just(Step::ChangeSystem),
        1 => Just(Step::Compact),
    ];
    proptest::collection::vec(step, 1..20)
}

proptest! {
    #[test]
    fn the_prediction_is_what_a_prefix_cache_does(steps in any_steps()) {
        let (mut predictor, mut cache) = (CachePredictor::new(), PrefixCache::default());
        let (mut tools, mut system) = (tools("0"), system("0 base"));
        let (mut text, mut epoch, mut said) = (String::from("user: start\n"), 0, 0);
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Say(count) => {
                    for _ in 0..*count {
                        said += 1;
                        text.push_str(&format!("assistant: answer {said}\nuser: and then {said}\n"));
                    }
                }
                Step::ChangeTools => tools = self::tools(&format!("{index}")),
                Step::ChangeSystem => system = self::system(&format!("{index} base")),
                Step::Compact => {
                    epoch += 1;
                    text = format!("user: summary {epoch}\n");
                }
            }
            let view = view(&text);
            let request = CompletionRequest {
                model: "m".to_owned(),
                session: None,
                tools: Arc::clone(&tools),
                system: Arc::clone(&system),
                transcript: view.transcript().clone(),
                tail: vec!["a note".to_owned()],
                breakpoints: Vec::new(),
                max_output_tokens: 1,
            };
            let predicted = predictor.predict(&NextRequest {
                tools: &tools,
                system: &system,
                tools_tokens: WordCounter.tool(&tools[0]),
                system_tokens: WordCounter.text(&system[0].text),
                messages: view.transcript().len(),
                conversation_tokens: view.tokens(),
                epoch,
                tail_tokens: 2,
            });
            prop_assert_eq!(predicted, cache.observe(&request, &WordCounter).usage(0));
        }
    }
}
