//! A picture from the clipboard, read by a program of the desktop: terminals pass on text only.

use std::env;
use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tempfile::NamedTempFile;
use throughline_tui::Show;
use tokio::process::Command;

use super::driver::Driver;

/// How long the program may take: the application that holds the picture has to answer it.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that begin every PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A program that writes the picture in the clipboard to its standard output.
#[derive(Debug, Clone, Copy)]
struct Reader {
    program: &'static str,
    args: &'static [&'static str],
    /// Where the program comes from.
    package: &'static str,
}

const WAYLAND: Reader =
    Reader { program: "wl-paste", args: &["--no-newline", "--type", "image/png"], package: "wl-clipboard" };
const X11: Reader = Reader {
    program: "xclip",
    args: &["-selection", "clipboard", "-target", "image/png", "-out"],
    package: "xclip",
};
const MACOS: Reader = Reader { program: "pngpaste", args: &["-"], package: "pngpaste" };

impl Driver {
    /// Puts the picture in the clipboard into a file, and its path into the input.
    pub(super) async fn paste_picture(&mut self) {
        match picture().await {
            Ok(file) => {
                self.setup.screen.show(Show::Draft(format!("@{} ", file.path().display())));
                self.pictures.push(file);
            }
            Err(error) => {
                let why = throughline_text::error_chain(error.as_ref());
                self.setup.screen.notice(format!("No picture was pasted: {why}."));
            }
        }
    }
}

/// The picture in the clipboard, in a file that only the user can read. It is deleted when the value is dropped.
async fn picture() -> anyhow::Result<NamedTempFile> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let reader = reader(cfg!(target_os = "macos"), set("WAYLAND_DISPLAY"), set("DISPLAY"))?;
    let bytes = read(reader).await?;
    let mut file = tempfile::Builder::new().prefix("picture-").suffix(".png").tempfile()?;
    file.write_all(&bytes)?;
    Ok(file)
}

/// The program for this desktop.
fn reader(macos: bool, wayland: bool, x11: bool) -> anyhow::Result<Reader> {
    match (macos, wayland, x11) {
        (true, ..) => Ok(MACOS),
        (_, true, _) => Ok(WAYLAND),
        (_, _, true) => Ok(X11),
        _ => bail!("there is no desktop here whose clipboard can be read; name a file with @PATH instead"),
    }
}

async fn read(reader: Reader) -> anyhow::Result<Vec<u8>> {
    let Reader { program, args, package } = reader;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(PATIENCE, command.output()).await {
        Err(_) => bail!("{program} did not answer within {} s", PATIENCE.as_secs()),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("{program} is not installed (package {package}); install it, or name a file with @PATH")
        }
        Ok(output) => output.with_context(|| format!("could not run {program}"))?,
    };
    if !output.status.success() || !output.stdout.starts_with(PNG) {
        bail!("the clipboard holds no picture");
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests;
