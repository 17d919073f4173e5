//! Runs the demo's session to its end, from any point.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use throughline_agent::{Agent, reconstruct};
use throughline_budget::ScriptAwareEstimator;
use throughline_completion::{ModelInfo, ScriptedModel};
use throughline_continuity::{Part, SessionInfo, read_all};
use throughline_conversation::{Message, Record, RecordBody, Seq, SessionId, Source};
use throughline_policies::{Estimator, Policy};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_stored::{Storage, now, receipts};
use throughline_tools::{CancelFlag, ToolRegistry, builtin_tools};

use crate::model::{DemoModel, is_scripted};
use crate::screen::Screen;
use crate::{script, vat_tools};

/// Window of the demo in tokens: so small that compactions happen within a minute.
pub(crate) const WINDOW: u64 = 20_000;
/// Tokens of it reserved for output.
pub(crate) const MAX_OUTPUT: u64 = 2_000;

/// Runs the session to its end, from the start or from the log of a killed process.
pub(super) async fn run(
    data: &Storage,
    session: &SessionId,
    workspace: &Path,
    screen: &Screen,
) -> anyhow::Result<()> {
    let _lock = data.lock(session).await?;
    let info = SessionInfo {
        id: session.clone(),
        title: script::TURNS.first().copied().unwrap_or_default().to_owned(),
        workspace: workspace.display().to_string(),
        model: "demo-script".to_owned(),
        created: now(),
    };
    data.create_session(&info).await?;

    let counter = Estimator::Script.counter();
    let records = read_all(&data.store.message_log(), session, Seq(0), Part::All).await?.records;
    let scripted = scripted_model(session, &records);
    let prompt = PromptSection::base("demo", include_str!("files/system.md"));
    let agent = Agent::builder(
        Arc::new(DemoModel::new(scripted)),
        counter,
        Policy::Throughline.settings(WINDOW, MAX_OUTPUT),
    )
    .workspace(workspace)
    .tools(registry()?)
    .section(Arc::new(FixedSections::new("demo", [prompt])));
    let mut agent = data.attach(agent).open(session.clone()).await?;

    let cancel = CancelFlag::new();
    if agent.exchange() > 0 {
        agent.continue_turn(screen, &cancel).await.context("could not continue the session")?;
    }
    let done = usize::try_from(agent.exchange())?;
    for text in script::TURNS.iter().skip(done) {
        screen.user(text);
        agent.turn(Message::user(*text), screen, &cancel).await?;
    }
    agent.close(screen).await;
    if let Some(cause) = screen.unsaved() {
        bail!("the end of session {session} is not saved; free some space and start the demo again: {cause}");
    }
    Ok(())
}

fn registry() -> anyhow::Result<ToolRegistry> {
    let mut registry = ToolRegistry::new();
    for tool in builtin_tools() {
        registry.register(tool)?;
    }
    for tool in vat_tools::tools() {
        registry.register(Arc::new(tool))?;
    }
    Ok(registry)
}

/// The model with the rest of its script, and what the requests of a killed process left in its cache.
fn scripted_model(session: &SessionId, records: &[Record]) -> ScriptedModel {
    let info = ModelInfo::with_window("demo-script", WINDOW, MAX_OUTPUT);
    let replies = script::replies().into_iter().skip(answers_given(records));
    let scripted = ScriptedModel::new(info, Box::new(ScriptAwareEstimator), replies);
    let counter = Estimator::Script.counter();
    // A request that was not answered is not in the cache.
    let answered = receipts(records)
        .rev()
        .find_map(|receipt| reconstruct(session, records, receipt.request, counter.as_ref()).ok());
    match answered {
        Some(request) => scripted.having_answered(&request),
        None => scripted,
    }
}

/// The number of the script's answers in the log.
fn answers_given(records: &[Record]) -> usize {
    let scripted = |body: &RecordBody| match body {
        RecordBody::Message(said) => matches!(said.source, Source::Model(_)) && is_scripted(&said.message),
        _ => false,
    };
    records.iter().filter(|record| scripted(&record.body)).count()
}
