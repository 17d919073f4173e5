//! The list of turns.

use serde_json::json;
use throughline_conversation::Millis;
use throughline_groups::Group;
use throughline_stored::{now, turn_object};
use throughline_terminal::table;
use throughline_text::{group_thousands, headline};

use crate::age::age;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Characters of a request that are shown.
const REQUEST: usize = 60;

/// The newest turns, oldest first.
pub(crate) async fn list(target: &CommandTarget, most: u64) -> anyhow::Result<Answer> {
    let all = target.handle.groups().await?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let left_out = all.len().saturating_sub(most);
    let listed: Vec<&Group> = all.iter().skip(left_out).collect();
    let json = json!(listed.iter().map(|group| turn_object(group)).collect::<Vec<_>>());
    if listed.is_empty() {
        return Ok(Answer { text: format!("Session {} has no turn yet.", target.handle.session), json });
    }
    let time = now();
    let header = ["TURN", "STATUS", "VIEW", "AGE", "MESSAGES", "CALLS", "CONTEXT", "REQUEST"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(listed.iter().map(|group| row(group, time)));
    let mut lines = table(&rows);
    if left_out > 0 {
        let command = target.command("messages list", &all.len().to_string());
        lines.push(format!("{} of {} turns; to list all: {command}", listed.len(), all.len()));
    }
    Ok(Answer { text: lines.join("\n"), json })
}

fn row(group: &Group, time: Millis) -> Vec<String> {
    vec![
        group.id.to_string(),
        group.status.name().to_owned(),
        group.shown.name().to_owned(),
        age(time, group.at),
        group_thousands(group.messages),
        group_thousands(group.calls),
        group.tokens.map_or_else(String::new, group_thousands),
        headline(&group.request, REQUEST),
    ]
}

/// Tokens of the turn's last request and its answer.
pub(super) fn figure(tokens: Option<u64>) -> String {
    tokens.map_or_else(String::new, |tokens| format!("· {} tokens", group_thousands(tokens)))
}
