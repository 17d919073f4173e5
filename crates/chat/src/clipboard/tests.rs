//! Reading pictures from the clipboard, by programs that the tests write.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use tempfile::TempDir;

use super::{MACOS, PNG, PastedPicture, WAYLAND, X11, read, readers};

/// A folder with these programs, each a script.
fn programs(scripts: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in scripts {
        // Another process writes it: a test that runs at the same time must not inherit a file that is open for writing, which could
        // not be run.
        let mut write = Command::new("sh");
        write.args(["-c", "printf '%s' \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh"]);
        write.arg(format!("#!/bin/sh\n{script}\n")).arg(folder.path().join(name));
        assert!(write.status().unwrap().success());
    }
    folder
}

const PICTURE: &str = r"printf '\211PNG\r\n\032\nrest'";

#[test]
fn the_desktop_decides_which_program_reads() {
    let program = |macos, wayland, x11| readers(macos, wayland, x11).map(|readers| readers[0].program);
    assert_eq!(program(true, false, false).unwrap(), "pngpaste");
    assert_eq!(program(false, true, true).unwrap(), "wl-paste");
    assert_eq!(program(false, false, true).unwrap(), "xclip");
    assert!(program(false, false, false).unwrap_err().to_string().contains("name a file with @PATH"));
}

#[tokio::test]
async fn only_a_picture_is_taken() {
    let folder = programs(&[("wl-paste", PICTURE), ("xclip", "echo words")]);
    let found = read(WAYLAND, folder.path().as_os_str()).await.unwrap();
    assert!(found.starts_with(PNG) && found.ends_with(b"rest"));
    let text = read(X11, folder.path().as_os_str()).await.unwrap_err();
    assert_eq!(text.to_string(), "the clipboard holds no picture");
}

#[tokio::test]
async fn a_mac_without_pngpaste_asks_the_system_s_own_program() {
    let script = r#"[ "$1" = -e ] && [ "$2" = "the clipboard as «class PNGf»" ] && echo '«data PNGf89504E470D0A1A0A72657374»'"#;
    let system = programs(&[("osascript", script)]);
    let found = read(MACOS, system.path().as_os_str()).await.unwrap();
    assert!(found.starts_with(PNG) && found.ends_with(b"rest"));
    // The quicker program is asked where it is installed.
    let both = programs(&[("osascript", "exit 1"), ("pngpaste", PICTURE)]);
    assert!(read(MACOS, both.path().as_os_str()).await.unwrap().starts_with(PNG));
    for script in
        ["echo error >&2; exit 1", "echo '«data PNGf8950»'", "echo '«data PNGf89504»'", "echo words"]
    {
        let none = programs(&[("osascript", script)]);
        let error = read(MACOS, none.path().as_os_str()).await.unwrap_err().to_string();
        assert_eq!(error, "the clipboard holds no picture", "{script}");
    }
}

#[test]
fn a_pasted_picture_is_private_and_removed_with_its_value() {
    let pasted = PastedPicture::new(PNG).unwrap();
    let path = pasted.path.clone();
    assert_eq!(fs::read(&path).unwrap(), PNG);
    let folder = path.parent().unwrap();
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    // Its folder is one of those that the next program removes.
    assert!(folder.file_name().unwrap().to_str().unwrap().starts_with("throughline-temp-"));
    drop(pasted);
    assert!(!folder.exists());
}

#[tokio::test]
async fn what_to_install_is_said() {
    let none = programs(&[]);
    let said = read(MACOS, none.path().as_os_str()).await.unwrap_err().to_string();
    assert_eq!(
        said,
        "pngpaste or osascript is not installed (package pngpaste); install it, or name a file with @PATH"
    );
    let said = read(WAYLAND, none.path().as_os_str()).await.unwrap_err().to_string();
    assert_eq!(
        said,
        "wl-paste is not installed (package wl-clipboard); install it, or name a file with @PATH"
    );
}
