//! Each enhancement works by itself, with no agent and no other subsystem.

use std::sync::Arc;

use throughline_budget::{Meter, Pressure, Thresholds};
use throughline_compaction::{CompactionJob, CompactionPolicy, Compactor, Goal};
use throughline_completion::CacheRules;
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, MessageLog, SnapshotStore, resume, snapshot_of,
};
use throughline_conversation::{Components, EditReason, Millis, Place, ToolOrigin, project};
use throughline_deferral::{Bm25Ranker, DeferralManager, DeferralPolicy};
use throughline_prompt::{
    BreakpointPlanner, DynamicPlacement, PlanInput, PromptBuilder, PromptSection, SectionFigures,
};
use throughline_resultstore::{InMemoryResultRepository, OffloadPolicy, ReadRequest, ResultStore};
use throughline_testkit::{WordCounter, records, view};

use crate::harness::{session, tool};

// S3-30
#[test]
fn the_budget_alone() {
    let limits = Thresholds::default().limits(100_000, 4_096).unwrap();
    let measured =
        Meter::new().measure(Components { system: 1_000, skills: 0, tools: 500, conversation: 92_500 });
    assert_eq!(limits.pressure(measured.used.total()), Pressure::Block);
}

// S3-30
#[tokio::test]
async fn the_result_store_alone() {
    let repository = Arc::new(InMemoryResultRepository::new());
    let store = ResultStore::new(repository, session(), OffloadPolicy::seed(), []);
    let content = "line\n".repeat(2_000);
    let ingested = store.ingest("shell", "c1", content.as_bytes(), Millis(0)).await.unwrap();
    let stored = ingested.offloaded.unwrap().stored;
    let page = store.read(&ReadRequest { limit: 16_384, ..ReadRequest::new(stored) }).await.unwrap();
    assert_eq!(page.content, content);
}

// S3-30
#[test]
fn the_prompt_and_its_markers_alone() {
    let mut builder = PromptBuilder::new(DynamicPlacement::LastUser);
    builder.add(PromptSection::scratchpad("notes", "Half done."));
    builder.add(PromptSection::base("base", "You work with care."));
    let built = builder.build();
    assert_eq!(
        (built.prompt().as_str(), built.tail.as_slice()),
        ("You work with care.", &["Half done.".to_owned()][..])
    );
    let view = view("user: hello");
    let plan = BreakpointPlanner::new().plan(&PlanInput {
        rules: CacheRules { min_tokens: 0, ..CacheRules::anthropic() },
        tools: 0,
        tools_tokens: 0,
        system: &[SectionFigures { tokens: 4, cacheable: true }],
        entries: view.entries(),
        conversation_tokens: view.tokens(),
        epoch: view.epoch(),
    });
    assert_eq!(
        plan.iter().map(|marker| marker.place).collect::<Vec<_>>(),
        [Place::Section(0), Place::Message(0)]
    );
}

// S3-30
#[tokio::test]
async fn deferral_alone() {
    let catalogue: Arc<[_]> = ["xcode_build", "mail_send"].map(|name| tool(name, ToolOrigin::Mcp)).into();
    let mut deferral = DeferralManager::new(DeferralPolicy::default());
    let chosen = deferral.select(&catalogue, &WordCounter, 10, 0, 1);
    assert_eq!((chosen.active.len(), chosen.deferred), (0, 2));
    let hits = deferral.search(&Bm25Ranker, "xcode build").await.unwrap();
    assert_eq!(hits[0].name, "xcode_build");
}

// S3-30
#[tokio::test]
async fn compaction_alone() {
    let big = "alpha/beta.rs ".repeat(200);
    let mut text = String::from("user: go\n");
    for step in 0..8 {
        text.push_str(&format!("assistant:\n  -> c{step} read {{}}\nresults:\n  c{step} = {step} {big}\n"));
    }
    let view = view(&text);
    let job = CompactionJob {
        session: &session(),
        view: &view,
        counter: &WordCounter,
        room: 2_000,
        fixed: 0,
        compact_at: None,
        goal: Goal::Deep,
        reason: EditReason::Manual,
        prefix: None,
        instructions: None,
        names: None,
        spending: None,
        by_rule: false,
    };
    let compacted = Compactor::new(CompactionPolicy::default(), None).compact(&job).await.unwrap();
    assert!(compacted.view.tokens() < view.tokens() * 6 / 10, "{}", compacted.result);
    assert_eq!(compacted.view, view.edited(&compacted.edit, &WordCounter).unwrap());
}

// S3-30
#[tokio::test]
async fn continuity_alone() {
    let (log, snapshots) = (InMemoryMessageLog::new(), InMemorySnapshotStore::new());
    let records = records("user: go\nassistant: done\nuser: again");
    log.append(&session(), &records).await.unwrap();
    let half = project(&records[..2], &WordCounter).unwrap();
    snapshots.save(&snapshot_of(&session(), &half, Millis(0))).await.unwrap();
    let resumed = resume(&log, &snapshots, &session(), &WordCounter).await.unwrap();
    assert!(resumed.from_snapshot);
    assert_eq!(resumed.records_read, 1);
    assert_eq!(resumed.view, project(&records, &WordCounter).unwrap());
}
