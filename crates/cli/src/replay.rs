//! `throughline replay`: replays recorded sessions of other agents.

pub(crate) mod args;
mod compactions;

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use throughline_audit::{Replayed, Replayer, replay_text};
use throughline_terminal::{Style, complain, json, line, note};
use throughline_text::{counted, error_chain, plain};
use throughline_watch::HookPlace;

use args::ReplayArgs;

/// Replays every file. Files that cannot be read or replayed are reported on standard error, and the exit code is 1.
pub(crate) async fn run(args: ReplayArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    if args.compactions {
        let settings = HookPlace::default().settings()?;
        let failed = compactions::run(&args.files, data_dir, &settings, args.json).await?;
        return Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let replayer = Replayer::open(args.choice(), data_dir).await?;
    let bar = progress(args.files.len() as u64)?;
    let (mut reports, mut peers, mut failed) = (Vec::new(), Vec::new(), false);
    for file in &args.files {
        bar.set_message(plain(&file.file_name().unwrap_or_default().to_string_lossy()));
        match replayer.replay(file).await {
            Ok(Replayed { report, peers: simulated, warnings }) => {
                bar.suspend(|| warnings.iter().for_each(|text| note(text)));
                reports.push(report);
                peers.extend(simulated);
            }
            Err(error) => {
                failed = true;
                bar.suspend(|| complain(&error_chain(&error)));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let digest = replayer.digest();
    replayer.close().await?;
    if args.digest {
        let requests: u64 = reports.iter().map(|report| report.requests).sum();
        let (requests, sessions) = (counted(requests, "request"), counted(reports.len() as u64, "session"));
        line(&format!("{digest}  {requests} of {sessions}"));
    } else if args.json {
        let sessions = reports.iter().map(serde_json::to_value);
        let simulated = peers.iter().map(serde_json::to_value);
        json(&sessions.chain(simulated).collect::<Result<Vec<_>, _>>()?)?;
    } else if !reports.is_empty() {
        replay_text(&reports, &peers, Style::of_stdout()).iter().for_each(|text| line(text));
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A progress bar on standard error, if that is a terminal; it leaves no trace. It has no colours.
pub(crate) fn progress(steps: u64) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {elapsed}  {wide_msg}")?;
    let bar = ProgressBar::new(steps).with_style(style);
    // The first step may take a while.
    bar.tick();
    Ok(bar)
}
