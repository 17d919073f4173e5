//! `throughline watch --status`: what the transcript of a session says of its compactions.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline::ports::SessionId;
use throughline_commands::UsageError;
use throughline_stored::{DataDir, SessionHandle, Storage};
use throughline_terminal::line;
use throughline_text::headline;
use throughline_watch::{
    CompactorNotes, Delivery, ExportedSession, FactFates, ForeignAgent, ForeignCompaction, ForeignName,
    NotedCompaction, Offloads, SentContexts, branch_of, compactions, contexts_given, newest_anywhere,
    opencode_compactions, opencode_session, read_session, transcripts,
};

use super::hook::place;
use super::receipt::Receipt;
use crate::data_args::DataArgs;

/// Maximum number of facts of a kind that are shown.
const SHOWN: usize = 8;

/// Maximum bytes of a fact that are shown.
const WIDTH: usize = 100;

/// Prints it. The exit code is 1 if a context did not arrive.
pub(super) async fn status(name: &str, data: &DataArgs) -> anyhow::Result<ExitCode> {
    let named = match ForeignName::parse(name) {
        Some(named) => named,
        None if name.is_empty() => newest_anywhere(data.data_dir.clone(), data.any_folder).await?,
        None => bail!(UsageError(format!(
            "{name:?} is not a session of a watched agent; name it as claude:ID, codex:ID, opencode:ID or gemini:ID"
        ))),
    };
    if !named.agent.has_files() {
        return of_opencode(&named, data).await;
    }
    let (agent, transcript) = (named.agent, transcripts()?.find(&named)?);
    let found = compactions(agent, &transcript.path)
        .with_context(|| format!("cannot read {}", transcript.path.display()))?;
    line(&format!("Session {agent}:{}: compactions {}", transcript.id, found.len()));
    print_deliveries(&found);
    let session = agent.session_id(&transcript.id)?;
    print_answers(&session, agent, data, !found.is_empty())?;
    if let Some(last) = found.last() {
        fates(
            last,
            &newest_branch(agent, &transcript.id, data).await?.unwrap_or_else(|| session.clone()),
            data,
        )
        .await?;
    }
    let offloads = Offloads::of(data.data_dir.clone(), &session)?;
    if offloads != Offloads::default() {
        let recorded = read_session(&transcript.path)?;
        let file = Some(transcript.path.as_path());
        Receipt { agent, recorded: &recorded, file }.print(&offloads)?;
    }
    Ok(exit_code(&found))
}

/// Prints of each compaction if its context arrived.
fn print_deliveries(found: &[ForeignCompaction]) {
    for (compaction, number) in found.iter().zip(1..) {
        let outcome = match compaction.delivery {
            Delivery::Delivered => "context delivered",
            Delivery::Late => "context delivered with a later message of the user",
            Delivery::Missing => "context not delivered",
            Delivery::Pending => "no answer yet",
            Delivery::Empty => "nothing to restore: no answer was before it",
        };
        line(&format!("  {number}  {outcome}"));
    }
}

/// Prints how the compactions of Claude Code were answered, also those of subagents, which are in files of their own.
fn print_answers(
    session: &SessionId,
    agent: ForeignAgent,
    data: &DataArgs,
    is_compacted: bool,
) -> anyhow::Result<()> {
    let Some(folder) = DataDir::existing(data.data_dir.clone()).filter(|_| agent == ForeignAgent::Claude)
    else {
        return Ok(());
    };
    let notes = CompactorNotes::read(folder.root(), session)?;
    if is_compacted && notes.loaded.is_none() {
        line("Throughline's module was not loaded: claude has compacted by itself");
    }
    for NotedCompaction { trigger, agent, took, whole, problem, .. } in &notes.compactions {
        let whose = agent.as_ref().map(|agent| format!(" of subagent {agent}")).unwrap_or_default();
        let outcome = match problem {
            None if *whole => "answered from the whole transcript".to_owned(),
            None => "answered".to_owned(),
            Some(problem) => format!("left to claude ({problem})"),
        };
        // One that has ended without an answer has no time.
        let after = if *took > 0 { format!(" after {took} ms") } else { String::new() };
        line(&format!("  compaction{whose} ({trigger}): {outcome}{after}"));
    }
    Ok(())
}

/// The session that a transcript was stored as last. `None`: it is not stored.
async fn newest_branch(agent: ForeignAgent, id: &str, data: &DataArgs) -> anyhow::Result<Option<SessionId>> {
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let stored = storage.sessions().await?;
    Ok(branch_of(&stored, agent, id).map(|session| session.info.id.clone()))
}

fn exit_code(found: &[ForeignCompaction]) -> ExitCode {
    let missing = found.iter().any(|one| one.delivery == Delivery::Missing);
    if missing { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the same of a session of OpenCode. Its export says what was compacted and answered, and the plugin has reported which
/// answers had the context in their request.
async fn of_opencode(named: &ForeignName, data: &DataArgs) -> anyhow::Result<ExitCode> {
    let ExportedSession { recorded, document, .. } = opencode_session(&named.id)?;
    let session = named.agent.session_id(&recorded.id)?;
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let sent = SentContexts::new(storage.folder.root(), &session).answers()?;
    let mut found = opencode_compactions(&document, &sent);
    line(&format!(
        "Session {}:{} (by `opencode export`): compactions {}",
        named.agent,
        recorded.id,
        found.len()
    ));
    print_deliveries(&found);
    if let Some(last) = found.last_mut() {
        if matches!(last.delivery, Delivery::Delivered | Delivery::Late) {
            let given = contexts_given(&SessionHandle::new(storage, session.clone())).await?;
            let size = place(data).settings()?.size;
            let context = given.into_iter().next_back().and_then(|given| given.context);
            last.context = context.map(|context| context.text_within("", size)).unwrap_or_default();
        }
        fates(last, &session, data).await?;
    }
    Receipt { agent: named.agent, recorded: &recorded, file: None }
        .print(&Offloads::of(data.data_dir.clone(), &session)?)?;
    Ok(exit_code(&found))
}

/// Prints which facts of the session the last compaction kept, which came back, and which are only stored.
async fn fates(last: &ForeignCompaction, session: &SessionId, data: &DataArgs) -> anyhow::Result<()> {
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let handle = SessionHandle::new(storage, session.clone());
    let Some(facts) = handle.facts_before_compaction().await?.filter(|facts| !facts.is_empty()) else {
        return Ok(());
    };
    let fates = FactFates::of(last, &facts);
    line(&format!(
        "Facts before the last one: {}; the agent's own summary has lost {} %, with the restored context {} %",
        facts.len(),
        fates.lost_by_agent(),
        fates.lost_in_context()
    ));
    let parts = [
        ("kept by the agent", &fates.kept),
        ("restored", &fates.restored),
        ("one search away", &fates.stored),
    ];
    for (name, facts) in parts {
        line(&format!("  {name}: {}", facts.len()));
        facts.iter().take(SHOWN).for_each(|fact| line(&format!("    {}", headline(fact, WIDTH))));
        if let Some(more) = facts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            line(&format!("    and {more} more"));
        }
    }
    Ok(())
}
