//! What it costs to read in a sub-agent instead of the session itself: the same files, the same report and the same later work.
//!
//! The binary runs scripted sessions against a local server that caches prompts by Anthropic's rules; both windows are priced by
//! the table of models. Run with `cargo xtask bench isolation`; it fails when a sub-agent does not make the session's window
//! smaller.

mod scripted;

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};

use scripted::{Measured, Reader, Work, measure};

/// Files that are read, of about 4,000 tokens each, and requests of the session behind the report.
const WORKS: [Work; 6] = [
    Work { files: 4, later: 0 },
    Work { files: 4, later: 20 },
    Work { files: 16, later: 0 },
    Work { files: 16, later: 20 },
    Work { files: 16, later: 60 },
    Work { files: 32, later: 20 },
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    if let Some(other) = std::env::args().nth(1) {
        bail!("{other} is not known; there are no options");
    }
    let binary = PathBuf::from(std::env::var_os("THROUGHLINE_BIN").context("THROUGHLINE_BIN is not set")?);
    println!(
        "The session itself reads, or a sub-agent of the same model (Sonnet) or of a cheaper one (Haiku) does."
    );
    println!("Requests and cost have both windows; the window is the session's largest request.\n");
    println!("| files read | later requests | | requests | cost | window | cost, ratio | window, ratio |");
    println!("|---:|---:|---|---:|---:|---:|---:|---:|");
    for work in WORKS {
        let alone = measure(&binary, work, Reader::Session).await?;
        print_row(work, "the session", &alone, &alone);
        for (name, reader) in
            [("sub-agent, same model", Reader::SameModel), ("sub-agent, Haiku", Reader::CheaperModel)]
        {
            let apart = measure(&binary, work, reader).await?;
            print_row(work, name, &apart, &alone);
            ensure!(apart.window < alone.window, "{work:?}, {name}: the window did not become smaller");
        }
    }
    Ok(())
}

fn print_row(work: Work, name: &str, measured: &Measured, alone: &Measured) {
    let Work { files, later } = work;
    let Measured { requests, dollars, window } = measured;
    println!(
        "| {files} | {later} | {name} | {requests} | ${dollars:.3} | {window} | {:.2} | {:.2} |",
        dollars / alone.dollars,
        *window as f64 / alone.window as f64
    );
}
