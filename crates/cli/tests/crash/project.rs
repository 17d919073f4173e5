//! The demo's project before the first turn.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::program::throughline;

/// A project to copy: creating one each time takes longer than a session.
#[derive(Debug)]
pub(crate) struct Template {
    folder: TempDir,
}

impl Template {
    /// Runs the demo once, and takes its project back to the first commit.
    pub(crate) fn make() -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        let template = Self { folder };
        let project = template.project();
        fs::create_dir(&project)?;
        let mut demo = throughline(&template.folder.path().join("data"));
        demo.args(["demo", "--pace", "0", "--workspace"]).arg(&project);
        let output = demo.output().context("could not start the binary")?;
        ensure!(output.status.success(), "the demo failed: {}", String::from_utf8_lossy(&output.stderr));
        let first = git(&project, &["rev-list", "--max-parents=0", "HEAD"])?;
        git(&project, &["reset", "--quiet", "--hard", first.trim()])?;
        Ok(template)
    }

    /// Copies the project to a folder that does not exist yet.
    pub(crate) fn copy_to(&self, target: &Path) -> anyhow::Result<()> {
        copy(&self.project(), target)
    }

    fn project(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }
}

/// Runs git in a project and gives what it prints.
pub(crate) fn git(project: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output =
        Command::new("git").args(arguments).current_dir(project).output().context("could not run git")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {} failed: {complaint}", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir(to).with_context(|| format!("could not make {}", to.display()))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
