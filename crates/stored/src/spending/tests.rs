//! What a guard allows, by its sums and expectations.

use throughline_agent::{SpendingError, SpendingGuard as _};
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{
    DocumentName, DocumentRecord, ExchangeId, ForeignTools, Millis, ModelRecord, ModelUse, Origin, Receipt,
    Record, RecordBody, Seq, SessionId, Source, Usage,
};
use throughline_providers::models::ModelTable;
use throughline_settings::{Flag, keys};

use super::{SpendingLimits, Spent};
use crate::storage::Storage;
use throughline_config::{Config, ConfigSources};

fn model() -> Origin {
    Origin::new("anthropic", "claude-sonnet-4-5")
}

#[test]
fn what_a_copy_was_made_of_is_not_spent_again() {
    let used = ModelUse::of_request(model(), Some(input(100_000)));
    let record = |seq| Record {
        seq: Seq(seq),
        at: Millis(0),
        exchange: ExchangeId(1),
        body: RecordBody::Spent(used.clone()),
    };
    let spent = |copied| {
        Spent::of_records(vec![record(1), record(2)], Seq(copied), &ModelTable::builtin())
            .session
            .side_requests
    };
    assert_eq!([spent(0), spent(1), spent(2)], [2, 1, 0]);
}

/// A guard of a new session with this limit, in a new data folder.
async fn guard(key: &str, amount: &str) -> (tempfile::TempDir, SpendingLimits) {
    let folder = tempfile::tempdir().unwrap();
    let flag = Flag { name: "--limit", key: keys::COST.name(), text: amount.to_owned() };
    let flags = if key == flag.key { vec![flag] } else { Vec::new() };
    let data = folder.path().join("data");
    let sources = ConfigSources {
        workspace: Some(folder.path()),
        data_dir: Some(data.clone()),
        flags,
        ..ConfigSources::default()
    };
    let config = Config::load(sources).unwrap();
    let storage = Storage::open(Some(data)).await.unwrap();
    let session = SessionId::new("s").unwrap();
    let guard = SpendingLimits::of(&config.resolved, &storage, &session).await.unwrap().unwrap();
    (folder, std::sync::Arc::into_inner(guard).unwrap())
}

fn input(tokens: u64) -> Usage {
    Usage { input: tokens, ..Usage::default() }
}

#[tokio::test]
async fn the_next_answer_is_expected_to_be_as_long_as_the_longest_so_far() {
    let (_folder, guard) = guard("limits.cost", "1").await;
    // $0.30 of input at $3 a million; with 50,000 tokens of output at $15 a million it passes.
    guard.allow(&model(), input(100_000)).await.unwrap();
    guard.record(&ModelUse::of_request(model(), Some(Usage { output: 20_000, ..input(0) })));
    guard.allow(&model(), input(100_000)).await.unwrap();
    guard.record(&ModelUse::of_request(model(), Some(Usage { output: 10_000, ..input(0) })));
    let refused = guard.allow(&model(), input(100_000)).await.unwrap_err();
    let SpendingError::Limit { spent, next, most, .. } = refused else { panic!("{refused}") };
    assert!((spent - 0.45).abs() < 1e-9 && (next - 0.60).abs() < 1e-9 && (most - 1.0).abs() < 1e-9);
}

#[tokio::test]
async fn a_sub_agent_at_work_spends_of_the_limit_of_its_session() {
    let (folder, guard) = guard("limits.cost", "1").await;
    let (guard, storage) =
        (std::sync::Arc::new(guard), Storage::open(Some(folder.path().join("data"))).await.unwrap());
    let flags = [("limits.cost", "1"), ("agents.cost", "5")];
    let flags = flags.map(|(key, text)| Flag { name: "--limit", key, text: text.to_owned() });
    let sources =
        ConfigSources { workspace: Some(folder.path()), flags: flags.into(), ..ConfigSources::default() };
    let config = Config::load(sources).unwrap();
    let agent = SessionId::new("agent").unwrap();
    let agent =
        SpendingLimits::of_agent(&config.resolved, &storage, &agent, Some(&guard)).await.unwrap().unwrap();
    agent.allow(&model(), input(200_000)).await.unwrap();
    agent.record(&ModelUse::of_request(model(), Some(input(200_000))));
    // $0.60 is spent of $1, by both.
    for refused in [agent.allow(&model(), input(150_000)).await, guard.allow(&model(), input(150_000)).await]
    {
        let SpendingError::Limit { spent, setting, .. } = refused.unwrap_err() else { panic!() };
        assert!((spent - 0.60).abs() < 1e-9 && setting == "limits.cost", "{spent} {setting}");
    }
    // Its session records what it spent when it has ended.
    drop(agent);
    guard.allow(&model(), input(150_000)).await.unwrap();
}

#[tokio::test]
async fn sub_agents_that_ask_at_once_share_what_is_left() {
    let (folder, guard) = guard("limits.cost", "1").await;
    let (guard, storage) =
        (std::sync::Arc::new(guard), Storage::open(Some(folder.path().join("data"))).await.unwrap());
    let flags = [("limits.cost", "1"), ("agents.cost", "5")];
    let flags = flags.map(|(key, text)| Flag { name: "--limit", key, text: text.to_owned() });
    let sources =
        ConfigSources { workspace: Some(folder.path()), flags: flags.into(), ..ConfigSources::default() };
    let config = Config::load(sources).unwrap();
    let mut agents = Vec::new();
    for name in ["one", "two", "three"] {
        let session = SessionId::new(name).unwrap();
        let made = SpendingLimits::of_agent(&config.resolved, &storage, &session, Some(&guard)).await;
        agents.push(made.unwrap().unwrap());
    }
    let [one, two, three] = agents.try_into().unwrap();
    // $0.45 each: two fit into $1, also when one of them asks again because its request has failed.
    for agent in [&one, &two, &one] {
        agent.allow(&model(), input(150_000)).await.unwrap();
    }
    let refused = three.allow(&model(), input(150_000)).await.unwrap_err();
    let SpendingError::Limit { spent, open, next, .. } = &refused else { panic!("{refused}") };
    assert!(*spent < 1e-9 && (open - 0.9).abs() < 1e-9 && (next - 0.45).abs() < 1e-9, "{refused}");
    assert!(refused.to_string().contains("$0.9000 is reserved for requests under way"), "{refused}");
    // The answer cost less than expected, and the other request was never sent.
    one.record(&ModelUse::of_request(model(), Some(input(10_000))));
    drop(two);
    three.allow(&model(), input(150_000)).await.unwrap();
    guard.allow(&model(), input(150_000)).await.unwrap();
    guard.allow(&model(), input(200_000)).await.unwrap_err();
}

#[tokio::test]
async fn a_request_without_reported_usage_counts_as_expected() {
    let (_folder, guard) = guard("limits.cost", "1").await;
    for _ in 0..3 {
        guard.allow(&model(), input(100_000)).await.unwrap();
        guard.record(&ModelUse::of_request(model(), None));
    }
    assert!(guard.allow(&model(), input(100_000)).await.is_err());
    // Nothing is passed yet, so that what needs no request still works.
    guard.allow(&model(), Usage::default()).await.unwrap();
}

#[tokio::test]
async fn a_provider_that_charges_for_more_than_the_prompt_is_expected_to_do_it_again() {
    let (_folder, guard) = guard("limits.cost", "1").await;
    guard.allow(&model(), input(1_000)).await.unwrap();
    guard.record(&ModelUse::of_request(model(), Some(input(200_000))));
    let refused = guard.allow(&model(), input(1_000)).await.unwrap_err();
    let SpendingError::Limit { spent, next, .. } = refused else { panic!("{refused}") };
    assert!((spent - 0.60).abs() < 1e-9 && (next - 0.60).abs() < 1e-9);
    // Another model has another tokenizer and other tools.
    guard.allow(&Origin::new("anthropic", "claude-haiku-4-5"), input(1_000)).await.unwrap();
}

#[tokio::test]
async fn the_sessions_of_a_process_spend_of_one_day() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    let flags = vec![Flag { name: "--limit", key: keys::COST_PER_DAY.name(), text: "1".to_owned() }];
    let sources = ConfigSources { workspace: Some(folder.path()), flags, ..ConfigSources::default() };
    let settings = Config::load(sources).unwrap().resolved;
    let id = |name: &str| SessionId::new(name).unwrap();
    let one = SpendingLimits::of(&settings, &storage, &id("one")).await.unwrap().unwrap();
    let two = SpendingLimits::of(&settings, &storage, &id("two")).await.unwrap().unwrap();
    for guard in [&one, &two] {
        guard.allow(&model(), input(150_000)).await.unwrap();
    }
    one.record(&ModelUse::of_request(model(), Some(input(150_000))));
    let agent =
        SpendingLimits::of_agent(&settings, &storage, &id("agent"), Some(&one)).await.unwrap().unwrap();
    agent.record(&ModelUse::of_request(model(), Some(input(50_000))));
    // $0.45 of one session and $0.15 of its sub-agent; $0.45 more would pass.
    let refused = two.allow(&model(), input(150_000)).await.unwrap_err();
    let SpendingError::Limit { spent, .. } = refused else { panic!("{refused}") };
    assert!((spent - 0.60).abs() < 1e-9, "{spent}");
    // The session records what its sub-agent has spent.
    drop(agent);
    one.record(&ModelUse::of_request(model(), Some(input(50_000))));
    let refused = two.allow(&model(), input(150_000)).await.unwrap_err();
    let SpendingError::Limit { spent, .. } = refused else { panic!("{refused}") };
    assert!((spent - 0.60).abs() < 1e-9, "{spent}");
}

#[tokio::test]
async fn requests_of_earlier_runs_without_reported_usage_count_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    let (earlier, third) = (SessionId::new("earlier").unwrap(), SessionId::new("third").unwrap());
    let text = || "x".to_owned();
    for (id, created) in [(&earlier, Millis(2)), (&third, Millis(1))] {
        let info = SessionInfo { id: id.clone(), title: text(), workspace: text(), model: text(), created };
        storage.store.sessions().create(&info).await.unwrap();
    }
    let request = || {
        let (model, predicted) = (model().model, input(100_000));
        RecordBody::Receipt(Box::new(Receipt { model, predicted, ..throughline_testkit::receipt() }))
    };
    let stopped = RecordBody::Spent(ModelUse::of_request(model(), None));
    let bodies = [answers(), request(), request(), stopped.clone()];
    let at = crate::session_id::now();
    let append = |session: SessionId, bodies: Vec<RecordBody>| {
        let record =
            |(body, seq): (RecordBody, u64)| Record { seq: Seq(seq), at, exchange: ExchangeId(1), body };
        let records: Vec<Record> = bodies.into_iter().zip(1..).map(record).collect();
        let log = storage.store.message_log();
        async move { log.append(&session, &records).await.unwrap() }
    };
    append(earlier.clone(), bodies.to_vec()).await;
    // Nothing was expected of the only request of another session, whose record has a higher number than those of the first.
    let note = DocumentRecord { name: DocumentName::State, text: text(), by: Source::User };
    let others = std::iter::repeat_n(RecordBody::Document(note), 4);
    append(third, others.chain([stopped]).collect()).await;
    let other = SessionId::new("other").unwrap();
    for (key, session) in [(keys::COST, &earlier), (keys::COST_PER_DAY, &other)] {
        let flags = vec![Flag { name: "--limit", key: key.name(), text: "1".to_owned() }];
        let sources = ConfigSources { workspace: Some(folder.path()), flags, ..ConfigSources::default() };
        let settings = Config::load(sources).unwrap().resolved;
        let guard = SpendingLimits::of(&settings, &storage, session).await.unwrap().unwrap();
        // Three requests of $0.30 each.
        let refused = guard.allow(&model(), input(100_000)).await.unwrap_err();
        let SpendingError::Limit { spent, .. } = refused else { panic!("{refused}") };
        assert!((spent - 0.90).abs() < 1e-9, "{} {spent}", key.name());
    }
}

/// The record that the model answers from here on.
fn answers() -> RecordBody {
    RecordBody::Model(ModelRecord {
        origin: std::sync::Arc::new(model()),
        window: 200_000,
        learnt: std::collections::BTreeMap::new(),
        foreign: ForeignTools::default(),
        thinking_from: None,
        thinking: None,
    })
}
