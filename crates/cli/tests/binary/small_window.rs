//! Small windows: a whole task in 8k and 12k, and messages that are larger than the window.

use std::fs;

use serde_json::{Value, json};
use throughline_conversation::{Receipt, Record, RecordBody};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: &str = "qwen3:8b";

fn receipts(place: &Place) -> Vec<Receipt> {
    let log = run(&mut place.bare(&["export", "last"])).done();
    let records = log.lines().map(|line| serde_json::from_str::<Record>(line).unwrap().body);
    records
        .filter_map(|body| match body {
            RecordBody::Receipt(receipt) => Some(*receipt),
            _ => None,
        })
        .collect()
}

/// The texts of the messages of the newest request.
fn newest_request(server: &throughline_testserver::Server) -> String {
    let received = server.received();
    let chat = received.iter().rfind(|request| request.path == "/api/chat").unwrap();
    let messages = chat.body["messages"].as_array().unwrap().clone();
    messages.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_small_task_fits_windows_of_8k_and_12k() {
    for window in ["8k", "12k"] {
        let place = Place::new();
        let lines = (0..150).map(|row| format!("fn helper_{row}() -> u64 {{ {row} * 2 }}\n"));
        fs::write(place.work().join("total.rs"), lines.collect::<String>()).unwrap();
        let edit = json!({"path": "total.rs", "old_string": "{ 7 * 2 }", "new_string": "{ 7 * 3 }"});
        let script = Script::new()
            .model(MODEL, 40_960)
            .then(Answer::call("c1", "read_file", json!({"path": "total.rs"})))
            .then(Answer::call("c2", "edit_file", edit))
            .then(Answer::call("c3", "shell", json!({"command": "grep -c 'helper' total.rs"})))
            .then(Answer::text("Done."));
        let server = serve(script);
        let ran = run(place.asks(&server, ("ollama", MODEL), &["--window", window]).arg("Triple helper_7."));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{window}: {ran:?}");
        let text = fs::read_to_string(place.work().join("total.rs")).unwrap();
        assert!(text.contains("fn helper_7() -> u64 { 7 * 3 }"), "{window}: {ran:?}");
        assert_says(&newest_request(&server), &["Triple helper_7.", "150"]);
        for receipt in receipts(&place) {
            assert!(receipt.window.used.total() < receipt.window.effective_window(), "{window}: {receipt:?}");
        }
    }
}

#[test]
fn a_message_larger_than_the_window_is_stored_and_read_by_its_reference() {
    for window in ["8k", "12k"] {
        let place = Place::new();
        let lines = (0..2_000).map(|row| format!("{row}: order {} of customer {}\n", row * 7, row % 13));
        let message = format!("Which order has row 1234?\n{}That is all.", lines.collect::<String>());
        let script = Script::new().model(MODEL, 40_960).then(Answer::text("Row 1234 is order 8638."));
        let server = serve(script);
        let ran = run(place.asks(&server, ("ollama", MODEL), &["--window", window]).arg(&message));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Row 1234 is order 8638.\n"), "{window}: {ran:?}");
        assert_says(&ran.err, &["your message", "does not fit", "the model sees its start and its end"]);
        let asked = newest_request(&server);
        assert_says(&asked, &["Which order has row 1234?", "That is all.", "read_result", "ref_id"]);
        assert!(!asked.contains("1234: order 8638 "), "{window}: it is in the middle");
        let receipt = receipts(&place).remove(0);
        assert!(receipt.window.used.total() < receipt.window.effective_window(), "{window}: {receipt:?}");
        let stored = &receipt.offloaded[0];
        assert_eq!(stored.bytes, message.len() as u64);
        let read = Script::new()
            .model(MODEL, 40_960)
            .then(Answer::call(
                "c1",
                "read_result",
                json!({"ref_id": stored.stored, "search": "1234: order"}),
            ))
            .then(Answer::text("Done."));
        let server = serve(read);
        let ran = run(place.asks(&server, ("ollama", MODEL), &["--window", window, "-c"]).arg("Look again."));
        assert_eq!(ran.code, Some(0), "{window}: {ran:?}");
        assert_says(&newest_request(&server), &["1234: order 8638 of customer 12"]);
    }
}
