//! The figure of a series.

use std::time::Duration;

use anyhow::Context as _;

/// The middle one.
pub(crate) fn median(mut times: Vec<Duration>) -> anyhow::Result<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied().context("nothing was timed")
}
