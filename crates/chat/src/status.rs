//! The page of `/status`.

use std::path::Path;

use throughline_commands::memos::listed;
use throughline_completion::Cost;
use throughline_connect::cost_text;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_git::GitCli;
use throughline_stored::{SessionStart, Storage, settings_for};
use throughline_terminal::table;
use throughline_terminal::window_bar::percent;
use throughline_text::{group_thousands, plain};

use super::setup::Setup;

/// The figures of a session, as a page.
pub(super) async fn status(setup: &Setup, session: &SessionId) -> String {
    let figures = setup.screen.status().clone();
    let cost = figures.cost();
    let cached =
        cost.cached_percentage().map_or(String::new(), |percent| format!(", {percent}% from the cache"));
    let known = setup.data.store.sessions().get(session).await.ok().flatten();
    let title = known.map_or_else(|| figures.title.clone(), |info| info.title);
    let window = figures.window.map_or_else(String::new, |window| {
        format!(
            "{} of {} tokens used ({}%), {} reserved for output",
            group_thousands(window.used.total()),
            group_thousands(window.effective_window()),
            percent(window.used_percentage()),
            group_thousands(window.reserved_output)
        )
    });
    let requests = format!(
        "{} with {} tokens{cached}",
        group_thousands(cost.all_requests()),
        group_thousands(cost.usage.prompt())
    );
    let start = SessionStart::Existing(session.clone());
    let own = settings_for(&setup.data, &setup.choice, &start).await;
    let policy = own.map_or(setup.choice.policy(), |own| own.policy());
    let rows = [
        ("session", session.to_string()),
        ("title", if title.is_empty() { "none yet".to_owned() } else { title }),
        ("folder", setup.workspace.display().to_string()),
        ("branch", figures.branch.clone().unwrap_or_else(|| "none".to_owned())),
        ("model", figures.origin()),
        ("mode", figures.mode.clone()),
        ("policy", policy.name().to_owned()),
        ("window", window),
        ("requests", requests),
        ("cost", cost_text(cost)),
        ("data", setup.data.store.path().display().to_string()),
    ];
    table(&rows.map(|(name, value)| vec![name.to_owned(), value])).join("\n")
}

/// What the session has used and cost, as a page.
pub(super) fn cost(setup: &Setup) -> String {
    let figures = setup.screen.status().clone();
    cost_page(figures.cost(), figures.origin())
}

fn cost_page(cost: &Cost, model: String) -> String {
    let usage = cost.usage;
    let rows = [
        ("cost", cost_text(cost)),
        ("requests", group_thousands(cost.all_requests())),
        ("of sub-agents, for summaries, stopped", group_thousands(cost.side_requests)),
        ("input, not cached", group_thousands(usage.input)),
        ("input, written to the cache", group_thousands(usage.cache_write)),
        ("input, read from the cache", group_thousands(usage.cache_read)),
        ("output", group_thousands(usage.output)),
        ("model", model),
    ];
    table(&rows.map(|(name, value)| vec![name.to_owned(), value])).join("\n")
}

/// The changes of the workspace since the last commit, as a page.
pub(super) async fn changes(folder: &Path) -> anyhow::Result<String> {
    let text = GitCli::new(folder).changes().await?;
    Ok(if text.trim().is_empty() {
        "The workspace has no changes since the last commit.".to_owned()
    } else {
        plain(&text)
    })
}

/// The memos of the folder; with words, those that contain one of them.
pub(super) async fn memos(data: &Storage, folder: &Path, words: &str) -> anyhow::Result<String> {
    Ok(listed(data.clone(), folder, Some(words).filter(|words| !words.is_empty())).await?.text)
}

#[cfg(test)]
mod tests;
