//! `throughline models pull`: downloads a model with Ollama.

use std::io::{IsTerminal as _, Write as _};

use clap::Args;
use throughline_config::{Config, ConfigSources};
use throughline_connect::{PullProgress, pull_model};
use throughline_terminal::{line, note};
use throughline_text::{group_thousands, headline, plain};

/// Maximum characters of a step's status, so that it fits in a line.
const WIDEST: usize = 50;

/// Arguments of `throughline models pull`.
#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    /// Model, as Ollama's library names it, for example qwen3:8b
    name: String,
    /// Base URL of Ollama [default: the local one]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// Downloads the model. Ctrl+C stops it; the next download continues from there.
pub(crate) async fn run(args: &PullArgs) -> anyhow::Result<()> {
    let name = args.name.strip_prefix("ollama/").unwrap_or(&args.name);
    let config = Config::load(ConfigSources::default())?;
    let mut shown = ProgressLine::new(std::io::stderr().is_terminal());
    let pulled = pull_model(name, args.base_url.clone(), &config, |step| shown.step(&step)).await;
    shown.close();
    pulled?;
    let name = plain(name);
    line(&format!("{name} is ready: throughline --provider ollama --model {name}"));
    Ok(())
}

/// Progress on standard error: one line that is redrawn on a terminal, elsewhere a line per step.
struct ProgressLine {
    terminal: bool,
    last: String,
}

impl ProgressLine {
    fn new(terminal: bool) -> Self {
        Self { terminal, last: String::new() }
    }

    fn step(&mut self, step: &PullProgress) {
        let text = if self.terminal { with_share(step) } else { headline(&step.status, WIDEST) };
        if text == self.last {
            return;
        }
        if self.terminal {
            let mut out = std::io::stderr().lock();
            // Progress that cannot be shown is not worth an error.
            let _ = write!(out, "\r\u{1b}[2K{text}").and_then(|()| out.flush());
        } else {
            note(&text);
        }
        self.last = text;
    }

    /// Ends the redrawn line.
    fn close(&self) {
        if self.terminal && !self.last.is_empty() {
            note("");
        }
    }
}

/// `pulling 8eeb52dfb3bb  43 % of 4,683 MB`
fn with_share(step: &PullProgress) -> String {
    let status = headline(&step.status, WIDEST);
    match (step.total, step.completed) {
        (Some(total), Some(completed)) if total > 0 => {
            let share = u128::from(completed) * 100 / u128::from(total);
            format!("{status}  {share} % of {} MB", group_thousands(total.div_ceil(1_000_000)))
        }
        _ => status,
    }
}
