//! `throughline doctor`: what works on this machine, and what to do about what does not.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use throughline_doctor::{ExamineOptions, Finding, Verdict, examine};
use throughline_terminal::{Style, json as print_json, line};
use throughline_text::plain;

use crate::session::ModelArgs;

/// Columns of the names of areas.
const AREA: usize = 11;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Ask no server
    #[arg(long)]
    offline: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the findings. The exit code is 1 if one of them is a problem.
pub(crate) async fn run(args: &DoctorArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let options = ExamineOptions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_dir,
        model: args.model.choice(),
        offline: args.offline,
    };
    let found = examine(&options).await;
    let problems = found.iter().filter(|one| one.verdict == Verdict::Problem).count();
    if args.json {
        print_json(&json!({ "findings": found, "problems": problems }))?;
    } else {
        found.iter().for_each(print);
        line("");
        line(&match problems {
            0 => "No problem found.".to_owned(),
            1 => "1 problem found.".to_owned(),
            more => format!("{more} problems found."),
        });
    }
    Ok(if problems == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(one: &Finding) {
    let style = Style::of_stdout();
    let (mark, code) = match one.verdict {
        Verdict::Good => ("ok  ", "32"),
        Verdict::Note => ("note", "33"),
        Verdict::Problem => ("FAIL", "31"),
    };
    let text = plain(&one.text);
    line(&format!("{}  {:AREA$}  {text}", style.paint(code, mark), one.area.name()));
    if let Some(fix) = &one.fix {
        line(&format!("{:indent$}fix: {}", "", plain(fix), indent = AREA + 8));
    }
}
