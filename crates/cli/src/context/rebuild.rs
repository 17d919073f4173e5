//! STATE made anew from what is in view.

use crate::answer::Answer;
use crate::target::CommandTarget;
use throughline::SessionWriter;
use throughline_agent::Rebuilt;
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source, View};
use throughline_documents::{RebuildInput, STATE_CAP, State, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_text::cut_end;

/// Makes STATE anew and keeps it: by the model, where an agent has the session open, else by rule.
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
        return Ok(Answer::lines(&[
            "Nothing in view says what STATE should be; the old one stays.".to_owned()
        ]));
    };
    let text = cut_end(&state.text, STATE_CAP).to_owned();
    if text == log.view.documents().text(DocumentName::State) {
        return Ok(Answer::lines(&[
            "STATE is what the view says already; it stays as it is.".to_owned(),
            text,
        ]));
    }
    let body = RecordBody::Document(DocumentRecord {
        name: DocumentName::State,
        text: text.clone(),
        by: Source::Engine,
    });
    let record = target.handle.append(&log, body).await?;
    Ok(Answer::lines(&[
        format!("STATE is made anew by rule, without a model (revision {}):", record.seq),
        text,
        before(target),
    ]))
}

/// What the agent that has the session open has made of it.
pub(crate) fn by_agent(target: &CommandTarget, rebuilt: Rebuilt) -> Answer {
    match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::lines(&["STATE is made anew by the model:".to_owned(), text, before(target)])
        }
        Rebuilt::ByRule(text) => {
            let how = "STATE is made anew by rule, as the model gave none:";
            Answer::lines(&[how.to_owned(), text, before(target)])
        }
        Rebuilt::Stopped => Answer::lines(&["Stopped; STATE stays as it is.".to_owned()]),
        Rebuilt::Unchanged => {
            Answer::lines(&["Nothing in view says what STATE should be; the old one stays.".to_owned()])
        }
    }
}

fn before(target: &CommandTarget) -> String {
    format!("The ones before it: {}", target.command("state", "history --full"))
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
