//! Summaries and checkpoints as tables.

use throughline_continuity::MessageLog;
use throughline_continuity::contract::session;
use throughline_conversation::{
    Action, CheckpointReason, CheckpointRecord, Edit, EditReason, ExchangeId, Message, MessageRecord, Millis,
    Record, RecordBody, Seq, Source, Span, SummaryNote,
};

use super::Fixture;

fn record(seq: u64, body: RecordBody) -> Record {
    Record { seq: Seq(seq), at: Millis(7), exchange: ExchangeId(1), body }
}

fn said(text: &str) -> RecordBody {
    RecordBody::Message(MessageRecord { message: Message::user(text), source: Source::User, usage: None })
}

// S0-30: the checkpoints have a table of this name
#[tokio::test]
async fn summaries_and_checkpoints_are_tables_of_the_log() {
    let fixture = Fixture::new().await;
    let parent = Span { first: Seq(1), last: Seq(1) };
    let note = SummaryNote {
        template: "dex".to_owned(),
        model: Some("writer".to_owned()),
        tokens: 12,
        provider: None,
        parent: Some(parent),
    };
    let cover = |last: u64, summary: Option<&str>, note: Option<SummaryNote>| Action::Cover {
        span: Span { first: Seq(1), last: Seq(last) },
        summary: summary.map(str::to_owned),
        note,
    };
    let edit = Edit {
        reason: EditReason::Manual,
        actions: vec![cover(2, Some("what happened"), Some(note)), cover(2, None, None)],
        strategies: vec!["summary".to_owned()],
    };
    let checkpoint = CheckpointRecord {
        iteration: 5,
        input_tokens: 1,
        output_tokens: 2,
        hat: "builder".to_owned(),
        ..CheckpointRecord::new(CheckpointReason::Interval, Seq(3))
    };
    let all = [
        record(1, said("one")),
        record(2, said("two")),
        record(3, RecordBody::Edit(edit)),
        record(4, RecordBody::Checkpoint(Box::new(checkpoint))),
    ];
    super::create(&fixture.store, "s1").await;
    fixture.store.message_log().append(&session("s1"), &all).await.unwrap();
    let raw = fixture.raw();
    let sql = "SELECT record, first_record, last_record, parent_last, template, model, tokens, text FROM summaries \
               WHERE session_id = 's1'";
    let rows: Vec<String> = raw
        .prepare(sql)
        .unwrap()
        .query_map([], |row| {
            let numbers = [0, 1, 2, 3, 6].map(|at| row.get::<_, i64>(at).unwrap());
            let texts = [4, 5, 7].map(|at| row.get::<_, String>(at).unwrap());
            Ok(format!("{numbers:?} {texts:?}"))
        })
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let expected = r#"[3, 1, 2, 1, 12] ["dex", "writer", "what happened"]"#;
    assert_eq!(rows, [expected], "a cover without a summary is no summary");
    let sql = "SELECT record, reason, iteration, hat FROM session_checkpoints WHERE session_id = 's1'";
    let found: (i64, String, i64, String) =
        raw.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    assert_eq!(found, (4, "interval".to_owned(), 5, "builder".to_owned()));
}
