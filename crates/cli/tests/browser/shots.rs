//! Where the pictures of pages are written.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder `suites/browser/screenshots` of cargo's target folder.
pub(crate) fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("suites/browser/screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file from base 64, and gives its bytes.
pub(crate) fn save(name: &str, base64: &str) -> Vec<u8> {
    let mut decoder =
        Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = decoder.stdin.take().unwrap();
    let bytes = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(base64.as_bytes()).unwrap());
        decoder.wait_with_output().unwrap().stdout
    });
    std::fs::write(folder().join(name), &bytes).unwrap();
    bytes
}
