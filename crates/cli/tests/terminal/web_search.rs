//! What a person sees of a search that the provider runs.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

fn answer() -> Answer {
    let pages: Vec<Value> = (1..=3)
        .map(|number| {
            json!({"type": "web_search_result", "url": format!("https://example.com/{number}"), "title": format!("Herons {number}"),
                "encrypted_content": "RWFz"})
        })
        .collect();
    let citation = json!({"type": "web_search_result_location", "url": "https://example.com/2", "title": "Herons 2",
        "encrypted_index": "SW5k", "cited_text": "fly"});
    let blocks = [
        json!({"type": "text", "text": "I look that up."}),
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "where herons live"}}),
        json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": pages}),
        json!({"type": "text", "text": "Herons live near water.", "citations": [citation]}),
    ];
    let mut events = vec![json!({"type": "message_start", "message": {"usage": {"input_tokens": 1_000}}})];
    for (index, block) in blocks.iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let usage =
        json!({"input_tokens": 1_000, "output_tokens": 100, "server_tool_use": {"web_search_requests": 1}});
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Answer::raw("text/event-stream", body.into_bytes())
}

#[test]
fn a_search_is_a_card_with_its_pages_and_the_answer_ends_with_its_sources() {
    let server = serve(Script::new().then(answer()).then(Answer::text("Second.")));
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "[search]\nprovider = true\n").unwrap();
    let screen = Tmux::start(&place, &server, (100, 40), &[]);
    screen.ready();
    screen.say("Where do herons live?");
    screen.shows("Herons live near water.");
    screen.shows("search the web where herons live");
    screen.shows("Herons 2 · https://example.com/2");
    screen.shows("1 search");
    println!("{}", screen.idle());
}
