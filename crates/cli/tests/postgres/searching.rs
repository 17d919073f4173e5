//! Messages that the database finds for a search.

use throughline_continuity::contract::session;
use throughline_continuity::{MessageLog, SessionDirectory};
use throughline_conversation::{ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source};
use throughline_store::Store;

use crate::cluster::{Cluster, open};
use crate::contracts::info;

const TEXTS: [&str; 6] = [
    "The Walrus reads 100% of total_sum.",
    "the WALRUS and the carpenter",
    "300 \u{212A} is a temperature, and \u{0130}stanbul a city",
    "a quote \" and a back\\slash, with a walrus and a \u{0}",
    "Grüße an das Walroß",
    "nothing of it",
];

async fn fill(store: &Store) {
    store.sessions().create(&info("s1")).await.unwrap();
    let message = |(seq, text): (u64, &str)| {
        let body = MessageRecord { message: Message::user(text), source: Source::User, usage: None };
        Record { seq: Seq(seq), at: Millis(1), exchange: ExchangeId(1), body: RecordBody::Message(body) }
    };
    let records: Vec<Record> = (1..).zip(TEXTS).map(message).collect();
    store.message_log().append(&session("s1"), &records).await.unwrap();
}

async fn found(store: &Store, words: &str) -> Vec<Seq> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let found = store.records_that_may_have(&session("s1"), &words, Seq(0)).await.unwrap();
    found.iter().map(|record| record.seq).collect()
}

#[tokio::test]
async fn a_search_finds_the_messages_that_it_finds_in_a_file() {
    let cluster = Cluster::shared();
    let server = open(&cluster.database()).await;
    let file = Store::open_in_memory().await.unwrap();
    fill(&server).await;
    fill(&file).await;
    for words in
        ["walrus", "WALRUS carpenter", "k", "istanbul", "i city", "back\\slash", "100%", "grüße", "none"]
    {
        assert_eq!(found(&server, words).await, found(&file, words).await, "{words:?}");
    }
    assert_eq!(found(&server, "walrus").await, [Seq(1), Seq(2), Seq(4)]);
}
