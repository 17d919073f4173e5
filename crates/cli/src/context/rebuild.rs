//! STATE made anew from what is in view.

use throughline_agent::Rebuilt;
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source, View};
use throughline_documents::{RebuildInput, STATE_CAP, State, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_text::cut_end;

use crate::desk::{Answer, Desk, Hand};

/// Makes STATE anew and keeps it: by the model, where an agent has the session open, else by rule.
pub(crate) async fn rebuild(desk: &Desk, hand: &mut Hand<'_>) -> anyhow::Result<Answer> {
    if let Hand::Agent(agent, sink) = hand {
        return Ok(by_agent(desk, agent.rebuild_state(true, *sink).await));
    }
    let _lock = desk.lock(hand)?;
    let log = desk.log().await?;
    let Some(state) = by_rule(&log.view) else {
        return Ok(Answer::told(&[
            "Nothing in view says what STATE should be; the old one stays.".to_owned()
        ]));
    };
    let text = cut_end(&state.text, STATE_CAP).to_owned();
    if text == log.view.documents().text(DocumentName::State) {
        return Ok(Answer::told(&[
            "STATE is what the view says already; it stays as it is.".to_owned(),
            text,
        ]));
    }
    let body = RecordBody::Document(DocumentRecord {
        name: DocumentName::State,
        text: text.clone(),
        by: Source::Engine,
    });
    let record = desk.append(&log, body).await?;
    Ok(Answer::told(&[
        format!("STATE is made anew by rule, without a model (revision {}):", record.seq),
        text,
        before(desk),
    ]))
}

/// What the agent that has the session open has made of it.
pub(crate) fn by_agent(desk: &Desk, rebuilt: Rebuilt) -> Answer {
    match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::told(&["STATE is made anew by the model:".to_owned(), text, before(desk)])
        }
        Rebuilt::ByRule(text) => {
            let how = "STATE is made anew by rule, as the model gave none:";
            Answer::told(&[how.to_owned(), text, before(desk)])
        }
        Rebuilt::Stopped => Answer::told(&["Stopped; STATE stays as it is.".to_owned()]),
        Rebuilt::Kept => {
            Answer::told(&["Nothing in view says what STATE should be; the old one stays.".to_owned()])
        }
    }
}

fn before(desk: &Desk) -> String {
    format!("The ones before it: {}", desk.command("state", "history --full"))
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
