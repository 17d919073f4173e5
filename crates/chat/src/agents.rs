//! `/agents`: the kinds of sub-agents and those of the session.

use throughline_commands::cost_cell;
use throughline_commands::slash::AgentsCommand;
use throughline_connect::model_table;
use throughline_session::BackgroundAgentInfo;
use throughline_stored::Storage;
use throughline_terminal::table;
use throughline_text::{headline, plain};
use throughline_tui::elapsed;

use super::background::OpenSession;

/// Characters of a cell.
const MAX_CELL: usize = 60;

/// Lists the sub-agents, or ends one in the background.
pub(super) async fn agents_answer(
    data: &Storage,
    open: &OpenSession,
    what: Option<&AgentsCommand>,
) -> anyhow::Result<String> {
    match what {
        None => agents_page(data, open).await,
        Some(AgentsCommand::Stop { number }) => {
            let works = open.agents.stop(*number).await;
            anyhow::ensure!(works, "no sub-agent {number} works in the background; /agents lists them");
            Ok(format!("Stopped sub-agent {number}; the model learns it with your next message."))
        }
    }
}

/// The kinds of sub-agents and the session's own ones, for a person.
async fn agents_page(data: &Storage, open: &OpenSession) -> anyhow::Result<String> {
    let mut rows = vec![["KIND", "TOOLS", "MODEL", "FROM", "FOR"].map(str::to_owned).to_vec()];
    rows.extend(open.instructions.agents().into_iter().map(|kind| {
        let tools = kind.tools.map_or("all".to_owned(), |tools| headline(&tools.join(", "), 40));
        let model = kind.model.unwrap_or_else(|| "the session's".to_owned());
        vec![kind.name, tools, model, kind.shown, headline(&kind.description, 60)]
    }));
    let mut lines = table(&rows);
    lines.push(
        "A file .throughline/agents/NAME.md of a trusted project, or of your config folder, adds a kind."
            .to_owned(),
    );
    lines.extend(working(&open.agents.list()));
    let (links, agents) = data.agents_with_figures(&open.id).await?;
    if !links.is_empty() {
        let costs = data.session_costs(&agents, &model_table()?).await?;
        let mut rows = vec![["SUB-AGENT", "KIND", "REQUESTS", "COST", "TASK"].map(str::to_owned).to_vec()];
        rows.extend(links.iter().zip(&agents).zip(&costs).map(|((link, agent), cost)| {
            let (requests, title) = (agent.requests.to_string(), headline(&agent.info.title, 60));
            vec![link.session.to_string(), link.kind.clone(), requests, cost_cell(&cost.own), title]
        }));
        lines.push(String::new());
        lines.extend(table(&rows));
        lines.push(
            "throughline messages list SUB-AGENT shows the turns of one; its cost is part of this session's."
                .to_owned(),
        );
    }
    Ok(plain(&lines.join("\n")))
}

/// Those in the background.
fn working(agents: &[BackgroundAgentInfo]) -> Vec<String> {
    if agents.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![["N", "STATE", "TIME", "TASK", "NOW"].map(str::to_owned).to_vec()];
    rows.extend(agents.iter().map(|agent| {
        let task = format!("{}: {}", agent.kind, agent.title);
        let state = agent.ending.unwrap_or("works").to_owned();
        let now = if agent.ending.is_some() { String::new() } else { headline(&agent.newest, MAX_CELL) };
        vec![agent.number.to_string(), state, elapsed(agent.age), headline(&task, MAX_CELL), now]
    }));
    let mut lines = vec![String::new(), "In the background:".to_owned()];
    lines.extend(table(&rows));
    lines.push("/agents stop N ends one.".to_owned());
    lines
}
