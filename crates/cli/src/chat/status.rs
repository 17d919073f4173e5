//! Pages about the session and what belongs to it.

use std::path::Path;

use throughline_continuity::SessionDirectory as _;
use throughline_conversation::group_thousands;

use super::driver::Driver;
use crate::compose::Data;
use crate::memos::listed;
use crate::terminal::table;

impl Driver {
    /// How the session stands.
    pub(super) async fn status(&self) -> String {
        let Some(live) = &self.live else { return "There is no session yet.".to_owned() };
        let (agent, data) = (&live.agent, &self.setup.data);
        let (model, window) = (agent.model(), agent.budget().window_figures());
        let effective = window.total.saturating_sub(window.reserved_output).max(1);
        let used = window.used.total();
        let (spent, branch, mode) = {
            let board = self.setup.screen.board();
            (board.spent.clone(), board.branch.clone(), board.mode.clone())
        };
        let cost = match (spent.dollars(), spent.requests) {
            (Some(dollars), _) => format!("{dollars:.4} $"),
            (None, 0) => "nothing yet".to_owned(),
            (None, _) => "not known: the price of a model is not in the table".to_owned(),
        };
        let cached =
            spent.cached_percent().map_or(String::new(), |percent| format!(", {percent}% from the cache"));
        let known = data.store.sessions().get(&live.info.id).await.ok().flatten();
        let title = known.map_or_else(|| live.info.title.clone(), |info| info.title);
        let row = |name: &str, value: String| vec![name.to_owned(), value];
        let rows = [
            row("session", live.info.id.to_string()),
            row("title", if title.is_empty() { "none yet".to_owned() } else { title }),
            row("folder", self.setup.workspace.display().to_string()),
            row("branch", branch.unwrap_or_else(|| "none".to_owned())),
            row("model", format!("{}/{}", model.provider, model.name)),
            row("mode", mode),
            row("policy", self.setup.choice.policy.name().to_owned()),
            row(
                "window",
                format!(
                    "{} of {} tokens used ({}%), {} kept for the answer",
                    group_thousands(used),
                    group_thousands(effective),
                    used.saturating_mul(100) / effective,
                    group_thousands(window.reserved_output)
                ),
            ),
            row(
                "requests",
                format!(
                    "{} with {} tokens{cached}",
                    group_thousands(agent.requests()),
                    group_thousands(spent.usage.prompt())
                ),
            ),
            row("cost", cost),
            row("data", data.folder.database().display().to_string()),
        ];
        table(&rows).join("\n")
    }

    /// The skills that were found, and the rules.
    pub(super) async fn skills(&self) -> anyhow::Result<String> {
        match &self.live {
            Some(live) => live.instructions.page().await,
            None => Ok("There is no session yet.".to_owned()),
        }
    }
}

/// The memos of the folder; with words: those that have one of them.
pub(super) async fn memos(data: &Data, folder: &Path, words: Option<&str>) -> anyhow::Result<String> {
    Ok(listed(data.clone(), folder, words).await?.text)
}
