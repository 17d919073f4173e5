//! One run of the demo, which many tests look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use crate::program::throughline;
use crate::ran::{Ran, run};

/// The demo as it ran.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) data: PathBuf,
    pub(crate) project: PathBuf,
    /// The session's id.
    pub(crate) id: String,
    pub(crate) out: String,
    pub(crate) lasted: Duration,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(Sample::make);

/// The demo's session. Tests only look at it: those that change something take a copy.
pub(crate) fn sample() -> &'static Sample {
    &SAMPLE
}

impl Sample {
    fn make() -> Self {
        let root = fresh_folder();
        let (data, project) = (root.join("data"), root.join("project"));
        fs::create_dir(&project).unwrap();
        let start = Instant::now();
        let out = run(throughline(&data).args(["demo", "--workspace"]).arg(&project)).done();
        let lasted = start.elapsed();
        let id = session_of(&out).to_owned();
        Self { data, project, id, out, lasted }
    }

    /// A command line on its data folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = throughline(&self.data);
        command.args(arguments);
        command
    }

    /// Runs a command on its data folder.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run(&mut self.command(arguments))
    }

    /// The exported log.
    #[track_caller]
    pub(crate) fn export(&self) -> String {
        self.run(&["export", &self.id]).done()
    }

    /// A copy of the data folder.
    pub(crate) fn copy(&self) -> Copy {
        let folder = TempDir::new().unwrap();
        let database = folder.path().join("throughline.db");
        fs::copy(self.data.join("throughline.db"), &database).unwrap();
        Copy { folder, database }
    }
}

/// A data folder of a test's own.
#[derive(Debug)]
pub(crate) struct Copy {
    folder: TempDir,
    pub(crate) database: PathBuf,
}

impl Copy {
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command on it.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run(throughline(self.data()).args(arguments))
    }
}

/// The session that the demo's last lines name.
#[track_caller]
pub(crate) fn session_of(out: &str) -> &str {
    let line = out.lines().find_map(|line| line.strip_prefix("session  "));
    line.and_then(|rest| rest.split_once(" in ")).unwrap_or_else(|| panic!("no session in {out}")).0
}

/// A folder of this run. A static is never dropped, so a later run removes those that are an hour old.
fn fresh_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("binary");
    fs::create_dir_all(&root).unwrap();
    for entry in fs::read_dir(&root).unwrap().flatten() {
        let made = entry.metadata().and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if made.elapsed().is_ok_and(|age| age > Duration::from_secs(3_600)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    TempDir::new_in(&root).unwrap().keep()
}
