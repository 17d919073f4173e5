//! `throughline completions` and `throughline man`: what shells and `man` read of the command line.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use throughline_terminal::{line, write};

use crate::args::Cli;
use crate::reach;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command whose page is printed, as in `sessions prune` [default: that of the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    let mut command = reach::offered(Cli::command());
    command.build();
    clap_complete::generate(args.shell, &mut command, "throughline", &mut script);
    Ok(write(&String::from_utf8(script)?)?)
}

/// Prints a manual page, or writes all of them.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let command = built();
    if let Some(folder) = &args.output {
        return write_pages(&command, folder);
    }
    let mut page = command;
    for name in &args.command {
        page = match page.find_subcommand(name) {
            Some(one) => named(one, &page),
            None => {
                let all = args.command.join(" ");
                anyhow::bail!("there is no command {all:?}; `throughline --help` lists them")
            }
        };
    }
    Ok(write(&String::from_utf8(rendered(page)?)?)?)
}

/// The whole command line. Arguments of subcommands are made here, which is not done for other runs.
fn built() -> Command {
    let mut command = reach::limited(Cli::command());
    command.build();
    command
}

/// A subcommand under the name of its page, as `git-log` is.
fn named(command: &Command, of: &Command) -> Command {
    let name = format!("{}-{}", of.get_name(), command.get_name());
    command.clone().name(name).version(env!("CARGO_PKG_VERSION"))
}

fn rendered(command: Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}

fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    let (mut open, mut written) = (vec![command.clone()], 0);
    while let Some(page) = open.pop() {
        let subcommands = page.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help");
        open.extend(subcommands.map(|one| named(one, &page)));
        let file = folder.join(format!("{}.1", page.get_name()));
        let text = rendered(page)?;
        std::fs::write(&file, text).with_context(|| format!("could not write {}", file.display()))?;
        written += 1;
    }
    line(&format!("{written} pages in {}", folder.display()));
    Ok(())
}
