//! What the pages and the API say of sessions of other agents.

use serde_json::{Value, json};

use crate::harness::Served;
use crate::transcript_log::TranscriptLog;

pub(crate) const PRICED: &str = "claude-sonnet-4-5";
pub(crate) const UNPRICED: &str = "a-model-without-a-price";

/// A server that shows a transcript, and the key of it.
pub(crate) async fn shown(log: &TranscriptLog) -> (Served, String) {
    let served = Served::showing(&log.text()).await;
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let key = all["transcripts"][0]["transcript"].as_str().unwrap().to_owned();
    let read = served.ask("GET", &format!("/api/transcripts/{key}"), "").await;
    assert_eq!(read.status, 200, "{}", read.body);
    (served, key)
}

/// The text of a page of a transcript, without elements.
pub(crate) async fn page(served: &Served, key: &str, rest: &str) -> String {
    page_of(served, &format!("/transcripts/{key}{rest}")).await
}

/// The text of a page, without elements.
pub(crate) async fn page_of(served: &Served, path: &str) -> String {
    let page = served.ask("GET", path, "").await;
    assert_eq!(page.status, 200, "{}", page.body);
    text_of(&page.body)
}

fn text_of(html: &str) -> String {
    let parts = html.split('<').filter_map(|part| Some(part.split_once('>')?.1));
    parts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_file_that_begins_in_the_middle_says_so() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Continue."]).answer(136_000, 0, "I do.").compact("There was more.");
    log.user(&["And more."]).answer(50_000, 0, "Done.");
    let (served, key) = shown(&log).await;
    let overview = page(&served, &key, "").await;
    assert!(overview.contains("The file begins in the middle of a conversation: 8"), "{overview}");
    let cost = page(&served, &key, "/cost").await;
    assert!(cost.contains("(earlier conversation)"), "{cost}");
    assert!(cost.contains("earlier conversation that the file does not have"), "{cost}");
}

#[tokio::test]
async fn a_model_without_a_price_has_its_tokens_by_cause_tool_and_item() {
    let mut log = TranscriptLog::of(UNPRICED);
    log.user(&["Look."]).calls(9_000, 0, "Alpha", &json!({"path": "a.rs"}), "one");
    log.calls(9_100, 9_000, "Zulu", &json!({"path": "z.rs"}), &"two three ".repeat(400));
    log.answer(11_000, 9_100, "Done.");
    let (served, key) = shown(&log).await;
    let cost = page(&served, &key, "/cost").await;
    assert!(!cost.contains("has reported no usage"), "{cost}");
    assert!(cost.contains("read from the cache"), "{cost}");
    assert!(cost.contains("models.toml"), "{cost}");
    let overview = page(&served, &key, "").await;
    assert!(overview.contains("in tokens") && overview.contains("new input"), "{overview}");
    let details = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    let tokens = |list: &Value| -> Vec<u64> {
        list.as_array().unwrap().iter().map(|one| one["tokens"].as_u64().unwrap()).collect()
    };
    for list in ["causes", "tools", "largest"] {
        let found = tokens(&details[list]);
        assert!(found.is_sorted_by(|one, other| one >= other) && !found.is_empty(), "{list}: {found:?}");
    }
    assert_eq!(details["causes"][0]["unpriced"], details["causes"][0]["requests"]);
    assert_eq!(details["cost_usd"], Value::Null);
}

#[tokio::test]
async fn each_cause_counts_the_requests_that_have_it() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).calls(9_000, 0, "Read", &json!({"path": "a.rs"}), "one");
    log.calls(9_100, 9_000, "Read", &json!({"path": "b.rs"}), "two").answer(9_200, 9_100, "Done.");
    let (served, key) = shown(&log).await;
    let details = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    let requests = |cause: &str| {
        let causes = details["causes"].as_array().unwrap();
        causes.iter().find(|one| one["cause"] == cause).map(|one| one["requests"].as_u64().unwrap())
    };
    assert_eq!(requests("new input"), Some(3));
    assert_eq!(requests("read from the cache"), Some(2));
}

#[tokio::test]
async fn the_card_of_compactions_sums_what_all_of_them_cost_and_saved() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["One."]).answer(100_000, 0, "Yes.").compact("First.");
    log.user(&["Two."])
        .answer(20_000, 10_000, "Yes.")
        .user(&["More."])
        .answer(120_000, 20_000, "More.")
        .compact("Second.");
    log.user(&["Three."]).answer(20_000, 10_000, "Yes.");
    let (served, key) = shown(&log).await;
    let overview = page(&served, &key, "").await;
    let all = served.ask("GET", &format!("/api/transcripts/{key}/compactions"), "").await.json();
    let sum = |field: &str| -> f64 {
        let all = all["compactions"].as_array().unwrap();
        assert_eq!(all.len(), 2);
        all.iter().map(|one| one[field].as_f64().unwrap()).sum()
    };
    let card = format!("${:.2} spent · saved ${:.2} of reading since", sum("written_usd"), sum("saved_usd"));
    assert!(overview.contains(&card), "no {card:?} in {overview}");
}

#[tokio::test]
async fn a_pause_within_a_turn_is_no_work() {
    let mut log = TranscriptLog::of(PRICED);
    log.pause = 2 * 3_600;
    log.user(&["Look."]).calls(9_000, 0, "Read", &json!({"path": "a.rs"}), "one");
    log.answer(9_200, 0, "Done.");
    let (served, key) = shown(&log).await;
    let overview = page(&served, &key, "").await;
    assert!(overview.contains("2h 0m idle"), "{overview}");
    let work = overview.split_once("Work ").map(|(_, rest)| rest).unwrap_or_default();
    assert!(!work.starts_with("2h"), "{work}");
}

#[tokio::test]
async fn a_few_tokens_that_are_not_read_again_are_no_lost_cache() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(50_000, 0, "Yes.").user(&["And?"]).answer(50_200, 49_200, "Yes.");
    let (served, key) = shown(&log).await;
    let requests = page(&served, &key, "/requests").await;
    assert!(!requests.contains("missed"), "{requests}");
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(50_000, 0, "Yes.").user(&["And?"]).answer(50_200, 40_000, "Yes.");
    let (served, key) = shown(&log).await;
    let requests = page(&served, &key, "/requests").await;
    assert!(requests.contains("missed: the prefix changed"), "{requests}");
}

#[tokio::test]
async fn items_and_calls_name_their_file_or_their_tool() {
    let path = format!("/Users/someone/{}ledger_of_birds.rs", "a_long_folder/".repeat(12));
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).calls(9_000, 0, "Read", &json!({"file_path": path}), "one");
    log.calls(9_100, 9_000, "ListTasks", &json!({}), "two").answer(9_200, 9_100, "Done.");
    let (served, key) = shown(&log).await;
    let cost = served.ask("GET", &format!("/transcripts/{key}/cost"), "").await.body;
    assert!(cost.contains("ledger_of_birds.rs</a>") && cost.contains(">ListTasks</a>"), "{cost}");
    let conversation = served.ask("GET", &format!("/transcripts/{key}/conversation"), "").await.body;
    assert!(conversation.contains("<span>ledger_of_birds.rs</span>"), "{conversation}");
}

#[tokio::test]
async fn a_turn_has_the_words_of_the_user() {
    let mut log = TranscriptLog::of(PRICED);
    let notes = ["<environment_context>a folder</environment_context>", "Find the heron."];
    log.user(&notes).answer(9_000, 0, "There.");
    let (served, key) = shown(&log).await;
    let overview = page(&served, &key, "").await;
    assert!(!overview.contains("environment_context") && overview.contains("Find the heron."), "{overview}");
}

#[tokio::test]
async fn a_session_has_the_name_that_its_user_has_given_it() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Find the heron."]).answer(9_000, 0, "There.").name("Birds of the lake");
    let (served, key) = shown(&log).await;
    let details = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    assert_eq!(details["title"], "Birds of the lake", "{details}");
}

#[tokio::test]
async fn the_top_of_a_page_is_sent_before_its_file_is_read() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Find the heron."]).answer(9_000, 0, "There.");
    let (served, key) = shown(&log).await;
    log.user(&["And the egret."]).answer(9_200, 9_000, "Here.");
    for rest in ["", "/conversation", "/requests", "/cost"] {
        let path = format!("/transcripts/{key}{rest}");
        log.user(&["And the crane."]).answer(9_300, 9_200, "Done.");
        std::fs::write(served.folder.path().join("transcript.jsonl"), log.text()).unwrap();
        let new = served.ask("GET", &path, "").await;
        assert_eq!(new.status, 200, "{rest}: {}", new.body);
        assert!(new.head.contains("transfer-encoding: chunked"), "{rest}: {}", new.head);
        assert!(text_of(&new.body).contains("Find the heron."), "{rest}: {}", new.body);
        let read = served.ask("GET", &path, "").await;
        assert!(read.head.contains("content-length"), "{rest}: {}", read.head);
    }
    let missing = served.ask("GET", "/transcripts/absent", "").await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn a_compaction_without_a_summary_in_the_file_says_so_once() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/fixtures/codex.jsonl");
    let served = Served::showing(&std::fs::read_to_string(fixture).unwrap()).await;
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let key = all["transcripts"][0]["transcript"].as_str().unwrap().to_owned();
    let compaction = page(&served, &key, "/compactions/1").await;
    assert!(compaction.contains("how a summary that is not recorded"), "{compaction}");
    assert!(!compaction.contains("the agent's own summary"), "{compaction}");
}
