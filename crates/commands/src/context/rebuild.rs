//! Regenerates STATE from the messages in view.

use throughline_agent::Rebuilt;
use throughline_stored::{SessionWriter, StateRebuild};

use crate::answer::Answer;
use crate::target::CommandTarget;

/// What is answered if nothing in view says what STATE should be.
const NOTHING: &str = "Nothing in view to regenerate STATE from; it is unchanged.";

/// Regenerates STATE: by the model if an agent has the session open, else by rule.
pub(crate) async fn rebuild(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
) -> anyhow::Result<Answer> {
    Ok(match target.handle.rebuild_state(writer).await? {
        StateRebuild::ByAgent(rebuilt) => by_agent(target, rebuilt),
        StateRebuild::ByRule { revision, text } => Answer::lines(&[
            format!("Regenerated STATE by rule, without a model (revision {revision}):"),
            text,
            before(target),
        ]),
        StateRebuild::UpToDate(text) => Answer::lines(&["STATE is already up to date.".to_owned(), text]),
        StateRebuild::Nothing => Answer::lines(&[NOTHING.to_owned()]),
    })
}

/// The result of an agent's rebuild.
pub fn by_agent(target: &CommandTarget, rebuilt: Rebuilt) -> Answer {
    match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::lines(&["The model regenerated STATE:".to_owned(), text, before(target)])
        }
        Rebuilt::ByRule(text) => {
            let how = "Regenerated STATE by rule, because the model gave none:";
            Answer::lines(&[how.to_owned(), text, before(target)])
        }
        Rebuilt::Stopped => Answer::lines(&["Stopped; STATE is unchanged.".to_owned()]),
        Rebuilt::Unchanged => Answer::lines(&[NOTHING.to_owned()]),
    }
}

fn before(target: &CommandTarget) -> String {
    format!("Earlier revisions: {}", target.command("state", "history --full"))
}
