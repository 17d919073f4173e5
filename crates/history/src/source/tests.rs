//! Rows of a log, stretch by stretch.

use proptest::prelude::*;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{InMemoryMessageLog, LogError, MessageLog};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source, ToolResult,
};

use super::SessionHistory;
use crate::rows::GroupMarks;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

    /// Stretches put together are the whole.
    #[test]
    fn stretches_make_the_whole(seed in any::<u64>(), cuts in proptest::collection::vec(1_usize..60, 1..8)) {
        block_on(async {
            let (log, name, marks) = (InMemoryMessageLog::new(), session("s"), GroupMarks::default());
            let history = SessionHistory { log: &log, session: &name, marks: &marks };
            let all = sample_log(seed, 150);
            let (mut through, mut rows, mut rest) = (Seq(0), Vec::new(), all.as_slice());
            for cut in cuts.iter().chain([&all.len()]) {
                let (batch, after) = rest.split_at((*cut).min(rest.len()));
                rest = after;
                log.append(&name, batch).await.unwrap();
                let part = history.rows_after(through).await.unwrap();
                assert!(part.through >= through && part.unread.is_none());
                through = part.through;
                rows.extend(part.rows);
            }
            assert_eq!(rows, history.rows_after(Seq(0)).await.unwrap().rows);
            assert_eq!(history.rows_after(through).await.unwrap().rows, []);
        });
    }
}

fn say(seq: u64, message: Message) -> Record {
    let body = RecordBody::Message(MessageRecord { message, source: Source::User, usage: None });
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body }
}

#[test]
fn a_result_far_behind_its_call_has_the_tools_name() {
    block_on(async {
        let (log, name, marks) = (InMemoryMessageLog::new(), session("s"), GroupMarks::default());
        let mut records = throughline_testkit::records("user: go\nassistant:\n  -> c1 read {}");
        records.extend((3..200).map(|seq| say(seq, Message::user("meanwhile"))));
        records.push(say(
            200,
            Message::results([ToolResult::text("c1", "late"), ToolResult::text("c9", "lost")]),
        ));
        log.append(&name, &records).await.unwrap();
        let history = SessionHistory { log: &log, session: &name, marks: &marks };
        let part = history.rows_after(Seq(199)).await.unwrap();
        let names: Vec<_> = part.rows.iter().map(|row| row.tool_name.as_deref()).collect();
        assert_eq!(names, [Some("read"), None]);
    });
}

#[test]
fn a_damaged_record_is_reported_once_and_later_records_are_read() {
    block_on(async {
        let (log, name, marks) = (InMemoryMessageLog::new(), session("s"), GroupMarks::default());
        let records: Vec<_> = (1..=6).map(|seq| say(seq, Message::user("x"))).collect();
        log.append(&name, &records).await.unwrap();
        log.damage(&name, Seq(2));
        log.damage(&name, Seq(4));
        let history = SessionHistory { log: &log, session: &name, marks: &marks };
        let part = history.rows_after(Seq(0)).await.unwrap();
        assert_eq!(part.rows.iter().map(|row| row.id).collect::<Vec<_>>(), [10_000, 30_000, 50_000, 60_000]);
        assert_eq!((part.through, part.unread), (Seq(6), Some(Seq(4))));
        let again = history.rows_after(Seq(5)).await.unwrap();
        assert_eq!((again.rows.len(), again.unread), (1, None));
        log.failures().fail_next("no disk");
        assert!(matches!(history.rows_after(Seq(0)).await, Err(LogError::Other(_))));
    });
}
