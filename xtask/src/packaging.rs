//! Packs every crate as it would be published. Nothing is compiled again and nothing is uploaded.

mod versions;

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{output, steps};

/// Compiling is the other steps' work; by now all dependencies are on this machine. The benchmarks are not published: they run
/// against the server of the tests, which has no version.
const PACKAGE: &[&str] =
    &["package", "--workspace", "--exclude", "throughline-benches", "--no-verify", "--offline", "--quiet"];

/// Runs `cargo package`. A tree with changes that are not committed is refused in CI only.
pub(crate) fn run(root: &Path, in_ci: bool) -> Result<()> {
    versions::check(root)?;
    let dirty: &[&str] = if in_ci { &[] } else { &["--allow-dirty"] };
    let packed = steps::cargo(root, &[PACKAGE, dirty].concat()).output().context("start `cargo package`")?;
    if !packed.status.success() {
        output::line(String::from_utf8_lossy(&packed.stderr));
        bail!("`cargo package --workspace` failed, see above");
    }
    Ok(())
}
