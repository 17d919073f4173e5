//! Asks whether to trust a project, before the screen exists.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use throughline_config::{Config, Trust, TrustFile};
use throughline_store::DataDir;
use throughline_terminal::note;

/// The settings, with those of the project if the user trusts it now. Does not ask if the project has nothing that needs
/// trust.
pub(super) fn ask_for_trust(
    config: Config,
    again: impl FnOnce() -> anyhow::Result<Config>,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<Config> {
    config.notices().iter().for_each(|text| note(text));
    let ignored = config.ignored();
    let place = DataDir::place(data_dir);
    let (Some(place), false) = (place, config.trust == Trust::Trusted || ignored.is_empty()) else {
        return Ok(config);
    };
    let file = TrustFile::in_folder(&place);
    if file.is_refused(&config.project)? {
        note(
            "This project is not trusted, so some of its settings and commands are ignored; `throughline trust` trusts it.",
        );
        return Ok(config);
    }
    note(&format!("The project in {} is not trusted. It wants to set:", config.project.root.display()));
    ignored.iter().for_each(|text| note(&format!("  {text}")));
    let mut out = std::io::stderr();
    // If the question cannot be shown, the answer is no.
    let shown = write!(out, "Trust this project? [y/N] ").and_then(|()| out.flush());
    let mut answer = String::new();
    let read = shown.and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    let yes = read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    if !yes {
        note("Continuing without these settings. `throughline trust` trusts the project later.");
        // End of input is not a refusal to remember.
        if !answer.is_empty() {
            file.refuse(&config.project)?;
        }
        return Ok(config);
    }
    file.grant(&config.project)?;
    again()
}
