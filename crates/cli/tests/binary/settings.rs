//! The user's settings file: what it changes, and what is said about one that is wrong.

use std::fs;

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

const MODEL: &str = "qwen3:8b";

/// A run with such a file, and the tokens of an answer that the model was asked for; `None`: it was not asked.
fn ran(file: &str, args: &[&str]) -> (Ran, Option<u64>) {
    let place = Place::new();
    let server = serve(Script::new().model(MODEL, 131_072).then(Answer::text("Done.")));
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), file).unwrap();
    let ran = run(place.asks(&server, ("ollama", MODEL), args).arg("Go."));
    let received = server.received();
    let chat = received.iter().find(|request| request.path == "/api/chat");
    let tokens = chat.and_then(|chat| chat.body.pointer("/options/num_predict")).and_then(Value::as_u64);
    (ran, tokens)
}

// S3-27
#[test]
fn the_file_is_read_and_what_is_typed_wins() {
    let file = "[agent]\npolicy = \"dex\"\nmax_output_tokens = 1000\n";
    let (out, tokens) = ran(file, &[]);
    assert_eq!((out.code, tokens), (Some(0), Some(1_000)), "{out:?}");
    let (out, tokens) = ran(file, &["--policy", "vibe", "--max-tokens", "500"]);
    assert_eq!((out.code, tokens), (Some(0), Some(500)), "{out:?}");
}

#[test]
fn a_wrong_file_is_named_with_its_line_before_anything_is_asked() {
    for (file, says) in [
        ("[agent]\npolicy = \"dax\"\n", ["config.toml, line 2, `policy`: ", "there is no policy \"dax\""]),
        ("[agent]\npolcy = \"dex\"\n", ["config.toml, line 2, `polcy`: ", "unknown field `polcy`"]),
        ("[agent]\n\nhard_block = 98\n", ["config.toml, line 3, `hard_block`: ", "a fraction above 0"]),
    ] {
        let (out, tokens) = ran(file, &[]);
        assert_eq!((out.code, tokens), (Some(1), None), "{out:?}");
        assert_says(&out.err, &says);
    }
}
