//! Pictures of a tool's result on the way to a provider and back.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// A picture of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

/// An MCP server whose tool `look` answers with the pictures of a file.
const PICTURES: &str = r#"while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) r='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) r='{"tools":[{"name":"look","description":"Looks","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) r=$(cat "$1") ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$r"
done"#;

/// A place with the server, whose tool gives these pictures.
fn place(pictures: &[(&str, &str)]) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(place.folder.path().join("server.sh"), PICTURES).unwrap();
    let blocks: Vec<Value> = pictures
        .iter()
        .map(|(kind, data)| json!({"type": "image", "mimeType": kind, "data": data}))
        .collect();
    fs::write(place.folder.path().join("result.json"), json!({"content": blocks}).to_string()).unwrap();
    let server = format!(
        "[mcp.servers.s]\ncommand = \"sh\"\nargs = [\"{0}/server.sh\", \"{0}/result.json\"]\n",
        place.folder.path().display()
    );
    fs::write(folder.join("config.toml"), server).unwrap();
    place
}

/// The blocks of a call's result in the last request.
fn result(server: &Server, call: &str) -> Vec<Value> {
    let body = server.received().pop().unwrap().body;
    let messages = body["messages"].as_array().unwrap().iter();
    let mut blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
    let found = blocks.find(|block| block["tool_use_id"] == call).unwrap();
    match &found["content"] {
        Value::Array(blocks) => blocks.clone(),
        text => vec![json!({"type": "text", "text": text})],
    }
}

/// Runs it. The calls that it prints are of no interest.
#[track_caller]
fn ended(mut command: Command) -> String {
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

fn reference(text: &str) -> &str {
    text.split("ref_id=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[test]
fn a_malformed_picture_of_an_mcp_server_reaches_no_provider_and_can_be_read() {
    let cut = PNG.trim_end_matches('=').get(..90).unwrap();
    let place = place(&[("image/png", cut), ("image/jpeg", PNG), ("image/svg+xml", "PHN2Zz4=")]);
    let look = Answer::call("c1", "mcp__s__look", json!({}));
    let server = serve(Script::new().then(look).then(Answer::text("Seen.")));
    let said = ended(place.asks(&server, MODEL, &["--allow", "mcp__s__look", "Look."]));
    assert_eq!(said, "Seen.\n");
    assert!(server.received().iter().all(|request| request.faults.is_empty()), "{:?}", server.received());
    let blocks = result(&server, "c1");
    let [text, image] = blocks.as_slice() else { panic!("{blocks:?}") };
    assert_eq!((&image["type"], &image["source"]["media_type"]), (&json!("image"), &json!("image/png")));
    let text = text["text"].as_str().unwrap();
    assert_says(text, &["its base64 is malformed", "it is no PNG, JPEG, GIF or WebP"]);

    let read = Answer::call("c2", "read_result", json!({"ref_id": reference(text)}));
    let server = serve(Script::new().then(read).then(Answer::text("Read.")));
    ended(place.asks(&server, MODEL, &["-c", "Read it."]));
    let shown = result(&server, "c2").remove(0);
    assert_says(shown["text"].as_str().unwrap(), &[&format!("data:image/png;base64,{cut}")]);
}

#[test]
fn a_picture_that_a_compaction_took_away_is_shown_again_by_read_result() {
    let place = place(&[("image/png", PNG)]);
    let look = Answer::call("c1", "mcp__s__look", json!({}));
    let server = serve(Script::new().then(look).then(Answer::text("Seen.")).then(Answer::text("More.")));
    ended(place.asks(&server, MODEL, &["--allow", "mcp__s__look", "Look."]));
    ended(place.asks(&server, MODEL, &["-c", "And more?"]));
    ended(place.asks(&server, MODEL, &["-c", "/compact"]));
    let shown = run(&mut place.bare(&["context", "last", "show"])).done();
    let read = Answer::call("c2", "read_result", json!({"ref_id": reference(&shown)}));
    let server = serve(Script::new().then(read).then(Answer::text("Seen again.")));
    ended(place.asks(&server, MODEL, &["-c", "Show it again."]));
    assert!(server.received().iter().all(|request| request.faults.is_empty()), "{:?}", server.received());
    let blocks = result(&server, "c2");
    let [text, image] = blocks.as_slice() else { panic!("{blocks:?}") };
    assert_eq!(image["source"]["data"], PNG);
    let text = text["text"].as_str().unwrap();
    assert!(!text.contains(PNG) && text.contains("[picture of type image/png; "), "{text}");
}
