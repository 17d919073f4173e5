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
//! `cargo xtask bench thirdparty` runs compactors of other frameworks instead, and `--write FOLDER` writes their table into
//! `benchmark.md` there.

mod args;
mod entrants;
mod generated;
mod observed;
mod questions;
mod recall;
mod recordings;
mod scored;
mod sweep;
mod thirdparty;

use anyhow::bail;

use crate::args::Args;

/// Generated conversations.
const CONVERSATIONS: u64 = 6;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let Args { traces, facts, measure, swept, seed, third_party, write } = Args::read()?;
    match traces {
        Some(folder) if third_party => return thirdparty::run(&folder, measure, write.as_deref()).await,
        Some(folder) if swept => return sweep::run(&folder, measure).await,
        Some(folder) => recordings::run(&folder, measure).await?,
        None if swept => bail!("--sweep needs recorded sessions: name a folder with --traces"),
        None => println!(
            "skipped: replay: name a folder of recorded sessions with --traces or THROUGHLINE_TRACES"
        ),
    }
    if third_party {
        return Ok(());
    }
    match facts {
        Some(file) => recall::run(&file).await?,
        None => println!("skipped: recall: name a file of questions with --recall or THROUGHLINE_RECALL"),
    }
    recall::run_generated(seed..seed + CONVERSATIONS).await?;
    scored::run().await
}
