//! What can be asked of a session, however it is asked: by a subcommand, or by a line that begins with `/`.

use std::path::PathBuf;

use throughline_continuity::Change;
use throughline_conversation::{DocumentName, ExchangeId};

use crate::context::{assembled, rebuild, report};
use crate::desk::{Answer, Desk, Hand};
use crate::documents::DocumentAsk;
use crate::terminal::json;
use crate::{checkpoints, diff, documents, editor, groups, handoff, messages, pager, summaries};

/// A question to a session, or a change of it, that needs no model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Changes what is shown. Can be taken back.
    Change(Change),
    /// Deletes a group for good; `None`: the newest one.
    Remove { group: Option<ExchangeId>, yes: bool },
    /// Lists the newest groups.
    List { most: u64 },
    /// Shows all of a group.
    Show { group: ExchangeId },
    /// What fills the window.
    Report,
    /// The context as it will be sent.
    Assembled { request: bool, editor: bool },
    /// A new STATE.
    Rebuild,
    /// What a compaction took away; `None`: the newest one.
    Diff { number: Option<u64> },
    /// The summaries.
    Summaries,
    /// A document of the session.
    Document { name: DocumentName, what: DocumentAsk },
    /// Where the session stands.
    Handoff,
    /// Lists the checkpoints.
    Checkpoints,
    /// A checkpoint written out; `None`: the newest one.
    Checkpoint { number: Option<u64> },
}

/// Does it and prints what came of it.
pub(crate) async fn run(
    session: &str,
    ask: &Ask,
    as_json: bool,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<()> {
    let desk = Desk::open(session, data_dir).await?;
    let answer = answer(&desk, &mut Hand::Own, ask).await?;
    if as_json {
        return json(&answer.json);
    }
    if *ask == (Ask::Assembled { request: false, editor: true }) {
        // What is changed there changes nothing here.
        return editor::edit(&answer.text).map(|_| ());
    }
    pager::show(&answer.text);
    Ok(())
}

/// Does it and gives what came of it.
pub(crate) async fn answer(desk: &Desk, hand: &mut Hand<'_>, ask: &Ask) -> anyhow::Result<Answer> {
    match ask {
        Ask::Change(change) => groups::change(desk, hand, *change).await,
        Ask::Remove { group, yes } => groups::remove(desk, hand, *group, *yes).await,
        Ask::List { most } => messages::list(desk, *most).await,
        Ask::Show { group } => messages::show(desk, *group).await,
        Ask::Report => report(desk, hand).await,
        Ask::Assembled { request, .. } => assembled(desk, *request).await,
        Ask::Rebuild => rebuild(desk, hand).await,
        Ask::Diff { number } => diff::diff(desk, *number).await,
        Ask::Summaries => summaries::summaries(desk).await,
        Ask::Document { name, what } => documents::document(desk, hand, *name, what).await,
        Ask::Handoff => handoff::handoff(desk).await,
        Ask::Checkpoints => checkpoints::list(desk).await,
        Ask::Checkpoint { number } => checkpoints::show(desk, *number).await,
    }
}
