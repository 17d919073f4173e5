//! Opens an address in the user's browser.

use std::process::{Command, Stdio};

/// Programs that open an address. The first that is there is used.
const OPENERS: &[&str] = if cfg!(target_os = "macos") { &["open"] } else { &["wslview", "xdg-open"] };

/// Opens an address in the user's browser, without waiting for it. Returns false if there is no display, or no program that opens
/// one; whether a browser appears is not known.
#[must_use]
pub fn open_in_browser(url: &str) -> bool {
    if !has_display() {
        return false;
    }
    let Some(program) = OPENERS.iter().find_map(throughline_programs::find) else {
        return false;
    };
    let mut command = Command::new(program);
    command.arg(url).env("PATH", throughline_programs::search_path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // Reaped, so that it is no zombie while this program runs.
            std::thread::spawn(move || drop(child.wait()));
            true
        }
        Err(_) => false,
    }
}

fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") && !is_set("SSH_CONNECTION")
        || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}
