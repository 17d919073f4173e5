//! The hook of a watched agent: its input on standard input, the answer on standard output.

use std::io::Read as _;

use anyhow::Context as _;
use throughline_terminal::{line, note};
use throughline_watch::{ForeignAgent, HookPlace, answer_hook};

use crate::data_args::DataArgs;
use crate::telemetry;

/// Maximum bytes of a hook's input. A last message of the model is in it.
const PAYLOAD: u64 = 64 * 1024 * 1024;

/// Answers the hook.
pub(super) async fn hook(agent: ForeignAgent, data: &DataArgs) -> anyhow::Result<()> {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().take(PAYLOAD).read_to_end(&mut input);
    read.context("cannot read the input of the hook")?;
    let answer = answer_hook(agent, &input, &place(data)).await?;
    answer.notices.iter().for_each(|text| note(text));
    answer.output.iter().for_each(|output| line(&output.to_string()));
    Ok(())
}

/// Where hooks find the settings and the sessions.
pub(super) fn place(data: &DataArgs) -> HookPlace {
    HookPlace { data_dir: data.data_dir.clone(), listeners: telemetry::listeners() }
}
