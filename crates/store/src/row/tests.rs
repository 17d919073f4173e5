//! Rows and their records.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_continuity::contract::sample_log;
use throughline_conversation::{ContentBlock, Message, MessageRecord, Role, Source, ToolCall};

use super::*;

fn model(row: Row) -> Model {
    Model {
        session_id: "s1".to_owned(),
        seq: row.seq,
        kind: row.kind.to_owned(),
        exchange: row.exchange,
        at: row.at,
        digest: row.digest,
        payload: row.payload.into_bytes(),
    }
}

fn call(input: Value) -> Record {
    let call = ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input };
    let message = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
    let said = MessageRecord { message, source: Source::Model("m".to_owned()), usage: None };
    Record { seq: Seq(1), at: Millis(1), exchange: ExchangeId(1), body: RecordBody::Message(said) }
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!({ "a": inner }))
}

#[test]
fn every_record_comes_back_unchanged() {
    let log = sample_log(5, 300);
    for one in &log {
        assert_eq!(&record(&model(Row::of(one).unwrap())).unwrap(), one);
    }
    for kind in ["message", "edit", "model", "prompt", "tools", "receipt", "degraded"] {
        assert!(log.iter().any(|one| one.body.kind() == kind), "the sample has a {kind}");
    }
}

/// The reader of a part asks by the names of kinds, so the names must be those of its records.
#[test]
fn the_kinds_of_a_part_are_those_of_its_records() {
    for one in sample_log(5, 300) {
        for part in [Part::All, Part::View, Part::Accounts, Part::Edits] {
            let is_asked = kinds_of(part).is_none_or(|kinds| kinds.contains(&one.body.kind()));
            assert_eq!(is_asked, part.has(&one.body), "{part:?}: {}", one.body.kind());
        }
    }
}

/// A changed digit in a prefix that was sent before makes the provider's cache cold.
#[test]
fn numbers_keep_every_digit() {
    for number in
        ["15.978985628532387", "0.1", "1e-7", "123456789012345680000.0", "18446744073709551615", "-0.0"]
    {
        let one = call(json!({ "n": serde_json::from_str::<Value>(number).unwrap() }));
        let back = record(&model(Row::of(&one).unwrap())).unwrap();
        assert_eq!(Row::of(&back).unwrap().payload, Row::of(&one).unwrap().payload, "{number}");
    }
}

/// What a parser of the wire takes (127 levels) can be kept and read.
#[test]
fn inputs_may_nest_as_deep_as_the_wire_allows() {
    let text = nested(127).to_string();
    let one = call(serde_json::from_str(&text).unwrap());
    assert_eq!(record(&model(Row::of(&one).unwrap())).unwrap(), one);
    let error = Row::of(&call(nested(200))).unwrap_err();
    assert!(
        matches!(&error, LogError::Other(cause) if cause.to_string().contains("nests deeper")),
        "{error:?}"
    );
}

#[test]
fn brackets_in_texts_are_no_nesting() {
    let one = call(json!({ "text": "[{".repeat(1_000), "quote": "\\\"[[" }));
    assert_eq!(record(&model(Row::of(&one).unwrap())).unwrap(), one);
}

/// Databases of earlier versions have the fingerprint of the payload alone.
#[test]
fn rows_of_earlier_versions_are_intact() {
    let mut row = model(Row::of(&call(json!({}))).unwrap());
    row.digest = fingerprint(&row.payload).cast_signed();
    assert!(record(&row).is_ok());
}

#[test]
fn damage_is_noticed_and_named() {
    let check = |change: fn(&mut Model), expect: Expect| {
        let mut row = model(Row::of(&call(json!({}))).unwrap());
        change(&mut row);
        expect.assert_eq(&record(&row).unwrap_err().to_string());
    };
    /// Changes the payload and its digest with it.
    fn replace(row: &mut Model, payload: &[u8]) {
        row.payload = payload.to_vec();
        row.digest = digest(row.seq, &row.kind, row.exchange, row.at, fingerprint(payload).cast_signed());
    }
    check(
        |row| row.payload[20] ^= 1,
        expect![
            "record 1 of the log is damaged: its content does not match its digest; `throughline recover` saves what can be read"
        ],
    );
    check(
        |row| row.payload.truncate(10),
        expect![
            "record 1 of the log is damaged: its content does not match its digest; `throughline recover` saves what can be read"
        ],
    );
    check(
        |row| replace(row, b"{\"kind\":\"message\""),
        expect![
            "record 1 of the log is damaged: EOF while parsing an object at line 1 column 17; `throughline recover` saves what can be read"
        ],
    );
    check(
        |row| replace(row, &[0; 40]),
        expect![
            "record 1 of the log is damaged: expected value at line 1 column 1; `throughline recover` saves what can be read"
        ],
    );
    check(
        |row| replace(row, "[".repeat(100_000).as_bytes()),
        expect![
            "record 1 of the log is damaged: its JSON nests deeper than 160 levels; `throughline recover` saves what can be read"
        ],
    );
    check(
        |row| {
            row.kind = "edit".to_owned();
            replace(row, &row.payload.clone());
        },
        expect![[
            r#"record 1 of the log is damaged: it is listed as "edit" but holds "message"; `throughline recover` saves what can be read"#
        ]],
    );
    check(
        |row| {
            row.exchange = -1;
            replace(row, &row.payload.clone());
        },
        expect![
            "record 1 of the log is damaged: its exchange is below 0; `throughline recover` saves what can be read"
        ],
    );
    for change in
        [|row: &mut Model| row.at += 1, |row: &mut Model| row.seq += 1, |row: &mut Model| row.exchange += 1]
    {
        let mut row = model(Row::of(&call(json!({}))).unwrap());
        change(&mut row);
        assert!(record(&row).is_err(), "a column next to the payload has changed");
    }
}
