//! A session that is opened in another folder than before.

use std::path::Path;

use throughline_agent::Agent;
use throughline_continuity::{SessionDirectory as _, SessionInfo};
use throughline_stored::{Result, SessionHandle, SessionStart};

use crate::agents::work::SessionWork;
use crate::options::SessionOptions;
use crate::tools::ToolSet;

/// The session belongs to the folder of its tools from now on. If it, or the one that it is a copy of, has worked in another one, the
/// model learns it with its next request, and a sentence for the user is returned.
pub(super) async fn move_session(
    options: &SessionOptions,
    info: &mut SessionInfo,
    agent: &Agent,
    work: &SessionWork,
) -> Result<Option<String>> {
    // Without tools it works in no folder, and a sub-agent works in that of its session.
    if options.models.options.tools == ToolSet::None || options.agent.is_some() {
        return Ok(None);
    }
    let (storage, here) = (&options.storage, options.workspace.as_path());
    let before = match &options.start {
        SessionStart::New => return Ok(None),
        SessionStart::Existing(_) => info.workspace.clone(),
        SessionStart::Fork(old) => {
            storage.store.sessions().get(old).await?.map(|old| old.workspace).unwrap_or_default()
        }
    };
    let now = here.display().to_string();
    if info.workspace != now {
        SessionHandle::new(storage.clone(), info.id.clone()).move_to(here).await?;
        info.workspace.clone_from(&now);
    }
    if before.is_empty() || agent.exchange() == 0 || is_same(Path::new(&before), here) {
        return Ok(None);
    }
    work.add_note(format!(
        "This session has worked in {before} so far. From now on it works in {now}: relative paths and commands are of this folder, and \
         its files may differ from what you have read. Read a file again before you rely on it."
    ));
    Ok(Some(format!("this session worked in {before}; from now on it works in {now}")))
}

/// Returns true if both paths lead to one folder.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
