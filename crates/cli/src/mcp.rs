//! `throughline mcp`: sessions, memos and stored results for another agent.

use std::path::PathBuf;

use clap::Args;
use throughline::{Storage, workspace};
use throughline_mcpserver::{MemoryServer, Visible, serve};

use crate::data_args::DataArgs;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// The folder whose sessions are shown [default: the current one, and the roots that the client names]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Serves one client over stdin and stdout, until it closes stdin.
pub(crate) async fn run(args: &McpArgs, data: &DataArgs) -> anyhow::Result<()> {
    let visible = Visible {
        folder: workspace(args.folder.as_deref())?,
        any_folder: data.any_folder,
        // A folder that the user names is the only one.
        roots: args.folder.is_none(),
    };
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    serve(MemoryServer::new(storage, visible), tokio::io::stdin(), tokio::io::stdout()).await?;
    Ok(())
}
