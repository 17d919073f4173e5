//! STATE made anew from what is in view.

use throughline_agent::Rebuilt;
use throughline_continuity::{RebuildInput, STATE_CAP, State, rebuilt_by_rule};
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source, View, cut_end};
use throughline_ledger::Ledger;

use crate::desk::{Answer, Desk, Hand};

/// Makes STATE anew and keeps it: by the model, where an agent has the session open, else by rule.
pub(crate) async fn rebuild(desk: &Desk, hand: &mut Hand<'_>) -> anyhow::Result<Answer> {
    let history = desk.command("state", "history --full");
    if let Hand::Agent(agent, sink) = hand {
        return Ok(by_agent(agent.rebuild_state(true, *sink).await, &history));
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
        format!("The ones before it: {history}"),
    ]))
}

/// What the agent that has the session open has made of it.
fn by_agent(rebuilt: Rebuilt, history: &str) -> Answer {
    let before = format!("The ones before it: {history}");
    match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::told(&["STATE is made anew by the model:".to_owned(), text, before])
        }
        Rebuilt::ByRule(text) => {
            Answer::told(&["STATE is made anew by rule, as the model gave none:".to_owned(), text, before])
        }
        Rebuilt::Kept => {
            Answer::told(&["Nothing in view says what STATE should be; the old one stays.".to_owned()])
        }
    }
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
