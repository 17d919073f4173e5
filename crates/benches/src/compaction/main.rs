//! What each policy costs and what it preserves, without a model: one command, one report.
//!
//! Five parts. `replay`: recorded sessions under every policy and the simulated peers, priced with the clock of the prompt
//! cache and with one more step for everything that was needed again. `recall`: exact values after one compaction, of a file and of generated conversations (`--seed`). `trail`:
//! changed files that requests still name after many compactions. `ratchet`: what twenty compactions leave of the size, the
//! first request and the rules. `injected`: instructions in old results that a summary took over as its own words. The last
//! three run over generated work.
//!
//! Run with `cargo xtask bench compaction [--traces FOLDER] [--recall FILE]`; `THROUGHLINE_TRACES` and
//! `THROUGHLINE_RECALL` name the same. What is absent is skipped by name. A policy is added in `entrants.rs`.
//!
//! `--as-estimated` counts a quarter of the characters as a token, for windows too, as published simulators do;
//! `--least-share 0.8` leaves out sessions whose whole history needs less than that share of the window. `--sweep` changes
//! each constant of the decision by price by 30 % instead. `--half first` and `--half second` take every second session: what
//! is tuned on one half is measured on the other. `--summary rule`, `brief` or `thorough` is a style of summaries for all
//! policies.

mod entrants;
mod generated;
mod observed;
mod questions;
mod recall;
mod recordings;
mod scored;
mod sweep;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use throughline_replay::TokenScale;

use crate::recordings::{Half, Measure};

/// The first seed of the generated conversations; 1 to 6 are those that constants were chosen with.
const SEED: u64 = 101;
/// How many there are.
const CONVERSATIONS: u64 = 6;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let (mut traces, mut facts) = (variable("THROUGHLINE_TRACES"), variable("THROUGHLINE_RECALL"));
    let (mut measure, mut swept, mut seed) = (Measure::default(), false, SEED);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value =
            || args.next().map(PathBuf::from).with_context(|| format!("{arg} needs a value behind it"));
        match arg.as_str() {
            "--traces" => traces = Some(value()?),
            "--recall" => facts = Some(value()?),
            "--as-estimated" => measure.scale = TokenScale::Counter,
            "--least-share" => {
                let share = value()?.to_string_lossy().parse().context("--least-share needs a number")?;
                measure.least_share = share;
            }
            "--half" => {
                let name = value()?.to_string_lossy().into_owned();
                measure.half = Some(Half::named(&name).context("--half is first or second")?);
            }
            "--summary" => measure.summary = Some(value()?.to_string_lossy().parse()?),
            "--sweep" => swept = true,
            "--seed" => {
                let first = value()?.to_string_lossy().parse().context("--seed needs a number")?;
                seed = first;
            }
            _ if arg.starts_with('-') => bail!(
                "unknown option {arg}; there are --traces FOLDER, --recall FILE, --as-estimated, --least-share SHARE, \
                 --half HALF, --summary STYLE, --seed NUMBER and --sweep"
            ),
            _ => facts = Some(PathBuf::from(arg)),
        }
    }
    match traces {
        Some(folder) if swept => return sweep::run(&folder, measure).await,
        Some(folder) => recordings::run(&folder, measure).await?,
        None if swept => bail!("--sweep needs recorded sessions: name a folder with --traces"),
        None => println!(
            "skipped: replay: name a folder of recorded sessions with --traces or THROUGHLINE_TRACES"
        ),
    }
    match facts {
        Some(file) => recall::run(&file).await?,
        None => println!("skipped: recall: name a file of questions with --recall or THROUGHLINE_RECALL"),
    }
    recall::run_generated(seed..seed + CONVERSATIONS).await?;
    scored::run().await
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
