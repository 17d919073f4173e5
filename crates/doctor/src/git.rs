//! The program `git`.

use std::process::Stdio;
use std::time::Duration;

use throughline_text::plain;
use tokio::process::Command;
use tokio::time::timeout;

use crate::finding::{Area, Finding};

/// How long git may take to say its version.
const TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) async fn examine() -> Finding {
    let Some(program) = throughline_programs::find("git") else {
        let ignored = throughline_programs::left_out(["git"]);
        let finding = Finding::note(
            Area::Git,
            "not found: there is no summary of changes, and files are not restored by git",
        );
        return match ignored.first() {
            Some(folder) => {
                let folder = folder.display();
                finding
                    .fix(format!("{folder} has one, and the model could write there; install git elsewhere"))
            }
            None => finding.fix("install git"),
        };
    };
    let mut command = Command::new(&program);
    command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let answered = timeout(TIMEOUT, command.output()).await.ok().and_then(Result::ok);
    match answered.filter(|output| output.status.success()) {
        Some(output) => {
            let version = String::from_utf8_lossy(&output.stdout);
            Finding::good(Area::Git, format!("{}, {}", plain(version.trim()), program.display()))
        }
        None => Finding::problem(Area::Git, format!("{} does not say its version", program.display()))
            .fix("reinstall git"),
    }
}
