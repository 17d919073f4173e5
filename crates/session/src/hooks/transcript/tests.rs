//! What hook scripts find in the file.

use std::fs::{self, OpenOptions};
use std::io::Write as _;

use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{ExchangeId, MessageRecord, Millis, RemovedRecord, Source};

use super::*;

struct Stage {
    log: Arc<InMemoryMessageLog>,
    transcript: Transcript,
}

impl Stage {
    fn new() -> Self {
        let log = Arc::new(InMemoryMessageLog::new());
        let transcript = Transcript::new(log.clone(), SessionId::new("s").unwrap(), "/w".into());
        Self { log, transcript }
    }

    fn session(&self) -> &SessionId {
        &self.transcript.session
    }

    async fn append(&self, turn: u64, body: RecordBody) -> Seq {
        let seq = self.log.last(self.session()).await.unwrap().next();
        let record = Record { seq, at: Millis(0), exchange: ExchangeId(turn), body };
        self.log.append(self.session(), &[record]).await.unwrap();
        seq
    }

    async fn said(&self, turn: u64, text: &str) -> Seq {
        let message = MessageRecord { message: Message::user(text), source: Source::User, usage: None };
        self.append(turn, RecordBody::Message(message)).await
    }

    async fn mark(&self, turn: u64, status: GroupStatus) {
        self.append(turn, RecordBody::Mark(Mark::Group { exchange: ExchangeId(turn), status })).await;
    }

    /// The texts of the lines, each of which is an object.
    async fn texts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.transcript.updated().await.unwrap()).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["message"]["content"][0]["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_turn_that_is_undone_or_deleted_is_not_in_it() {
    let stage = Stage::new();
    stage.said(1, "one").await;
    let secret = stage.said(2, "secret").await;
    assert_eq!(stage.texts().await, ["one", "secret"]);
    stage.mark(1, GroupStatus::Undone).await;
    assert_eq!(stage.texts().await, ["secret"]);
    stage.mark(1, GroupStatus::Live).await;
    stage.mark(2, GroupStatus::Removed).await;
    assert_eq!(stage.texts().await, ["one"], "hidden before its record is overwritten");
    let body = RecordBody::Removed(RemovedRecord { was: "message".to_owned() });
    let removed = Record { seq: secret, at: Millis(0), exchange: ExchangeId(2), body };
    stage.log.redact(stage.session(), &[removed]).await.unwrap();
    stage.said(3, "three").await;
    assert_eq!(stage.texts().await, ["one", "three"]);
}

#[tokio::test]
async fn a_write_that_broke_off_leaves_no_half_line() {
    let stage = Stage::new();
    stage.said(1, "one").await;
    let path = stage.transcript.updated().await.unwrap();
    OpenOptions::new().append(true).open(path).unwrap().write_all(b"{\"type\":\"us").unwrap();
    stage.said(2, "two").await;
    assert_eq!(stage.texts().await, ["one", "two"]);
}
