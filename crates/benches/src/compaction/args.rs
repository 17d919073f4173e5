//! The arguments.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use crate::recordings::{Half, Measure};

/// The first seed of the generated conversations; 1 to 6 are those that constants were chosen with.
const SEED: u64 = 101;

/// What to run, and on what.
#[derive(Debug)]
pub(crate) struct Args {
    /// The folder of recorded sessions.
    pub(crate) traces: Option<PathBuf>,
    /// The file of questions.
    pub(crate) facts: Option<PathBuf>,
    pub(crate) measure: Measure,
    /// Changes each constant instead.
    pub(crate) swept: bool,
    /// The first seed of the generated conversations.
    pub(crate) seed: u64,
    /// Runs compactors of other frameworks instead.
    pub(crate) third_party: bool,
    /// The folder of the page that their table is written into.
    pub(crate) write: Option<PathBuf>,
}

impl Args {
    /// Reads the arguments of this process.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let mut read = Self {
            traces: variable("THROUGHLINE_TRACES"),
            facts: variable("THROUGHLINE_RECALL"),
            measure: Measure::default(),
            swept: false,
            seed: SEED,
            third_party: false,
            write: None,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            read.take(&arg, &mut args)?;
        }
        Ok(read)
    }

    fn take(&mut self, arg: &str, args: &mut impl Iterator<Item = String>) -> anyhow::Result<()> {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value behind it"));
        match arg {
            "--traces" => self.traces = Some(value()?.into()),
            "--recall" => self.facts = Some(value()?.into()),
            "--as-estimated" => self.measure.scale = throughline_replay::TokenScale::Counter,
            "--least-share" => {
                self.measure.least_share = value()?.parse().context("--least-share needs a number")?;
            }
            "--half" => {
                self.measure.half = Some(Half::named(&value()?).context("--half is first or second")?);
            }
            "--summary" => self.measure.summary = Some(value()?.parse()?),
            "--sweep" => self.swept = true,
            "--seed" => self.seed = value()?.parse().context("--seed needs a number")?,
            "--third-party" => self.third_party = true,
            "--write" => self.write = Some(value()?.into()),
            _ if arg.starts_with('-') => bail!(
                "unknown option {arg}; there are --traces FOLDER, --recall FILE, --as-estimated, --least-share SHARE, \
                 --half HALF, --summary STYLE, --seed NUMBER, --sweep, --third-party and --write FOLDER"
            ),
            _ => self.facts = Some(arg.into()),
        }
        Ok(())
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
