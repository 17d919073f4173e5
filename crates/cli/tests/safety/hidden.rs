//! What is hidden from commands, with the project in the shared temporary folders and outside of them: there the temporary folders of a
//! command are private ones.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::attack::in_each_place;
use crate::commands::{is_incomplete, said, shell};

#[test]
fn a_command_reads_no_token_of_a_server() {
    in_each_place(|user, attack| {
        let tokens = ["server-token", "mcp-token"].map(|name| format!(".local/share/throughline/{name}"));
        for token in &tokens {
            attack.put(token, "canary-of-a-server");
        }
        let command =
            format!("cat ../{} ../{}; cat ~/.local/share/throughline/*; echo end", tokens[0], tokens[1]);
        let Some(text) = said(&attack, &command) else { return };
        assert!(text.contains("end") && !text.contains("canary"), "{user:?}: {text}");
        for token in &tokens {
            assert_eq!(fs::read_to_string(attack.home().join(token)).unwrap(), "canary-of-a-server");
        }
    });
}

#[test]
fn a_job_reads_no_token_that_is_made_later_and_locks_no_file_of_the_data_folder() {
    in_each_place(|user, attack| {
        let wait = "n=0; while [ ! -e token-is-made ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done; \
                    cat ~/.local/share/throughline/server-token; ls ~/.local/share/throughline; echo end";
        let lock = "python3 -c \"import fcntl, glob; [fcntl.lockf(open(f, 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB) for f in \
                    glob.glob('$HOME/.local/share/throughline/*')]; print(len(glob.glob('$HOME/.local/share/throughline/*')))\"";
        let calls = [shell("touch ready"), shell(lock), shell(wait)];
        let token = attack.home().join(".local/share/throughline/server-token");
        let (results, output) = std::thread::scope(|scope| {
            scope.spawn(|| {
                let begun = Instant::now();
                while !attack.work().join("ready").exists() && begun.elapsed().as_secs() < 60 {
                    std::thread::sleep(Duration::from_millis(10));
                }
                // The waiting command has begun by then.
                std::thread::sleep(Duration::from_millis(500));
                fs::write(&token, "canary-of-a-server").unwrap();
                user.own_file(&token);
                fs::write(attack.work().join("token-is-made"), "").unwrap();
            });
            attack.run(&[], &calls)
        });
        if is_incomplete(&output) {
            return;
        }
        assert!(results[2].contains("end") && !results[2].contains("canary"), "{user:?}: {results:?}");
        assert!(!results[2].contains("throughline.db"), "{user:?}: {results:?}");
        assert!(results[1].starts_with('0'), "{user:?}: a file can be locked: {results:?}");
        assert!(output.status.success(), "{user:?}: {output:?}");
    });
}

#[test]
fn a_command_changes_no_shared_memory_of_another_program() {
    in_each_place(|user, attack| {
        let name = format!("throughline-attack-{}-{user:?}", std::process::id());
        let shared = Path::new("/dev/shm").join(&name);
        fs::write(&shared, "mine").unwrap();
        user.own_file(&shared);
        let command = format!(
            "echo evil > /dev/shm/{name}; rm -f /dev/shm/{name}; \
             echo own > /dev/shm/{name}-own; cat /dev/shm/{name}-own"
        );
        let text = said(&attack, &command);
        let now = fs::read_to_string(&shared);
        let _ = fs::remove_file(&shared);
        let Some(text) = text else { return };
        assert_eq!(now.ok().as_deref(), Some("mine"), "{user:?}: {text}");
        assert!(text.contains("own"), "{user:?}: {text}");
    });
}

/// What hides them is in no folder in which a command writes.
#[test]
fn a_command_uncovers_nothing_for_the_next_one() {
    in_each_place(|user, attack| {
        attack.put(".local/share/throughline/server-token", "canary-of-a-server");
        attack.put(".config/other/file", "canary-of-a-program");
        let plant = "cd ${TMPDIR:-/tmp}; rm -rf .shm .empty; ln -s ~/.local/share/throughline .empty; \
                     ln -s ~/.config/other .shm; ls -la";
        let look =
            "cat ~/.local/share/throughline/server-token /dev/shm/file; echo evil > /dev/shm/file; echo end";
        let (results, _) = attack.run(&[], &[shell(plant), shell(look)]);
        assert!(results[1].contains("end") && !results[1].contains("canary"), "{user:?}: {results:?}");
        let file = attack.home().join(".config/other/file");
        assert_eq!(fs::read_to_string(file).unwrap(), "canary-of-a-program", "{user:?}: {results:?}");
    });
}
