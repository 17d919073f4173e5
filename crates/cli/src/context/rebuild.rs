//! Regenerates STATE from the messages in view.

use crate::answer::Answer;
use crate::target::CommandTarget;
use throughline::SessionWriter;
use throughline_agent::Rebuilt;
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source, View};
use throughline_documents::{RebuildInput, STATE_CAP, State, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_text::cut_end;

/// Regenerates STATE: by the model if an agent has the session open, else by rule.
pub(crate) async fn rebuild(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
) -> anyhow::Result<Answer> {
    if let SessionWriter::Agent(agent, sink) = writer {
        return Ok(by_agent(
            target,
            agent.rebuild_state(true, *sink, &throughline_tools::CancelFlag::new()).await,
        ));
    }
    let _lock = target.handle.lock(writer)?;
    let log = target.handle.log().await?;
    let Some(state) = by_rule(&log.view) else {
        return Ok(Answer::lines(&["Nothing in view to regenerate STATE from; it is unchanged.".to_owned()]));
    };
    let text = cut_end(&state.text, STATE_CAP).to_owned();
    if text == log.view.documents().text(DocumentName::State) {
        return Ok(Answer::lines(&["STATE is already up to date.".to_owned(), text]));
    }
    let body = RecordBody::Document(DocumentRecord {
        name: DocumentName::State,
        text: text.clone(),
        by: Source::Engine,
    });
    let record = target.handle.append(&log, body).await?;
    Ok(Answer::lines(&[
        format!("Regenerated STATE by rule, without a model (revision {}):", record.seq),
        text,
        before(target),
    ]))
}

/// The result of an agent's rebuild.
pub(crate) fn by_agent(target: &CommandTarget, rebuilt: Rebuilt) -> Answer {
    match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::lines(&["The model regenerated STATE:".to_owned(), text, before(target)])
        }
        Rebuilt::ByRule(text) => {
            let how = "Regenerated STATE by rule, because the model gave none:";
            Answer::lines(&[how.to_owned(), text, before(target)])
        }
        Rebuilt::Stopped => Answer::lines(&["Stopped; STATE is unchanged.".to_owned()]),
        Rebuilt::Unchanged => {
            Answer::lines(&["Nothing in view to regenerate STATE from; it is unchanged.".to_owned()])
        }
    }
}

fn before(target: &CommandTarget) -> String {
    format!("Earlier revisions: {}", target.command("state", "history --full"))
}

fn by_rule(view: &View) -> Option<State> {
    let old = State::parse(view.documents().text(DocumentName::State));
    let ledger = Ledger::of(view.entries());
    let scratchpad = view.documents().text(DocumentName::Scratchpad);
    rebuilt_by_rule(&RebuildInput {
        entries: view.entries(),
        old: old.as_ref(),
        scratchpad,
        ledger: Some(&ledger),
    })
}
