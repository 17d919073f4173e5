//! What the engine did in the demo, as its log and its requests show it from outside.

use rusqlite::Connection;
use serde_json::Value;
use throughline_conversation::{Action, Message, Receipt, Record, RecordBody, ToolResult};

use crate::ran::assert_says;
use crate::sample::sample;

fn records() -> Vec<Record> {
    sample().export().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn messages(records: &[Record]) -> impl Iterator<Item = &Message> {
    records.iter().filter_map(|record| match &record.body {
        RecordBody::Message(said) => Some(&said.message),
        _ => None,
    })
}

fn receipts(records: &[Record]) -> impl Iterator<Item = &Receipt> {
    records.iter().filter_map(|record| match &record.body {
        RecordBody::Receipt(receipt) => Some(receipt.as_ref()),
        _ => None,
    })
}

/// The result of a call.
#[track_caller]
fn result(records: &[Record], call: &str) -> String {
    let found = messages(records).flat_map(Message::tool_results).find(|result| result.call_id == call);
    found.unwrap_or_else(|| panic!("no result of {call}")).content.clone()
}

fn shown(number: u64) -> Value {
    sample().run(&["show", &sample().id, "--request", &number.to_string(), "--receipt"]).json()
}

// S3-07 S3-09 S3-11: a large result is stored, and only its reference enters the conversation.
#[test]
fn a_large_result_is_stored_and_named() {
    let records = records();
    let text = result(&records, "c-tests");
    assert_says(
        &text,
        &[
            "[Tool result stored — 95,909 bytes from \"shell\".\n",
            "Use the \"read_result\" tool with ref_id=\"r-",
        ],
    );
    let offloaded =
        receipts(&records).flat_map(|receipt| &receipt.offloaded).find(|stored| stored.bytes == 95_909);
    let offloaded = offloaded.unwrap();
    assert_says(&text, &[offloaded.stored.as_str()]);
    // Start, end and names of the rest.
    assert!(offloaded.shown < 8_500, "{offloaded:?}");
    let copy = sample().copy();
    let database = Connection::open(&copy.database).unwrap();
    let query = "SELECT tool_name, byte_size, content FROM tool_result_blobs WHERE id = ?1";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (tool, bytes, content): (String, i64, Vec<u8>) =
        database.query_row(query, [offloaded.stored.as_str()], row).unwrap();
    assert_eq!((tool.as_str(), bytes, content.len()), ("shell", 95_909, 95_909));
    assert_says(&String::from_utf8(content).unwrap(), &["FAIL"]);
}

// S3-10
#[test]
fn the_model_reads_only_what_it_needs_of_it() {
    let text = result(&records(), "c-fails");
    assert_says(&text, &["search for \"FAIL\"", "FAIL"]);
    assert!(text.len() < 5_000);
}

// S3-17 S3-18: tools wait outside the window, and the note says so; a search brings them in.
#[test]
fn tools_are_deferred_and_found() {
    let records = records();
    let names = |number: u64| -> Vec<String> {
        let tools = shown(number)["request"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let first = receipts(&records).next().unwrap();
    let note =
        format!("[{} tools deferred to save context. Use tool_search to find them.]", first.tools_deferred);
    assert!(first.tools_deferred > 10 && first.tail.contains(&note), "{:?}", first.tail);
    assert_says(&shown(1)["request"].to_string(), &[&note]);

    let calls = |receipt: &&Receipt, call: &str| {
        // The request of a call is the receipt right after the message that makes it.
        let asked = records.iter().position(|record| match &record.body {
            RecordBody::Message(said) => said.message.tool_calls().any(|made| made.id == call),
            _ => false,
        });
        records.get(asked.unwrap() + 1).is_some_and(
            |record| matches!(&record.body, RecordBody::Receipt(found) if found.request == receipt.request),
        )
    };
    let searched = receipts(&records).find(|receipt| calls(receipt, "c-search")).unwrap().request;
    let used = receipts(&records).find(|receipt| calls(receipt, "c-vat")).unwrap().request;
    let vat = "vat_hungary".to_owned();
    assert!(!names(searched).contains(&vat) && names(searched).contains(&"call_tool".to_owned()));
    assert_eq!(names(searched), names(used), "what comes before the messages does not change");
    assert_says(&result(&records, "c-search"), &["vat_hungary", "per mille"]);
    assert_says(&result(&records, "c-vat"), &["hungary: 270 per mille"]);
}

// S3-20: what a compaction takes out of the requests stays in the log.
#[test]
fn the_log_keeps_what_the_requests_lose() {
    let records = records();
    let last = shown(receipts(&records).count() as u64)["request"].to_string();
    let large = |record: &Record| match &record.body {
        RecordBody::Message(said) => said.message.tool_results().cloned().collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let covered = |action: &Action| match action {
        Action::Cover { span, .. } => {
            let inside = records.iter().filter(|record| span.first <= record.seq && record.seq <= span.last);
            inside.flat_map(large).filter(|result| result.content.len() > 1_000).collect()
        }
        _ => Vec::new(),
    };
    let edits = records.iter().filter_map(|record| match &record.body {
        RecordBody::Edit(edit) => Some(edit),
        _ => None,
    });
    let cleared: Vec<ToolResult> = edits.flat_map(|edit| &edit.actions).flat_map(covered).collect();
    assert!(!cleared.is_empty());
    for gone in cleared {
        assert_eq!(result(&records, &gone.call_id), gone.content);
        let text = serde_json::to_string(&gone.content).unwrap();
        let half = throughline_text::cut_end(text.trim_matches('"'), text.len() / 2);
        assert!(!last.contains(half), "{} is still sent", gone.call_id);
    }
}

// S3-24 S3-31: without a terminal too.
#[test]
fn the_model_compacts_by_itself() {
    assert_says(&result(&records(), "c-compact"), &["compacted ", " messages, ", " tokens"]);
    assert!(receipts(&records()).any(|receipt| receipt.compaction.is_some()));
}

// S3-25
#[test]
fn the_model_gets_a_note_when_the_window_fills() {
    let records = records();
    let printed =
        receipts(&records).find(|receipt| receipt.tail.iter().any(|note| note.starts_with("[Context: ")));
    let number = printed.unwrap().request;
    let shown = shown(number);
    let note = shown["receipt"]["tail"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .find(|note| note.starts_with("[Context: "));
    let note = note.unwrap();
    assert!(
        note.ends_with(
            "% used. You can call compact_context to free space before continuing with large operations.]"
        ),
        "{note}"
    );
    let percent: u64 = note.trim_start_matches("[Context: ").split('%').next().unwrap().parse().unwrap();
    assert!((80..=100).contains(&percent), "{note}");
    // It is in the request, after everything that is cached.
    let messages = shown["request"]["messages"].as_array().unwrap();
    assert_says(&messages.last().unwrap().to_string(), &[note]);
    assert!(!shown["request"]["system"].to_string().contains("[Context: "));
}

// S3-14
#[test]
fn every_request_marks_what_may_be_cached() {
    let last = receipts(&records()).count() as u64;
    for number in 1..=last {
        let request = shown(number)["request"].to_string();
        let marks = request.matches("\"cache_control\"").count();
        assert!((1..=4).contains(&marks), "request {number} has {marks} marks");
    }
}

#[test]
fn the_call_that_was_killed_is_answered_and_made_again() {
    let records = records();
    assert_says(&result(&records, "c-prove"), &["the call was cut off"]);
    assert_says(&result(&records, "c-prove-again"), &["[Tool result stored — 91,799 bytes from \"shell\"."]);
    let asked = |text: &str| messages(&records).filter(|message| message.text().contains(text)).count();
    assert_eq!(asked("I'll run all tests again."), 1);
}
