//! Messages that the database finds for a search.

use throughline_continuity::MessageLog;
use throughline_continuity::contract::session;
use throughline_conversation::{ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source};

use super::Fixture;

const TEXTS: [&str; 7] = [
    "The Walrus reads 100% of total_sum.",
    "the WALRUS and the carpenter",
    "300 \u{212A} is a temperature, and \u{0130}stanbul a city",
    "a quote \" and a back\\slash, with a walrus",
    "Grüße an das Walroß",
    "nothing of it",
    "walrus\nin two lines, carpenter too",
];

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

fn message(number: usize, text: &str) -> Record {
    let body = MessageRecord { message: Message::user(text), source: Source::User, usage: None };
    let seq = Seq(number as u64 + 1);
    Record { seq, at: Millis(1), exchange: ExchangeId(1), body: RecordBody::Message(body) }
}

/// The texts that have all of these words, as the caller of the search decides it.
fn wanted(words: &[String]) -> Vec<Seq> {
    let has = |text: &str| words.iter().all(|word| text.to_lowercase().contains(word.as_str()));
    (1..).zip(TEXTS).filter(|(_, text)| has(text)).map(|(seq, _)| Seq(seq)).collect()
}

#[tokio::test]
async fn every_message_with_the_words_is_found_whatever_its_letters() {
    let fixture = Fixture::new().await.with_session("s").await;
    let log = fixture.store.message_log();
    let records: Vec<Record> = TEXTS.iter().enumerate().map(|(place, text)| message(place, text)).collect();
    log.append(&session("s"), &records).await.unwrap();
    let find = async |text: &str, after| {
        let found = fixture.store.records_that_may_have(&session("s"), &words(text), Seq(after)).await;
        found.unwrap().iter().map(|record| record.seq).collect::<Vec<Seq>>()
    };
    for text in [
        "walrus",
        "WALRUS carpenter",
        "k",
        "istanbul",
        "i city",
        "back\\slash",
        "100%",
        "total_sum",
        "grüße",
        "\"",
    ] {
        let found = find(text, 0).await;
        for seq in wanted(&words(text)) {
            assert!(found.contains(&seq), "{text:?}: record {seq} is not in {found:?}");
        }
    }
    assert_eq!(find("walrus carpenter", 0).await, [Seq(2), Seq(7)]);
    assert_eq!(find("kitten", 0).await, [Seq(3)], "it may have the word by its letters outside of ASCII");
    assert_eq!(find("walrus carpenter", 3).await, [Seq(7)]);
    assert!(find("elephant", 3).await.is_empty());
}
