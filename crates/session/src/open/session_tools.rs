//! The tools of a session that opens.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::SessionId;
use throughline_stored::{Result, SpendingLimits};
use throughline_tools::{CommandRunner, FileScope, Jobs, RegistryError, ToolRegistry};

use crate::agents::background::BackgroundAgents;
use crate::agents::work::SessionWork;
use crate::agents::{AgentParts, OpenSession, agent_tools};
use crate::call_layers::CallLayers;
use crate::instructions::Instructions;
use crate::options::SessionOptions;
use crate::rule_notes::rule_notes;
use crate::servers::Servers;
use crate::tools::{ToolSet, home_note, may_provider_search, program_note, registry, sandbox_notes, scope};

/// The tools of a session.
pub(super) struct SessionTools {
    /// As the model is given them.
    pub(super) all: ToolRegistry,
    /// Without those of servers, and not wrapped; `None`: the session takes no tools of servers.
    pub(super) base: Option<ToolRegistry>,
    pub(super) scope: FileScope,
    /// Its background commands.
    pub(super) jobs: Jobs,
    /// Its sub-agents in the background.
    pub(super) agents: BackgroundAgents,
    /// Both, for its agent.
    pub(super) work: Arc<SessionWork>,
}

/// What the tools of a session depend on.
pub(super) struct Opening<'a> {
    pub(super) options: &'a SessionOptions,
    pub(super) around: &'a CallLayers,
    pub(super) servers: &'a Arc<Servers>,
    pub(super) runner: &'a CommandRunner,
    pub(super) instructions: &'a Instructions,
    pub(super) session: &'a SessionId,
    /// Of the model, in tokens.
    pub(super) window: u64,
    pub(super) spending: Option<Arc<SpendingLimits>>,
    pub(super) open: OpenSession,
}

/// The built-in tools, the caller's, the skills', and those of servers, as the permissions and the user see them.
pub(super) async fn tools(opening: Opening<'_>, notices: &mut Vec<String>) -> Result<SessionTools> {
    let Opening { options, around, servers, runner, instructions, session, window, spending, open } = opening;
    let permissions = &around.permissions;
    let SessionOptions { config, storage, workspace, .. } = options;
    let (set, data) = (options.models.options.tools, storage.folder.root());
    let grants = permissions.read_grants().cloned().unwrap_or_default();
    let scope = scope(config, data, &options.fixed_files).with_grants(grants);
    around.hooks.iter().for_each(|hooks| hooks.follow_files(&scope));
    let (jobs, agents) = (Jobs::new(), BackgroundAgents::default());
    let search = set == ToolSet::All && may_provider_search(config, permissions, notices);
    let mut tools = registry(set, config, workspace, runner, scope.clone(), &jobs, search)?;
    options.more_tools.iter().try_for_each(|tool| tools.register(Arc::clone(tool)))?;
    notices.extend(permissions.take_problems());
    if set != ToolSet::None {
        instructions.register(&mut tools)?;
    }
    if set == ToolSet::All {
        let (kinds, agents) = (instructions.agent_kinds(), &agents);
        let parts =
            AgentParts { options, permissions, servers, session, kinds, window, agents, spending, open };
        agent_tools(parts).into_iter().try_for_each(|tool| tools.register(tool))?;
    }
    let base = (set == ToolSet::All).then(|| tools.clone());
    if base.is_some() {
        notices.extend(sandbox_notes(config, workspace, Some(data)).await);
        notices.extend(program_note(config));
        notices.extend(home_note(config, workspace));
        if options.servers.is_none() {
            // These are the tools of now.
            servers.take_change();
        }
        notices.extend(servers.review(permissions).await);
        notices.extend(servers.add(&mut tools));
        notices.extend(rule_notes(permissions, &tools));
    }
    if let Some(names) = options.agent.as_ref().and_then(|role| role.tools.as_ref()) {
        tools = only(&tools, names)?;
    }
    let all = around.wrap(&tools)?;
    let ends_with_turn = options.agent.is_some() || !options.user.attendance().is_attended();
    let work = SessionWork::new(jobs.clone(), agents.clone(), ends_with_turn);
    Ok(SessionTools { all, base, scope, jobs, agents, work: Arc::new(work) })
}

/// The tools with these names, in their order.
fn only(tools: &ToolRegistry, names: &BTreeSet<String>) -> Result<ToolRegistry, RegistryError> {
    let mut chosen = ToolRegistry::new();
    let named = tools.names().filter(|name| names.contains(*name));
    named.filter_map(|name| tools.get(name)).try_for_each(|tool| chosen.register(tool))?;
    Ok(chosen)
}
