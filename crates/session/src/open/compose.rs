//! Composes the agent of a session.

use std::sync::Arc;

use throughline_agent::{Agent, AgentBuilder, NextModel};
use throughline_config::SessionSettings;
use throughline_connect::LimitsFile;
use throughline_documents::NotesPlace;
use throughline_instructions::OutputStyle;
use throughline_prompt::DynamicPlacement;
use throughline_tools::ToolRegistry;

use crate::call_layers::CallLayers;
use crate::continuity::{ContinuitySettings, with_continuity};
use crate::hooks::HookListeners;
use crate::limit_listener::LimitListeners;
use crate::opening_prompt::opening_prompt;
use crate::options::SessionOptions;
use crate::plan_mode::PlanNotes;
use crate::user::AskedUser;

/// The tool that changes what other sessions read.
const SAVE_MEMO: &str = "save_memo";

/// The agent with its model, tools, prompt and stores.
pub(super) fn compose(
    options: &SessionOptions,
    style: Option<&OutputStyle>,
    model: NextModel,
    own: &SessionSettings,
    tools: ToolRegistry,
    around: &CallLayers,
) -> AgentBuilder {
    let CallLayers { permissions, hooks, .. } = around;
    let SessionOptions { storage, workspace, .. } = options;
    let NextModel { model, counter, settings, summarizer } = model;
    let notes = match settings.placement {
        DynamicPlacement::LastUser => NotesPlace::LastMessage,
        DynamicPlacement::SystemTail => NotesPlace::SystemPrompt,
    };
    let mut builder = Agent::builder(model, counter, settings)
        .calls_need_log()
        .policy(own.policy().name())
        .workspace(workspace)
        .user_messages(Arc::new(AskedUser(Arc::clone(&options.user))))
        .tools(tools);
    let opening = opening_prompt(&options.system_prompt, style, options.user.attendance(), workspace);
    for section in opening.into_iter().chain(options.sections.iter().cloned()) {
        builder = builder.section(section);
    }
    if let Some(summarizer) = summarizer {
        builder = builder.summarizer(summarizer).summaries_ahead();
    }
    let others = options.models.options.listeners.clone();
    let file = LimitsFile::in_folder(storage.folder.root());
    let listeners = Arc::new(LimitListeners { file, others });
    builder = match hooks {
        Some(hooks) => {
            builder.listeners(Arc::new(HookListeners { hooks: Arc::clone(hooks), others: listeners }))
        }
        None => builder.listeners(listeners),
    };
    let saves_memos = options.agent.as_ref().is_none_or(|role| role.has(SAVE_MEMO));
    builder = with_plan_notes(builder, options, around);
    if !saves_memos {
        builder = builder.without_tool(SAVE_MEMO);
    }
    let continuity = ContinuitySettings {
        workspace,
        // Without a task the view says what the session is about; a title could repeat a message that was removed.
        title: if options.is_task { &options.title } else { "" },
        state: own.state_rule(),
        notes,
        checkpoints: own.checkpoints(),
        handoff: own.handoff(),
        memory: options.memory.as_ref(),
        memos: &options.memos,
        saves_memos,
        permissions: Arc::clone(permissions),
    };
    with_continuity(storage.attach(builder), storage, &continuity)
}

/// The agent with the session's hooks, and the note about plan mode behind them.
fn with_plan_notes(builder: AgentBuilder, options: &SessionOptions, around: &CallLayers) -> AgentBuilder {
    builder.hooks(Arc::new(PlanNotes {
        permissions: Arc::clone(&around.permissions),
        is_agent: options.agent.is_some(),
        hooks: around.hooks.clone(),
    }))
}
