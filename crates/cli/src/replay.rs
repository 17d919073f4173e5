//! `throughline replay`: replays recorded sessions of other agents.

mod compactions;
mod peers;
mod table;
mod wire;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use throughline_continuity::{SessionDirectory, SessionInfo};
use throughline_conversation::SessionId;
use throughline_policies::Estimator;
use throughline_replay::{
    PeerOptions, PeerReport, ReplayOptions, SessionReport, Stores, TokenScale, WireCheck, read_session,
    replay, replay_peers,
};
use throughline_stored::{Storage, now};
use throughline_terminal::{Style, complain, json, line, note};
use throughline_text::{error_chain, plain};
use throughline_watch::HookPlace;

use crate::args::ReplayArgs;

/// Replays every file. Files that cannot be read or replayed are reported on standard error, and the exit code is 1.
pub(crate) async fn run(args: ReplayArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    // Without --data-dir the replayed sessions are temporary.
    let temporary = if data_dir.is_none() {
        Some(tempfile::tempdir().context("could not create a temporary folder for the replay's database")?)
    } else {
        None
    };
    let folder = temporary.as_ref().map(|folder| folder.path().to_owned()).or(data_dir);
    let data = Storage::open(folder).await?;
    if args.compactions {
        let settings = HookPlace::default().settings()?;
        let failed = compactions::run(&args.files, &data, &settings, args.json).await?;
        data.store.close().await?;
        return Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let bar = progress(args.files.len() as u64)?;
    let (mut reports, mut peers, mut failed) = (Vec::new(), Vec::new(), false);
    let wires = Arc::new(wire::BothWires::default());
    for file in &args.files {
        bar.set_message(plain(&file.file_name().unwrap_or_default().to_string_lossy()));
        match one(&args, &data, &wires, file).await {
            Ok((report, simulated, warnings)) => {
                bar.suspend(|| warnings.iter().for_each(|text| note(text)));
                reports.push(report);
                peers.extend(simulated);
            }
            Err(error) => {
                failed = true;
                bar.suspend(|| complain(&error_chain(error.as_ref())));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    data.store.close().await?;
    if args.digest {
        let requests: u64 = reports.iter().map(|report| report.requests).sum();
        line(&format!("{}  {requests} requests of {} sessions", wires.digest(), reports.len()));
    } else if args.json {
        let sessions = reports.iter().map(serde_json::to_value);
        let simulated = peers.iter().map(serde_json::to_value);
        json(&sessions.chain(simulated).collect::<Result<Vec<_>, _>>()?)?;
    } else if !reports.is_empty() {
        let style = Style::of_stdout();
        let compared = if peers.is_empty() { Vec::new() } else { peers::render(&reports, &peers, style) };
        for text in table::render(&reports, style).into_iter().chain(compared) {
            line(&text);
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Replays a file, and simulates peers if they are asked for. Also returns what of the recording is missing.
async fn one(
    args: &ReplayArgs,
    data: &Storage,
    wires: &Arc<wire::BothWires>,
    file: &Path,
) -> anyhow::Result<(SessionReport, Vec<PeerReport>, Vec<String>)> {
    let session = Arc::new(read_session(file)?);
    let id = free_name(data, &session.id).await?;
    data.create_session(&SessionInfo {
        id: id.clone(),
        title: format!("replay of {}", session.id),
        workspace: file.display().to_string(),
        model: session.model.clone().unwrap_or_else(|| "recorded".to_owned()),
        created: now(),
    })
    .await?;
    let stores = Stores {
        log: Arc::new(data.store.message_log()),
        snapshots: Arc::new(data.store.snapshots()),
        results: Arc::new(data.store.results()),
    };
    let estimator = args.estimator.or_else(|| args.policy.estimator()).unwrap_or(Estimator::Script);
    let scale = if args.as_estimated { TokenScale::Counter } else { TokenScale::Provider };
    let mut settings = args.policy.settings_with(args.economy, args.window, args.max_output);
    if let Some(style) = args.summary {
        settings.compaction = style.apply(args.policy, settings.compaction);
    }
    let options = ReplayOptions {
        window: args.window,
        settings,
        policy: args.policy.name_with(args.economy),
        counter: estimator.counter(),
        scale,
        estimator: estimator.name().to_owned(),
        overhead: args.overhead,
        check: Some(Arc::clone(wires) as Arc<dyn WireCheck>),
        clock: !args.no_clock,
        stores,
        session: Some(id),
    };
    let report =
        replay(&session, &options).await.with_context(|| format!("could not replay {}", file.display()))?;
    let why = report.first_failure.clone().unwrap_or_default();
    ensure!(report.requests > 0, "could not replay {}: {why}", file.display());
    let peers = args.peers.then(|| {
        let options = PeerOptions {
            window: args.window,
            scale,
            max_output: args.max_output,
            overhead: args.overhead,
            counter: estimator.counter(),
            clock: !args.no_clock,
        };
        replay_peers(&session, &options)
    });
    Ok((report, peers.unwrap_or_default(), session.warnings.clone()))
}

/// A free session id, made of the recording's own id. It contains no time: references to stored results depend on the id,
/// and the same replay must have the same references.
async fn free_name(data: &Storage, recording: &str) -> anyhow::Result<SessionId> {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let base: String = recording.chars().take(40).map(plain).collect();
    let sessions = data.store.sessions();
    let mut name = SessionId::new(format!("replay-{base}"))?;
    for number in 2_u64.. {
        if sessions.get(&name).await?.is_none() {
            break;
        }
        name = SessionId::new(format!("replay-{base}-{number}"))?;
    }
    Ok(name)
}

/// A progress bar on standard error, if that is a terminal; it leaves no trace. It has no colours.
pub(crate) fn progress(steps: u64) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {elapsed}  {wide_msg}")?;
    let bar = ProgressBar::new(steps).with_style(style);
    // The first step may take a while.
    bar.tick();
    Ok(bar)
}
