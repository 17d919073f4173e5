//! The window that an Ollama is asked for: the usual one, and what the user says instead.

use std::fs;

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: &str = "qwen3:8b";

/// `num_ctx` and `num_predict` of the request, and the notices about it, for a model that was made for `length`
/// tokens.
fn asked(length: u64, file: &str, args: &[&str]) -> ((u64, u64), String) {
    let place = Place::new();
    let server = serve(Script::new().model(MODEL, length).then(Answer::text("Done.")));
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("models.toml"), file).unwrap();
    let mut command = place.asks(&server, ("ollama", MODEL), args);
    let ran = run(command.arg("Go."));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
    let received = server.received();
    let chat = received.iter().find(|request| request.path == "/api/chat").unwrap();
    let option = |name: &str| chat.body.pointer(&format!("/options/{name}")).and_then(Value::as_u64).unwrap();
    ((option("num_ctx"), option("num_predict")), ran.err)
}

/// An entry of the user's file for the model.
fn entry(more: &str) -> String {
    format!("[[model]]\nname = \"{MODEL}\"\nmax_output = 2_000\n{more}\n")
}

#[test]
fn without_a_word_of_the_user_it_is_no_more_than_most_machines_hold() {
    assert_eq!(asked(131_072, "", &[]), ((32_768, 8_192), String::new()));
    assert_eq!(asked(16_000, "", &[]), ((16_000, 4_000), String::new()));
    // A note about something else is not about the window.
    let pictures = "[[model]]\nname = \"qwen3\"\nimages = true\n";
    assert_eq!(asked(131_072, pictures, &[]), ((32_768, 8_192), String::new()));
}

#[test]
fn an_entry_of_the_model_says_it() {
    for (file, window) in [
        (entry("window = 65_536"), 65_536),
        (entry("window = 65_536\nprovider = \"ollama\""), 65_536),
        (entry("window = 7_000"), 7_000),
        ("[[model]]\nname = \"qwen3\"\nmax_output = 2_000\nwindow = 65_536\n".to_owned(), 65_536),
    ] {
        let ((asked, predicted), _) = asked(131_072, &file, &[]);
        assert_eq!((asked, predicted), (window, (window / 4).min(2_000)), "{file}");
    }
    // That of another provider's model is not this one's.
    let other = entry("window = 65_536\nprovider = \"house\"");
    assert_eq!(asked(131_072, &other, &[]).0.0, 32_768);
}

#[test]
fn the_option_says_it_over_the_entry() {
    for file in [String::new(), entry("window = 65_536")] {
        for (option, window) in [("100k", 100_000), ("16k", 16_000)] {
            let ((asked, _), said) = asked(131_072, &file, &["--window", option]);
            assert_eq!((asked, said.as_str()), (window, ""), "{file}");
        }
    }
    // The answer may be longer in a longer window.
    assert_eq!(asked(131_072, "", &["--window", "64k"]).0, (64_000, 16_000));
}

#[test]
fn a_window_above_the_native_context_is_reported_and_not_requested() {
    let ((window, _), said) = asked(40_960, "", &["--window", "64k"]);
    assert_eq!(window, 40_960);
    assert_says(&said, &["--window", "64,000", MODEL, "40,960"]);
    let ((window, _), said) = asked(40_960, &entry("window = 65_536"), &[]);
    assert_eq!(window, 40_960);
    assert_says(&said, &["the model file", "65,536", MODEL, "40,960"]);
}
