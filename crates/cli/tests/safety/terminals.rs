//! The user's other terminals: what is shown there, what is typed there, and shared memory.

use std::io::{Read, Write};
use std::sync::mpsc;
use std::time::Duration;

use portable_pty::{PtySize, native_pty_system};

use crate::attack::Attack;
use crate::commands::said;
use crate::users::as_each_user;

/// What the user types into the other terminal.
const TYPED: &str = "the-password-of-the-user";

#[test]
fn a_command_neither_writes_to_nor_reads_from_another_terminal() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let other = native_pty_system().openpty(PtySize::default()).unwrap();
        let terminal = other.master.tty_name().unwrap();
        user.own_file(&terminal);
        let mut shown = other.master.try_clone_reader().unwrap();
        let (sender, screen) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(count) = shown.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        other.master.take_writer().unwrap().write_all(format!("{TYPED}\n").as_bytes()).unwrap();

        let command = format!(
            "for t in {} /dev/pts/*; do printf 'PLANTED' > $t; timeout 2 head -n 1 $t; done; echo end",
            terminal.display()
        );
        let Some(text) = said(&attack, &command) else { return };
        assert!(text.contains("end") && !text.contains(TYPED), "{user:?}: {text}");
        let mut screen_text = String::new();
        while let Ok(bytes) = screen.recv_timeout(Duration::from_millis(200)) {
            screen_text.push_str(&String::from_utf8_lossy(&bytes));
        }
        assert!(!screen_text.contains("PLANTED"), "{user:?}: {screen_text:?}");
    });
}

#[test]
fn a_command_can_still_make_terminals_of_its_own() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let command = "script -qec 'test -t 1 && tty; echo shown > $(tty)' /dev/null";
        let Some(text) = said(&attack, command) else { return };
        assert!(text.contains("/dev/pts/") && text.contains("shown"), "{user:?}: {text}");
    });
}
