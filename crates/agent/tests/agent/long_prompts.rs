//! Models whose requests cost more when their prompts are long.

use std::sync::Arc;

use throughline_agent::Event;
use throughline_completion::{ModelInfo, Prices, Reply, ScriptedModel};
use throughline_conversation::LongPrompt;
use throughline_testkit::WordCounter;

use crate::harness::{World, session, settings, turn};

fn notices(events: &[Event]) -> Vec<String> {
    let text = |event: &Event| match event {
        Event::Notice(text) => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

#[tokio::test]
async fn the_price_of_long_prompts_is_said_once_when_a_request_has_it() {
    let long = Some(LongPrompt { over: 2_000, input: 2.0, output: 1.5 });
    let info = ModelInfo {
        prices: Prices { long, ..Prices::anthropic() },
        ..ModelInfo::with_window("scripted", 200_000, 20_000)
    };
    let replies = (0..4).map(|_| Reply::text(["word"; 900].join(" ")));
    let model = Arc::new(ScriptedModel::new(info, Box::new(WordCounter), replies));
    let world = World::new(200_000, []);
    let mut agent = world.builder_for(model, settings(200_000)).open(session()).await.unwrap();
    let mut said = Vec::new();
    for text in ["One.", "Two.", "Three.", "Four."] {
        let (outcome, events) = turn(&mut agent, text).await;
        outcome.unwrap();
        said.push(notices(&events));
    }
    assert_eq!(said.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 1, 0], "{said:?}");
    let shown = &said[2][0];
    assert!(
        shown.contains("over 2,000, all of its input costs 2 times as much, and its output 1.5"),
        "{shown}"
    );
}
