//! Asking whether a project may say what runs, before there is a screen.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use throughline::{Config, Trust, TrustFile};
use throughline_store::DataDir;

use crate::terminal::note;

/// The settings; with those of a project that the user trusts now, when it has some that need it. Nobody is asked about a
/// project that asks for nothing.
pub(super) fn trusted(
    config: Config,
    again: impl FnOnce() -> anyhow::Result<Config>,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<Config> {
    let held = config.ignored();
    let place = DataDir::place(data_dir);
    let (Some(place), false) = (place, config.trust == Trust::Trusted || held.is_empty()) else {
        return Ok(config);
    };
    let file = TrustFile::in_folder(&place);
    if file.is_refused(&config.project)? {
        note(
            "This project is not trusted, so some of what it sets has no effect; `throughline trust` trusts it.",
        );
        return Ok(config);
    }
    note(&format!("The project in {} is not trusted. It wants to set:", config.project.root.display()));
    held.iter().for_each(|text| note(&format!("  {text}")));
    let mut out = std::io::stderr();
    // Where the question cannot be shown, the answer is no.
    let shown = write!(out, "Trust it as it stands? [y/N] ").and_then(|()| out.flush());
    let mut answer = String::new();
    let read = shown.and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    let yes = read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    if !yes {
        note("It goes on without these settings. `throughline trust` trusts the project later.");
        // No answer at all is not a no for good.
        if !answer.is_empty() {
            file.refuse(&config.project)?;
        }
        return Ok(config);
    }
    file.grant(&config.project)?;
    again()
}
