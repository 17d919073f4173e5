//! `throughline trust`: trusts the project of a folder, or withdraws the trust.

use std::path::Path;

use throughline_config::{Config, ConfigSources, Project, Trust, TrustFile, workspace};
use throughline_stored::DataDir;
use throughline_terminal::line;
use throughline_text::plain;

use super::args::TrustArgs;

/// Runs it.
pub(crate) fn run(args: &TrustArgs, data_dir: Option<&Path>) -> anyhow::Result<()> {
    let file = TrustFile::in_folder(DataDir::new(data_dir.map(Path::to_path_buf))?.root());
    let workspace = workspace(args.folder.as_deref())?;
    // Read first: a project whose settings have an error can still lose its trust.
    let project = Project::read(&workspace);
    let shown = plain(&project.root.display().to_string());
    if args.remove {
        let was = file.withdraw(&project)?;
        let main = project.main.as_ref().filter(|_| matches!(file.of(&project), Ok(Trust::Trusted)));
        line(&match (main, was) {
            (Some(main), _) => format!(
                "{shown} is trusted as a worktree with the same files as {}; `throughline trust --remove` there ends that.",
                plain(&main.display().to_string())
            ),
            (None, true) => format!("{shown} is not trusted any more."),
            (None, false) => format!("{shown} was not trusted."),
        });
        return Ok(());
    }
    let load = |assume_trust| {
        let (workspace, data_dir) = (Some(&*workspace), data_dir.map(Path::to_path_buf));
        Config::load(ConfigSources { workspace, data_dir, assume_trust, ..ConfigSources::default() })
    };
    // Trust in files that no session could use would make every start fail.
    load(true)?.hooks()?;
    let config = load(false)?;
    file.grant(&config.project)?;
    line(&format!("{shown} is trusted until its files change."));
    let ignored = config.ignored();
    if config.trust != Trust::Trusted && !ignored.is_empty() {
        line("These settings take effect now:");
        for text in ignored {
            line(&format!("  {}", plain(&text)));
        }
    }
    Ok(())
}
