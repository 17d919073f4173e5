//! A terminal session under `throughline watch` next to the same one without it: every byte and every size is the same.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::place::Place;

/// How long the program may take for a step. Long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a user does in the session.
enum Act {
    Resize(u16, u16),
    Send(&'static [u8]),
}

/// Pastes in brackets, mouse reports of both protocols, keys that a terminal would interpret, bytes that are no text, and
/// resizes while the program runs.
const ACTS: [Act; 8] = [
    Act::Send(b"\x1b[200~pasted\r\nw\xc3\xb6rds\t\x1b[201~"),
    Act::Resize(40, 120),
    Act::Send(b"\x1b[<0;110;39M\x1b[<0;110;39m\x1b[<64;1;1M"),
    Act::Send(b"\x1b[M !!\x1b[M#!!"),
    Act::Resize(9, 33),
    Act::Send(b"\x03\x04\x1a\x1c\x13\x11\x7f\x00\xff\xfe\r\n"),
    Act::Resize(200, 300),
    Act::Send(b"\x1b[I\x1b[O\x1bOA\xf0\x9f\x98\x80"),
];

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// A program that gives back what it receives, and each size that it has.
fn program(place: &Place) -> String {
    let mut script = "#!/bin/sh\nstty raw -echo\nold=$(stty size)\n".to_owned();
    script.push_str("printf '\\033[?2004h\\033[?1000h\\033[?1006h\\033[?1004h[%s]' \"$old\"\n");
    for act in ACTS {
        script.push_str(&match act {
            Act::Send(bytes) => format!("printf '<'; head -c {}; printf '>'\n", bytes.len()),
            Act::Resize(..) => "while new=$(stty size); [ \"$new\" = \"$old\" ]; do sleep 0.02; done\n\
                                old=$new; printf '[%s]' \"$old\"\n"
                .to_owned(),
        });
    }
    script.push_str("printf '\\033[?2004l\\033[0mend'\nexit 5\n");
    let program = place.folder.path().join("agent");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.to_str().unwrap().to_owned()
}

/// What a session shows.
struct Shown {
    output: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    /// Up to where it was waited for.
    at: usize,
}

impl Shown {
    /// Waits until these bytes come next, or after others.
    fn wait_for(&mut self, wanted: &[u8]) {
        let begun = Instant::now();
        loop {
            let rest = &self.bytes[self.at..];
            if let Some(found) = rest.windows(wanted.len()).position(|bytes| bytes == wanted) {
                self.at += found + wanted.len();
                return;
            }
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let piece = self.output.recv_timeout(left).unwrap_or_else(|error| {
                panic!("{error}: {} never came after {}", wanted.escape_ascii(), self.bytes.escape_ascii())
            });
            self.bytes.extend(piece);
        }
    }
}

/// What a session of this command shows, and its exit code.
fn session(place: &Place, command: &[&str]) -> (Vec<u8>, u32) {
    let pty = native_pty_system().openpty(size(24, 80)).unwrap();
    let mut builder = CommandBuilder::new(command[0]);
    builder.args(&command[1..]);
    builder.env_clear();
    builder.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    builder.env("HOME", place.folder.path());
    builder.env("TERM", "xterm-256color");
    builder.cwd(place.work());
    let mut child = pty.slave.spawn_command(builder).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    let mut writer = pty.master.take_writer().unwrap();
    let (sender, output) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut shown = Shown { output, bytes: Vec::new(), at: 0 };
    shown.wait_for(b"[24 80]");
    for act in ACTS {
        match act {
            Act::Send(bytes) => {
                shown.wait_for(b"<");
                writer.write_all(bytes).and_then(|()| writer.flush()).unwrap();
                shown.wait_for(&[bytes, b">"].concat());
            }
            Act::Resize(rows, cols) => {
                pty.master.resize(size(rows, cols)).unwrap();
                shown.wait_for(format!("[{rows} {cols}]").as_bytes());
            }
        }
    }
    shown.wait_for(b"end");
    (shown.bytes, child.wait().unwrap().exit_code())
}

// S1-01 S1-04
#[test]
fn a_watched_terminal_session_is_byte_for_byte_the_same() {
    let place = Place::new();
    let program = program(&place);
    let alone = session(&place, &[&program]);
    let watched = session(&place, &[env!("CARGO_BIN_EXE_throughline"), "watch", "--", &program]);
    assert_eq!(alone.1, 5);
    assert_eq!(watched.0.escape_ascii().to_string(), alone.0.escape_ascii().to_string());
    assert_eq!(watched, alone);
}
