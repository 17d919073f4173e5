//! A picture from the clipboard, read by a program of the desktop: terminals pass on text only.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use throughline_tools::TempFolder;
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
    form: PictureForm,
}

/// What a program writes.
#[derive(Debug, Clone, Copy)]
enum PictureForm {
    /// A PNG file.
    Png,
    /// A value of AppleScript: the file in hexadecimal digits.
    AppleScript,
}

const WAYLAND: &[Reader] = &[Reader {
    program: "wl-paste",
    args: &["--no-newline", "--type", "image/png"],
    package: "wl-clipboard",
    form: PictureForm::Png,
}];
const X11: &[Reader] = &[Reader {
    program: "xclip",
    args: &["-selection", "clipboard", "-target", "image/png", "-out"],
    package: "xclip",
    form: PictureForm::Png,
}];
/// The first is quick; the second is part of the system.
const MACOS: &[Reader] = &[
    Reader { program: "pngpaste", args: &["-"], package: "pngpaste", form: PictureForm::Png },
    Reader {
        program: "osascript",
        args: &["-e", "the clipboard as «class PNGf»"],
        package: "macOS",
        form: PictureForm::AppleScript,
    },
];

impl Driver {
    /// Puts the picture in the clipboard into a file, and its path into the input.
    pub(super) async fn paste_picture(&mut self) {
        match picture().await {
            Ok(file) => {
                self.setup.screen.show(Show::Draft(format!("@{} ", file.path.display())));
                self.pictures.push(file);
            }
            Err(error) => {
                let why = throughline_text::error_chain(error.as_ref());
                self.setup.screen.notice(format!("No picture was pasted: {why}."));
            }
        }
    }
}

/// A picture from the clipboard, in a file that only the user can read. It is removed with this value, or by the next program.
#[derive(Debug)]
pub(super) struct PastedPicture {
    path: PathBuf,
    _folder: TempFolder,
}

impl PastedPicture {
    fn new(bytes: &[u8]) -> anyhow::Result<Self> {
        let folder = TempFolder::new()?;
        let path = folder.path().join("picture.png");
        fs::write(&path, bytes)?;
        Ok(Self { path, _folder: folder })
    }
}

/// The picture in the clipboard.
async fn picture() -> anyhow::Result<PastedPicture> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let readers = readers(cfg!(target_os = "macos"), set("WAYLAND_DISPLAY"), set("DISPLAY"))?;
    let bytes = read(readers, &throughline_programs::search_path()).await?;
    PastedPicture::new(&bytes)
}

/// The programs for this desktop; the first one that is installed is asked.
fn readers(macos: bool, wayland: bool, x11: bool) -> anyhow::Result<&'static [Reader]> {
    match (macos, wayland, x11) {
        (true, ..) => Ok(MACOS),
        (_, true, _) => Ok(WAYLAND),
        (_, _, true) => Ok(X11),
        _ => bail!("there is no desktop here whose clipboard can be read; name a file with @PATH instead"),
    }
}

/// Asks the first of these programs that is in a folder of the path.
async fn read(readers: &[Reader], path: &OsStr) -> anyhow::Result<Vec<u8>> {
    for reader in readers {
        if let Some(bytes) = read_by(reader, path).await? {
            return Ok(bytes);
        }
    }
    let names: Vec<&str> = readers.iter().map(|reader| reader.program).collect();
    let package = readers.first().map(|reader| reader.package).unwrap_or_default();
    bail!(
        "{} is not installed (package {package}); install it, or name a file with @PATH",
        names.join(" or ")
    )
}

/// What a program finds in the clipboard. `None`: it is not installed.
async fn read_by(reader: &Reader, path: &OsStr) -> anyhow::Result<Option<Vec<u8>>> {
    let Reader { program, args, form, .. } = reader;
    let mut command = Command::new(program);
    command.args(*args).env("PATH", path).stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(PATIENCE, command.output()).await {
        Err(_) => bail!("{program} did not answer within {} s", PATIENCE.as_secs()),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Ok(output) => output.with_context(|| format!("could not run {program}"))?,
    };
    let bytes = match form {
        PictureForm::Png => Some(output.stdout),
        PictureForm::AppleScript => of_apple_script(&output.stdout),
    };
    match bytes {
        Some(bytes) if output.status.success() && bytes.starts_with(PNG) => Ok(Some(bytes)),
        _ => bail!("the clipboard holds no picture"),
    }
}

/// The bytes of a value that AppleScript writes as `«data PNGf89504E47…»`.
fn of_apple_script(written: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(written).ok()?.trim();
    let digits = text.strip_prefix("«data PNGf")?.strip_suffix('»')?.as_bytes();
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let digit = |letter: u8| char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests;
