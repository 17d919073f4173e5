//! `throughline run`: how it ends, what outlives it, and where keys do not go.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_testserver::{Answer, ErrorKind, Script};

use crate::place::{KEY, Place, serve};
use crate::ran::{last_object, run, run_with};

const MODELS: [(&str, &str); 2] = [("anthropic", "claude-sonnet-4-5"), ("openai", "gpt-5")];

fn text_of(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn the_prompt_comes_from_standard_input_and_the_session_continues() {
    let script = Script::new().then(Answer::text("One.")).then(Answer::text("Two."));
    let (place, server) = (Place::new(), serve(script));
    let mut command = place.asks(&server, MODELS[0], &["-o", "json", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), "Zähle.\n".as_bytes()).unwrap();
    let first: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    let again = run(&mut place.asks(&server, MODELS[1], &["-o", "json", "--continue", "Next."]));
    let second = last_object(&again);
    assert_eq!(text_of(&first, "session"), text_of(&second, "session"));
    assert_eq!(text_of(&second, "text"), "Two.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Zähle.") && body.contains("One.") && body.contains("Next."), "{body}");
}

#[test]
fn what_is_piped_in_stands_behind_the_argument() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Fine.")).repeat_last()));
    let asked = |input: Stdio| {
        let mut command = place.asks(&server, MODELS[0], &["Review this:"]);
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut child = asked(Stdio::piped());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), "+ ü = 1\n".as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Review this:\\n\\n+ ü = 1"), "{body}");

    // A pipe that stays open without data is no reason to wait for ever.
    let mut child = asked(Stdio::piped());
    let held = child.stdin.take();
    let out = child.wait_with_output().unwrap();
    drop(held);
    assert!(out.status.success(), "{out:?}");
    assert!(String::from_utf8_lossy(&out.stderr).contains("nothing on standard input"), "{out:?}");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Review this:\""), "{body}");
}

#[test]
fn the_files_that_a_prompt_names_are_attached_and_those_of_piped_text_are_not() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Fine.")).repeat_last()));
    std::fs::write(place.work().join("b c.txt"), "of spaces").unwrap();
    std::fs::write(place.work().join("piped.txt"), "not asked for").unwrap();
    let prompt = "Compare @a.txt with @\"b c.txt\" and @/etc/hostname";
    let mut command = place.asks(&server, MODELS[0], &[prompt]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"see @piped.txt\n").unwrap();
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("attached a.txt, b c.txt"), "{said}");
    assert!(said.contains("/etc/hostname is not attached: "), "{said}");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Content of a.txt:") && body.contains("of spaces"), "{body}");
    assert!(body.contains("see @piped.txt") && !body.contains("not asked for"), "{body}");
}

#[test]
fn a_session_continues_although_a_pipe_stays_open() {
    let script = Script::new().then(Answer::text("One.")).then(Answer::text("Two."));
    let (place, server) = (Place::new(), serve(script));
    let first = run(&mut place.asks(&server, MODELS[0], &["-o", "json", "Go."])).json();
    let id = text_of(&first, "session");
    for named in [&["-c"][..], &["--resume", &id]] {
        let mut command = place.asks(&server, MODELS[0], &[&["-o", "json"][..], named].concat());
        let (held, writer) = std::io::pipe().unwrap();
        let ran = run_with(&mut command, held.into());
        drop(writer);
        assert_eq!((ran.code, text_of(&last_object(&ran), "session")), (Some(0), id.clone()), "{ran:?}");
        assert_eq!(text_of(&last_object(&ran), "outcome"), "nothing_to_do");
        assert!(ran.err.contains("continues without a prompt"), "{ran:?}");
    }
    // What is written is still the prompt.
    let (reader, mut writer) = std::io::pipe().unwrap();
    std::io::Write::write_all(&mut writer, b"More.").unwrap();
    drop(writer);
    let ran = run_with(&mut place.asks(&server, MODELS[0], &["-o", "json", "-c"]), reader.into());
    assert_eq!(text_of(&last_object(&ran), "text"), "Two.", "{ran:?}");
    assert!(server.received().last().unwrap().body.to_string().contains("More."));
}

#[test]
fn failures_have_exit_codes_and_keep_the_session() {
    let html = || Answer::html(200, "<html><body>Log in</body></html>");
    let cut = || Answer::text("Half of what I wanted to say").cut_after(4);
    let unauthorized = || Answer::error(ErrorKind::Unauthorized);
    let stops = |reason: &str| StopReason::Other(reason.to_owned());
    let unpaid = || Answer::status(402, json!({"error": {"message": "Insufficient Balance"}}));
    let cases: [(&str, Answer, i32, &str); 8] = [
        ("wrong key", unauthorized(), 3, "unauthorized"),
        ("no credit", unpaid(), 3, "unpaid"),
        ("a page instead of JSON", html(), 1, "failed"),
        ("a cut stream", cut(), 4, "try_later"),
        ("a cut text", Answer::text("Half").stop(StopReason::MaxTokens), 5, "cut_off"),
        ("a full window", Answer::text("Half").stop(stops("model_context_window_exceeded")), 5, "cut_off"),
        (
            "a full window without a word",
            Answer::blocks(Vec::new()).stop(stops("model_context_window_exceeded")),
            5,
            "cut_off",
        ),
        ("a malformed chunk", Answer::text("Half of what I wanted").garbage_after(5), 4, "try_later"),
    ];
    for (name, answer, code, outcome) in cases {
        let place = Place::new();
        let server = serve(Script::new().then(answer).then(Answer::text("Now.")));
        let mut once = place.asks(&server, MODELS[0], &["-o", "json", "Go."]);
        let ran = run(once.env("THROUGHLINE_MODEL_RETRIES", "0"));
        let printed = last_object(&ran);
        assert_eq!(
            (ran.code, text_of(&printed, "outcome").as_str()),
            (Some(code), outcome),
            "{name}: {printed}"
        );
        assert!(
            printed.get("is_error") == Some(&json!(true)) && !text_of(&printed, "error").is_empty(),
            "{name}"
        );
        assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{name} shows the key");
        let again = run(&mut place.asks(&server, MODELS[0], &["-o", "json", "-c"]));
        let continued = outcome != "cut_off" || name == "a full window without a word";
        assert_eq!(
            text_of(&last_object(&again), "text"),
            if continued { "Now." } else { "" },
            "{name}: {again:?}"
        );
    }
}

#[test]
fn an_unknown_stop_reason_is_reported_with_the_answer() {
    // The second one is also our own word for a turn that the user stopped.
    for reason in ["tired", "cancelled"] {
        let answer = || Answer::text("Whole.").stop(StopReason::Other(reason.to_owned()));
        let (place, server) = (Place::new(), serve(Script::new().then(answer()).then(answer())));
        let ran = run(&mut place.asks(&server, MODELS[0], &["-o", "json", "Go."]));
        let printed = last_object(&ran);
        assert_eq!((ran.code, text_of(&printed, "outcome").as_str()), (Some(4), "broken_off"), "{printed}");
        assert_eq!(
            (text_of(&printed, "text").as_str(), text_of(&printed, "stop").as_str()),
            ("Whole.", reason)
        );
        assert!(text_of(&printed, "error").contains(reason), "{printed}");
        let ran = run(&mut place.asks(&server, MODELS[0], &["Again."]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), "Whole.\n"), "{ran:?}");
        assert!(ran.err.contains("unknown reason") && ran.err.contains(reason), "{ran:?}");
    }
}

#[test]
fn an_error_behind_the_figures_alone_is_tried_again() {
    let overloaded = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\
                      \"output_tokens\":1}}}\n\nevent: error\ndata: {\"type\":\"error\",\"error\":\
                      {\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let overloaded = Answer::raw("text/event-stream", overloaded.into());
    let (place, server) = (Place::new(), serve(Script::new().then(overloaded).then(Answer::text("Here."))));
    let ran = run(&mut place.asks(&server, MODELS[0], &["Go."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Here.\n"), "{ran:?}");
    assert!(ran.err.contains("Overloaded; trying again"), "{ran:?}");
}

#[test]
fn limits_and_fallbacks_are_obeyed() {
    let place = Place::new();
    let looping = Script::new().then(Answer::call("c1", "list_files", json!({}))).repeat_last();
    let server = serve(looping);
    let ran = run(&mut place.asks(&server, MODELS[0], &["-o", "json", "--max-turns", "3", "Go."]));
    assert_eq!((ran.code, text_of(&last_object(&ran), "outcome")), (Some(5), "limit".to_owned()), "{ran:?}");

    let down = serve(Script::new().then(Answer::error(ErrorKind::Unauthorized)).repeat_last());
    let up = serve(Script::new().then(Answer::text("Here.")));
    let mut command = place.asks(&down, MODELS[0], &["-o", "json", "--fallback", "openai/gpt-5", "Go."]);
    let ran = run(command.env("OPENAI_BASE_URL", up.url()));
    let printed = last_object(&ran);
    assert_eq!(
        (text_of(&printed, "text"), text_of(&printed, "provider")),
        ("Here.".to_owned(), "openai".to_owned()),
        "{ran:?}"
    );
}

#[test]
fn a_turn_without_progress_ends_by_itself() {
    let edit = || json!({"path": "a.txt", "old_string": "nope", "new_string": "y"});
    let failing = Script::new().then(Answer::call("c1", "edit_file", edit())).repeat_last();
    let cut = Answer::call("c1", "write_file", json!({})).bad_input().stop(StopReason::MaxTokens);
    let cases = [
        (failing, 9, "called 7 times in a row"),
        (Script::new().then(cut).repeat_last(), 5, "your answer reached its output limit"),
    ];
    for (script, requests, said) in cases {
        let (place, server) = (Place::new(), serve(script));
        std::fs::write(place.work().join("a.txt"), "x").unwrap();
        let ran = run(&mut place.asks(&server, MODELS[0], &["-o", "json", "Go."]));
        let printed = last_object(&ran);
        assert_eq!((ran.code, text_of(&printed, "outcome")), (Some(5), "no_progress".to_owned()), "{ran:?}");
        let error = text_of(&printed, "error");
        assert!(error.contains(&format!("after {requests} requests")), "{error}");
        assert!(printed["cost_usd"].is_number() && printed["requests"] == requests, "{printed}");
        let asked = server.received().last().unwrap().body.to_string();
        assert!(asked.contains(said), "{asked}");
    }
    let place = Place::new();
    let looping = Script::new().then(Answer::call("c1", "list_files", json!({}))).repeat_last();
    let server = serve(looping);
    let mut command = place.asks(&server, MODELS[0], &["-o", "json", "--max-turns", "30", "Go."]);
    let ran = run(command.env("THROUGHLINE_LIMITS_STALLED_REQUESTS", "0"));
    assert_eq!(text_of(&last_object(&ran), "outcome"), "limit", "{ran:?}");
}

#[test]
fn keys_do_not_reach_the_commands_of_the_model_or_the_disk() {
    let place = Place::new();
    let script = Script::new()
        .then(Answer::call("c1", "shell", json!({"command": "env"})))
        .then(Answer::text("Done."));
    let server = serve(script);
    let ran = run(&mut place.asks(&server, MODELS[0], &["Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let second = server.received().last().unwrap().body.to_string();
    assert!(second.contains("PATH=") && !second.contains(KEY), "the key went to the model");
    assert!(!holds(place.folder.path(), KEY.as_bytes()), "the key is on disk");
}

/// Returns true if any file below the folder has these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, bytes);
        }
        std::fs::read(&path).unwrap_or_default().windows(bytes.len()).any(|window| window == bytes)
    })
}
