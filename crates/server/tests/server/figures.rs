//! One set of figures: the list, the cards, the pages and the API of a session agree.

use serde_json::{Value, json};
use throughline_conversation::{Action, Edit, EditReason, RecordBody, Seq, SessionId, Span};
use throughline_server::report_page;
use throughline_stored::{SessionHandle, SessionWriter, Storage};

use crate::harness::Served;
use crate::transcript_log::TranscriptLog;
use crate::transcripts::{PRICED, UNPRICED, page, shown};

/// The word behind a heading of a page's text.
fn after<'t>(text: &'t str, heading: &str) -> &'t str {
    let rest = text.split_once(heading).map(|(_, rest)| rest).unwrap_or_default();
    rest.split(' ').find(|word| !word.is_empty() && *word != "≥").unwrap_or_default()
}

async fn figures_agree(served: &Served, name: &str) {
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let Some(key) = all["transcripts"][0]["transcript"].as_str() else { return };
    let details = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    let listed = served.ask("GET", &format!("/api/transcripts/{key}/requests?limit=200"), "").await.json();
    let count = |of: &Value| of.as_u64().unwrap_or_default();
    assert_eq!(
        count(&listed["total"]) + count(&details["unshown_requests"]),
        count(&details["requests"]),
        "{name}"
    );
    let overview = page(served, key, "").await;
    if listed["total"] == 0 {
        return;
    }
    // The tabs have a word of this name, too.
    let cards = overview.split_once("Context now").map(|(_, rest)| rest).unwrap_or_default();
    let card = after(cards, "Cost ").to_owned();
    assert!(overview.contains(&format!("{} request", details["requests"])), "{name}: {overview}");
    if let Some(dollars) = details["cost_usd"].as_f64().filter(|dollars| *dollars > 0.0) {
        assert_eq!(card, after(&overview, "What it cost "), "{name}");
        let causes = details["causes"].as_array().unwrap();
        let sum: f64 = causes.iter().map(|cause| cause["dollars"].as_f64().unwrap()).sum();
        assert!((sum - dollars).abs() < 1e-6, "{name}: {sum} {dollars}");
        let cost = page(served, key, "/cost").await;
        assert!(cost.contains(&format!("Together {card}")), "{name}: {card} in {cost}");
    }
}

#[tokio::test]
async fn the_list_the_cards_and_the_pages_of_every_recording_agree() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/fixtures");
    let mut seen = 0;
    for entry in std::fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "jsonl") {
            let served = Served::showing(&std::fs::read_to_string(&path).unwrap()).await;
            figures_agree(&served, &path.display().to_string()).await;
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}");
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(90_000, 0, "Yes.").user(&["And?"]).answer(90_100, 90_000, "Yes.");
    figures_agree(&Served::showing(&log.text()).await, "a session with prices").await;
}

#[tokio::test]
async fn a_lost_cache_has_one_cause_wherever_it_is_shown() {
    let mut log = TranscriptLog::of(PRICED);
    log.pause = 2 * 3_600;
    log.user(&["Look."]).calls(9_000, 0, "Read", &json!({"path": "a.rs"}), "one");
    log.answer(9_200, 0, "Done.");
    let (served, key) = shown(&log).await;
    let (overview, requests) = (page(&served, &key, "").await, page(&served, &key, "/requests").await);
    let conversation = page(&served, &key, "/conversation").await;
    let cause = "the cache expired (2h 0m idle), $";
    assert!(overview.contains(&format!("cache lost: {cause}")), "{overview}");
    assert!(overview.contains("sent again: the cache expired"), "{overview}");
    assert!(requests.contains(&format!("missed: {cause}")), "{requests}");
    assert!(conversation.contains(&format!("missed the cache: {cause}")), "{conversation}");
}

#[tokio::test]
async fn what_is_known_of_a_cost_is_shown_as_a_lower_bound() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(90_000, 0, "Yes.").user(&["And?"]).answer(90_100, 90_000, "Yes.");
    let text = log.text();
    let (first, rest) = text.rsplit_once(PRICED).unwrap();
    let text = format!("{first}{UNPRICED}{rest}");
    let served = Served::showing(&text).await;
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let key = all["transcripts"][0]["transcript"].as_str().unwrap().to_owned();
    let details = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    assert_eq!(details["cost_usd"], Value::Null);
    let least = format!("≥ ${:.2}", details["cost_usd_at_least"].as_f64().unwrap());
    let overview = page(&served, &key, "").await;
    assert!(overview.contains(&format!("Cost {least}")), "{least}: {overview}");
    assert!(overview.contains(&format!("1 request without a price ( {UNPRICED} )")), "{overview}");
    let list = served.ask("GET", "/", "").await.body;
    assert!(list.contains(&least), "{list}");
}

#[tokio::test]
async fn a_page_of_a_compaction_that_is_missing_is_missing_the_first_time() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(9_000, 0, "Yes.");
    let served = Served::showing(&log.text()).await;
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let key = all["transcripts"][0]["transcript"].as_str().unwrap().to_owned();
    let missing = served.ask("GET", &format!("/transcripts/{key}/compactions/99"), "").await;
    assert_eq!(missing.status, 404, "{}", missing.body);
}

#[tokio::test]
async fn a_cause_whose_cost_is_known_in_part_is_shown_as_a_lower_bound() {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Look."]).answer(90_000, 0, "Yes.");
    for _ in 0..6 {
        log.user(&["And?"]).answer(90_000, 0, "Yes.");
    }
    let text = log.text();
    let (first, rest) = text.rsplit_once(PRICED).unwrap();
    let served = Served::showing(&format!("{first}{UNPRICED}{rest}")).await;
    let all = served.ask("GET", "/api/transcripts", "").await.json();
    let overview = page(&served, all["transcripts"][0]["transcript"].as_str().unwrap(), "").await;
    let why = overview.split_once("Why it cost").map(|(_, rest)| rest).unwrap_or_default();
    let cause = why.split_once("tokens of input on average").map(|(cause, _)| cause).unwrap_or_default();
    assert!(cause.contains(" (≥ $"), "{overview}");
}

#[tokio::test]
async fn a_report_notes_records_that_do_not_fit_the_others() {
    let served = Served::new().await;
    let opened = async || Storage::open(Some(served.folder.path().join("data"))).await.unwrap();
    let handle = SessionHandle::new(opened().await, SessionId::new(served.id.clone()).unwrap());
    let log = handle.log().await.unwrap();
    let span = Span::one(Seq(log.last.0 + 50));
    let edit = Edit {
        reason: EditReason::Manual,
        actions: vec![Action::Cover { span, summary: None, note: None }],
        strategies: Vec::new(),
    };
    let misfit = handle.append(&log, RecordBody::Edit(edit)).await.unwrap();

    let storage = opened().await;
    let all = storage.sessions().await.unwrap();
    let summary = all.iter().find(|one| one.info.id == handle.session).unwrap();
    report_page(&SessionHandle::new(storage.clone(), handle.session.clone()), summary).await.unwrap();
    let lost: Vec<Span> = storage.lost_records().iter().map(|one| one.span).collect();
    assert_eq!(lost, [Span::one(misfit.seq)]);
}

#[tokio::test]
async fn the_next_window_is_that_of_the_report() {
    let served = Served::new().await;
    let storage = Storage::open(Some(served.folder.path().join("data"))).await.unwrap();
    let handle = SessionHandle::new(storage, SessionId::new(served.id.clone()).unwrap());
    let report = handle.report(&SessionWriter::Handle).await.unwrap();
    assert_eq!(handle.next_window().await.unwrap(), report.context.window);
}
