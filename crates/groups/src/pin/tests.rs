//! What can be pinned, and what a purge of its turn takes.

use throughline_conversation::{
    CheckpointReason, CheckpointRecord, Degradation, DroppedItem, FilesRecord, GroupStatus, Millis,
    SettledRecord, ToolResult,
};
use throughline_testkit::records;

use super::*;
use crate::purge::purge;

const TALK: &str = "
user: keep port 8080
assistant: I will.
user: read it
assistant:
  -> c1 read {}
results:
  c1 = port 8080
assistant: done
";

fn add(log: &mut Vec<Record>, exchange: u64, body: RecordBody) {
    let seq = log.last().map_or(Seq(1), |record| record.seq.next());
    log.push(Record { seq, at: Millis(0), exchange: ExchangeId(exchange), body });
}

fn group(exchange: u64) -> PinTarget {
    PinTarget::Group(ExchangeId(exchange))
}

fn texts(made: Result<Pin, GroupError>) -> Vec<(u64, String)> {
    made.unwrap().texts.into_iter().map(|pinned| (pinned.message.0, pinned.text)).collect()
}

fn why(made: Result<Pin, GroupError>) -> String {
    made.unwrap_err().to_string()
}

#[test]
fn a_turn_a_part_and_a_span_can_be_pinned() {
    let log = records(TALK);
    let owned =
        |texts: &[(u64, &str)]| texts.iter().map(|(at, text)| (*at, (*text).to_owned())).collect::<Vec<_>>();
    assert_eq!(texts(pin(&log, group(1), None)), owned(&[(1, "keep port 8080"), (2, "I will.")]));
    assert_eq!(texts(pin(&log, group(2), None)), owned(&[(3, "read it"), (5, "port 8080"), (6, "done")]));
    assert_eq!(texts(pin(&log, group(2), Some("808"))), owned(&[(5, "808")]));
    assert_eq!(texts(pin(&log, PinTarget::Part(Seq(5), 0), None)), owned(&[(5, "port 8080")]));
    let part = pin(&log, PinTarget::Part(Seq(5), 0), Some("8080")).unwrap();
    assert_eq!((part.number, part.exchange), (1, ExchangeId(2)));
    // The first text that has it.
    assert_eq!(texts(pin(&log, group(1), Some("e"))), owned(&[(1, "e")]));
}

#[test]
fn what_cannot_be_pinned_is_named() {
    let mut log = records(TALK);
    add(&mut log, 2, RecordBody::Mark(Mark::Window { groups: None }));
    assert!(why(pin(&log, group(9), None)).contains("there is no turn 9"));
    for (seq, part) in [(9, 0), (5, 1), (7, 0)] {
        assert!(why(pin(&log, PinTarget::Part(Seq(seq), part), None)).contains("no message has this id"));
    }
    assert!(why(pin(&log, PinTarget::Part(Seq(4), 0), None)).contains("neither a text nor a result"));
    assert!(why(pin(&log, group(1), Some(" "))).contains("the text is empty"));
    assert!(why(pin(&log, group(1), Some("8081"))).contains("does not occur there"));
    for (status, hint) in
        [(GroupStatus::Dropped, "restore it"), (GroupStatus::Removed, "permanently deleted")]
    {
        let mut log = log.clone();
        add(&mut log, 2, RecordBody::Mark(Mark::Group { exchange: ExchangeId(1), status }));
        assert!(why(pin(&log, group(1), None)).contains(hint), "{status:?}");
    }
}

#[test]
fn a_pin_has_a_number_that_no_other_has_had() {
    let mut log = records(TALK);
    let first = pin(&log, group(1), None).unwrap();
    add(&mut log, 2, RecordBody::Mark(Mark::Pin(first)));
    assert!(why(pin(&log, group(1), None)).contains("pin 1 has this text already"));
    assert!(why(pin(&log, PinTarget::Part(Seq(2), 0), None)).contains("pin 1 has this text already"));
    assert!(why(pin(&log, group(3), None)).contains("there is no turn 3"));
    let second = pin(&log, group(2), None).unwrap();
    assert_eq!(second.number, 2);
    assert_eq!(unpin(&log, 1), Ok(Mark::Unpin { number: 1 }));
    assert_eq!(unpin(&log, 2), Err(GroupError::NoPin { asked: 2, pins: vec![1] }));
    add(&mut log, 2, RecordBody::Mark(Mark::Unpin { number: 1 }));
    assert_eq!(unpin(&log, 1), Err(GroupError::NoPin { asked: 1, pins: Vec::new() }));
    assert_eq!(pin(&log, group(1), None).unwrap().number, 2, "1 was in use");
}

#[test]
fn a_purge_takes_what_its_turn_alone_has_and_checkpoints_since_it_began() {
    let checkpoint =
        || RecordBody::Checkpoint(Box::new(CheckpointRecord::new(CheckpointReason::Interval, Seq(2))));
    let of = |exchange: u64| {
        let exchange = ExchangeId(exchange);
        let item = DroppedItem { exchange, message: Seq(5), part: 0, shown: None, stored: None };
        let texts = vec![PinnedText { message: Seq(1), text: "8080".to_owned() }];
        let degraded =
            Degradation { subsystem: "s".to_owned(), fallback: "f".to_owned(), cause: "c".to_owned() };
        let settled = SettledRecord { result: ToolResult::text("c1", "port 8080"), offloaded: None };
        [
            RecordBody::Mark(Mark::Item(item)),
            RecordBody::Mark(Mark::Pin(Pin { number: 1, exchange, texts })),
            RecordBody::Degraded(degraded),
            RecordBody::Files(FilesRecord::default()),
            RecordBody::Settled(settled),
        ]
    };
    let talk = records(TALK);
    let (first, second) = talk.split_at(2);
    let mut log = first.to_vec();
    add(&mut log, 1, checkpoint());
    for record in second {
        add(&mut log, record.exchange.0, record.body.clone());
    }
    for exchange in [1, 2] {
        of(exchange).into_iter().for_each(|body| add(&mut log, exchange, body));
    }
    add(&mut log, 2, checkpoint());
    let taken = |exchange: u64| {
        let redacted = purge(&log, ExchangeId(exchange), &[]).redacted;
        redacted.iter().map(|record| record.seq.0).collect::<Vec<_>>()
    };
    // 3 and 18 are the checkpoints, 8 to 12 and 13 to 17 what each turn has besides its messages.
    assert_eq!(taken(1), [1, 2, 3, 8, 9, 10, 11, 12, 18]);
    assert_eq!(taken(2), [4, 5, 6, 7, 13, 14, 15, 16, 17, 18]);
}
