//! Documents and notes at the end of the system prompt.

use throughline_agent::{Agent, NullSink, reconstruct};
use throughline_budget::Threshold;
use throughline_completion::{CompletionRequest, Reply};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{Record, RecordBody, Seq};
use throughline_documents::DocumentCaps;
use throughline_prompt::DynamicPlacement;
use throughline_testkit::WordCounter;

use crate::harness::{World, echo, session, text, turn};

const STATE: &str =
    "### STATE\nGoal: fix the parser\nContext: parser.rs\nResolved: nothing\nTechnical Anchors: 8080";

fn world(window: u64, replies: Vec<Reply>) -> World {
    let mut world = World::new(window, replies);
    world.settings.placement = DynamicPlacement::SystemTail;
    world
}

async fn open(world: &World) -> Agent {
    world.builder().documents(DocumentCaps::default()).open(session()).await.unwrap()
}

async fn log(world: &World) -> Vec<Record> {
    world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records
}

fn system(request: &CompletionRequest) -> Vec<&str> {
    request.system.iter().map(|section| section.text.as_str()).collect()
}

// S3-13 S4-08
#[tokio::test]
async fn documents_stand_before_the_history_when_they_are_placed_in_the_system_prompt() {
    let replies = vec![
        Reply::Say(vec![text(&format!("SCRATCHPAD:a plan\n\n{STATE}")), echo("a", 3)]),
        Reply::text("Done."),
        Reply::text("### STATE\nGoal: rebuilt\nContext: none"),
        Reply::text("Again."),
    ];
    let world = world(60_000, replies);
    let mut agent = open(&world).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let sent = world.model.requests();
    assert_eq!(system(&sent[0]), ["Work with care."]);
    let [rules, state, scratchpad] = system(&sent[1])[..] else { panic!("{:?}", sent[1].system) };
    assert_eq!(rules, "Work with care.");
    assert!(state.contains("Technical Anchors: 8080") && scratchpad.contains("a plan"), "{scratchpad}");
    assert!(sent.iter().all(|request| request.tail.is_empty()));
    assert!(sent[1].system.iter().skip(1).all(|section| !section.cacheable));
    // The log has the prompt once: documents are read from their own records.
    let prompts = log(&world).await.iter().filter(|one| matches!(one.body, RecordBody::Prompt(_))).count();
    assert_eq!(prompts, 1);

    // A question about STATE follows the same prefix, and what it changes is in the next request.
    agent.rebuild_state(true, &NullSink, &throughline_tools::CancelFlag::new()).await;
    assert_eq!(system(&world.model.requests()[2]), system(&sent[1]));
    turn(&mut agent, "Go again.").await.0.unwrap();
    let sent = world.model.requests();
    assert!(system(&sent[3])[1].contains("Goal: rebuilt"), "{:?}", sent[3].system);
    let records = log(&world).await;
    // The third request was no turn's: the receipts number the others.
    for (number, request) in [(1, &sent[0]), (2, &sent[1]), (3, &sent[3])] {
        let again = reconstruct(&session(), &records, number, &WordCounter).unwrap();
        assert_eq!((again.system, again.tail), (request.system.clone(), request.tail.clone()), "{number}");
    }
}

// S3-25
#[tokio::test]
async fn the_context_note_is_part_of_the_system_prompt_above_80_percent() {
    let mut replies: Vec<Reply> =
        (0..70).map(|index| Reply::Say(vec![echo(&format!("c{index}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let mut world = world(20_000, replies);
    world.settings.thresholds.compact = Threshold::Off;
    let mut agent = open(&world).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let receipts: Vec<_> = log(&world)
        .await
        .into_iter()
        .filter_map(|record| match record.body {
            RecordBody::Receipt(receipt) => Some(receipt),
            _ => None,
        })
        .collect();
    let sent = world.model.requests();
    assert_eq!(receipts.len(), sent.len());
    let mut figures = Vec::new();
    for (receipt, request) in receipts.iter().zip(&sent) {
        let noted = system(request).into_iter().find_map(|text| text.strip_prefix("[Context: "));
        assert_eq!(noted.is_some(), receipt.pressure == "notice", "{}: {noted:?}", receipt.pressure);
        assert!(receipt.system_tail && request.tail.is_empty());
        if let Some((figure, _)) = noted.and_then(|text| text.split_once('%')) {
            let used = receipt.window.percentage(receipt.window.used.total()) as u64;
            let figure: u64 = figure.parse().unwrap();
            assert!((figure..figure + 5).contains(&used), "{figure} for {used}");
            figures.push(figure);
        }
    }
    assert!(figures.len() > 2, "{figures:?}");
    let changes = figures.windows(2).filter(|two| two[0] != two[1]).count();
    assert!(changes < figures.len() / 2, "most requests have the prefix of the one before: {figures:?}");
}
