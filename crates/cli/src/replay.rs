//! `throughline replay`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::args::ReplayArgs;

/// Replays recordings.
pub(crate) async fn run(_args: ReplayArgs, _data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not built yet")
}
