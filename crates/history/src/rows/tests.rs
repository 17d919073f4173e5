//! Rows of log records.

use expect_test::expect;
use throughline_continuity::contract::sample_log;
use throughline_conversation::{
    Action, ContentBlock, Edit, EditReason, ExchangeId, Image, Message, MessageRecord, Millis, Record,
    RecordBody, Role, Seq, Source, Span, Thinking, ToolResult, Usage,
};
use throughline_testkit::records;

use super::{GroupMarks, history_rows, row_id};
use crate::row::HistoryRow;

fn line(row: &HistoryRow) -> String {
    let HistoryRow { id, group, role, kind, status, .. } = row;
    let (role, kind, status) = (role.as_str(), kind.as_str(), status.as_str());
    let tool = match (&row.tool_name, &row.tool_call_id) {
        (None, None) => String::new(),
        (name, call) => format!(" {}/{}", name.as_deref().unwrap_or("?"), call.as_deref().unwrap_or("?")),
    };
    let error = if row.is_error { " !" } else { "" };
    let content = row.content.replace('\n', "\\n");
    format!("{}\n", format!("{id} g{group} {role} {kind} {status}{tool}{error} = {content}").trim_end())
}

fn check(records: Vec<Record>, marks: &GroupMarks, expected: &expect_test::Expect) {
    expected.assert_eq(&history_rows(records, marks).iter().map(line).collect::<String>());
}

const SESSION: &str = r#"
user: fix it
assistant: let me look
  thinking: hm
  -> c1 read {"path": "a.rs", "n": 1}
  -> c2 shell {}
results:
  c1 = one\ntwo
  c2 ! failed
assistant: done
user: what is the time?
assistant: noon
user: oh
"#;

// S4-01
#[test]
fn each_part_of_a_message_is_a_row() {
    let marks = GroupMarks { dropped: [ExchangeId(2)].into(), undone: [ExchangeId(3)].into() };
    check(
        records(SESSION),
        &marks,
        &expect![[r#"
            10000 g1 user text completed = fix it
            20000 g1 assistant text completed = let me look
            20001 g1 assistant thinking completed = hm
            20002 g1 assistant tool_call tool_call read/c1 = {"path":"a.rs","n":1}
            20003 g1 assistant tool_call tool_call shell/c2 = {}
            30000 g1 tool tool_result completed read/c1 = one\ntwo
            30001 g1 tool tool_result completed shell/c2 ! = failed
            40000 g1 assistant text completed = done
            50000 g2 user text dropped = what is the time?
            60000 g2 assistant text dropped = noon
        "#]],
    );
}

fn record(seq: u64, body: RecordBody) -> Record {
    Record { seq: Seq(seq), at: Millis(7), exchange: ExchangeId(1), body }
}

#[test]
fn pictures_redacted_thinking_summaries_and_notes_of_the_engine() {
    let image = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let thinking = Thinking { text: String::new(), signature: None, redacted: Some("zzz".to_owned()) };
    let said = Message {
        role: Role::User,
        content: vec![ContentBlock::Image(image.clone()), ContentBlock::Thinking(thinking)],
    };
    let result = ToolResult { images: vec![image], ..ToolResult::text("gone", "see picture") };
    let message = |message, source| RecordBody::Message(MessageRecord { message, source, usage: None });
    let hide = Action::Cover { span: Span::one(Seq(1)), summary: None, note: None };
    let cover = Action::Cover { span: Span::one(Seq(1)), summary: Some("all of it".to_owned()), note: None };
    let edit = Edit { reason: EditReason::Manual, actions: vec![hide, cover], strategies: Vec::new() };
    check(
        vec![
            record(1, message(said, Source::User)),
            record(2, message(Message::results([result]), Source::Engine)),
            record(3, message(Message::user("note"), Source::Engine)),
            record(4, RecordBody::Edit(edit)),
        ],
        &GroupMarks::default(),
        &expect![[r#"
            10000 g1 user image completed = [picture: image/png, 4 characters of base64]
            10001 g1 user thinking completed =
            20000 g1 tool tool_result completed ?/gone = see picture
            30000 g1 system text completed = note
            40001 g1 system summary completed = all of it
        "#]],
    );
}

#[test]
fn rows_of_one_response_show_its_tokens_and_its_model() {
    let usage = Some(Usage { input: 1, cache_read: 20, cache_write: 300, output: 4_000, searches: 0 });
    let content = ["a", "b"].map(|text| ContentBlock::Text { text: text.to_owned() }).to_vec();
    let message = Message { role: Role::Assistant, content };
    let body = RecordBody::Message(MessageRecord { message, source: Source::Model("m".to_owned()), usage });
    let rows = history_rows([record(9, body)], &GroupMarks::default());
    let shown: Vec<_> = rows.iter().map(|row| (row.tokens, row.model.as_deref(), row.created_at)).collect();
    assert_eq!(shown, [(Some(4_321), Some("m"), Millis(7)); 2]);
}

#[test]
fn an_id_names_one_text_permanently() {
    assert_eq!(row_id(Seq(12), 3), Some(120_003));
    assert_eq!(row_id(Seq(12), 9_999), Some(129_999));
    assert_eq!(row_id(Seq(12), 10_000), None);
    assert_eq!(row_id(Seq(u64::MAX), 0), None);
    let all = sample_log(5, 200);
    let none = GroupMarks::default();
    let rows = history_rows(all.clone(), &none);
    assert!(rows.windows(2).all(|two| two[0].id < two[1].id), "in order and never twice");
    let marks = GroupMarks { dropped: [ExchangeId(2)].into(), undone: [ExchangeId(1)].into() };
    for row in history_rows(all, &marks) {
        let same = rows.iter().find(|old| old.id == row.id).unwrap();
        assert_eq!(same.content, row.content);
    }
}
