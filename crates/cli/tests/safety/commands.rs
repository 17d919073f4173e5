//! What commands of the model must not see, change, signal or reach.

use std::fs;
use std::os::unix::net::UnixListener;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::attack::Attack;
use crate::users::{User, as_each_user};

/// A call of the shell.
pub(crate) fn shell(command: &str) -> (&'static str, Value) {
    ("shell", json!({ "command": command, "timeout_seconds": 60 }))
}

/// Returns true, and prints a line that says so, if the system does not have all that the sandbox needs.
pub(crate) fn is_incomplete(output: &Output) -> bool {
    let notices = String::from_utf8_lossy(&output.stderr);
    let is_incomplete = notices.contains("without a sandbox") || notices.contains("mount namespace");
    if is_incomplete {
        println!("skipped: this system has no complete sandbox");
    }
    is_incomplete
}

/// What the model reads of a command; `None`, and a line that says so: this system has no sandbox.
pub(crate) fn said(attack: &Attack, command: &str) -> Option<String> {
    let (mut results, output) = attack.run(&[], &[shell(command)]);
    if String::from_utf8_lossy(&output.stderr).contains("commands run without a sandbox") {
        println!("skipped: this system has no sandbox");
        return None;
    }
    Some(results.remove(0))
}

#[test]
fn a_command_gets_no_file_that_was_open_when_the_program_was_started() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("open.txt", "canary");
        let open = attack.home().join("open.txt");
        let attack = attack.with_open_file(&open);
        let Some(text) = said(&attack, "head -c 100 <&9; echo planted >&9; ls /proc/self/fd; echo end")
        else {
            return;
        };
        assert!(text.contains("end") && !text.contains("canary"), "{user:?}: {text}");
        assert!(!text.lines().any(|line| line == "9"), "{user:?}: {text}");
        assert_eq!(fs::read_to_string(&open).unwrap(), "canary", "{user:?}");
    });
}

#[test]
fn a_command_finds_no_secret_in_its_environment_nor_in_that_of_a_process_above() {
    as_each_user(|user| {
        let attack = Attack::new(user).with_variables(&[
            ("AWS_SECRET_ACCESS_KEY", "canary-1"),
            ("GITHUB_TOKEN", "canary-2"),
            ("DATABASE_URL", "canary-3"),
            ("SSH_AUTH_SOCK", "/tmp/canary-4"),
        ]);
        let above = "env; p=$PPID; for i in 1 2 3; do tr '\\0' '\\n' < /proc/$p/environ; cat /proc/$p/maps; \
                     head -c 100 /proc/$p/mem; ls -l /proc/$p/fd; read -r _ _ _ p _ < /proc/$p/stat; done; echo end";
        let Some(text) = said(&attack, above) else { return };
        assert!(!text.contains("canary") && text.contains("end"), "{user:?}: {text}");
        assert!(!text.contains("throughline.db"), "{user:?}: an open file is listed: {text}");
    });
}

#[test]
fn a_command_changes_neither_settings_nor_data_nor_what_the_user_runs_later() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let files = [
            (".config/throughline/config.toml", "[tools]\n"),
            (".local/share/throughline/trust.json", "{\"folders\":{}}"),
            (".bashrc", "# mine\n"),
            (".ssh/authorized_keys", "# none\n"),
            (".cache/pip/x", "cached\n"),
        ];
        files.iter().for_each(|(path, text)| attack.put(path, text));
        let command = "cd ..; for f in .config/throughline/config.toml .local/share/throughline/trust.json .bashrc \
                       .ssh/authorized_keys; do echo evil >> $f; cp /bin/sh $f; ln -f work/a $f; truncate -s 0 $f; \
                       done; mv .config .old; mv .local .old; rm -rf .config .local .ssh .bashrc; mkdir .new; \
                       echo x > .cache/evil; ln .bashrc work/hard; echo evil >> work/hard; touch work/end";
        if said(&attack, command).is_none() {
            return;
        }
        for (path, text) in files {
            let now = fs::read_to_string(attack.home().join(path));
            assert_eq!(now.ok().as_deref(), Some(text), "{user:?}: {path}");
        }
        assert!(attack.work().join("end").exists(), "{user:?}");
        for path in [".old", ".new", ".cache/evil"] {
            assert!(!attack.home().join(path).exists(), "{user:?}: {path}");
        }
    });
}

#[test]
fn a_command_ends_no_program_of_the_user() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let mut victim = user.program("sleep").arg("300").stdin(Stdio::null()).spawn().unwrap();
        let command = format!(
            "kill -9 {0}; kill -9 $PPID; kill -9 -1; p=$PPID; for i in 1 2 3; do kill -9 $p; \
             read -r _ _ _ p _ < /proc/$p/stat; done; echo end",
            victim.id()
        );
        let (results, output) = attack.run(&[], &[shell(&command)]);
        let spared = victim.try_wait().unwrap().is_none();
        victim.kill().unwrap();
        victim.wait().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if stderr.contains("signal") || stderr.contains("without a sandbox") {
            println!("skipped: this system does not limit signals: {stderr}");
            return;
        }
        assert!(output.status.success() && spared, "{user:?}: {results:?} {output:?}");
    });
}

#[test]
fn a_command_sets_no_resource_limit_of_another_program() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let mut victim = user.program("sleep").arg("300").stdin(Stdio::null()).spawn().unwrap();
        let limits = format!("/proc/{}/limits", victim.id());
        let before = fs::read_to_string(&limits).unwrap();
        let command = format!(
            "for p in {} $PPID; do prlimit --pid $p --as=4096:4096 --cpu=1:1 --fsize=0:0; done; \
             ulimit -n 64 && prlimit --nofile=32 sh -c 'ulimit -n'; echo end",
            victim.id()
        );
        let text = said(&attack, &command);
        let after = fs::read_to_string(&limits).unwrap();
        victim.kill().unwrap();
        victim.wait().unwrap();
        let Some(text) = text else { return };
        assert_eq!(after, before, "{user:?}: {text}");
        // It limits itself and what it starts.
        assert!(text.contains("32") && text.contains("end"), "{user:?}: {text}");
    });
}

#[test]
fn a_command_sets_no_priority_of_another_program_and_shares_no_objects_with_it() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let mut victim = user.program("sleep").arg("300").stdin(Stdio::null()).spawn().unwrap();
        let stat = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", victim.id())).unwrap();
            let fields: Vec<String> =
                stat.rsplit(')').next().unwrap().split_whitespace().map(str::to_owned).collect();
            let allowed = fs::read_to_string(format!("/proc/{}/status", victim.id())).unwrap();
            let allowed = allowed.lines().find(|line| line.starts_with("Cpus_allowed:")).unwrap().to_owned();
            // The priority, the nice value and the policy (proc_pid_stat(5)).
            (fields[15].clone(), fields[16].clone(), fields[38].clone(), allowed)
        };
        let before = stat();
        let made = user.program("ipcmk").args(["-M", "64", "-Q"]).output();
        let ids = made.map(|made| String::from_utf8_lossy(&made.stdout).into_owned()).unwrap_or_default();
        let command = format!(
            "p={}; for q in $p $PPID; do renice -n 19 -p $q; chrt --idle -p 0 $q; taskset -p 1 $q; ionice -c 3 -p $q; done; \
             renice -n 19 -u $(id -u); ipcs -m -q; nice -n 5 taskset 1 true && echo own; ipcmk -M 64 && ipcs -m; \
             keyctl show; grep -c . /proc/keys; echo end",
            victim.id()
        );
        let text = said(&attack, &command);
        let after = stat();
        victim.kill().unwrap();
        victim.wait().unwrap();
        for id in ids.lines() {
            let kind = if id.contains("memory") { "-m" } else { "-q" };
            let number = id.rsplit(' ').next().unwrap_or_default();
            let _ = user.program("ipcrm").args([kind, number]).output();
        }
        let Some(text) = text else { return };
        assert_eq!(after, before, "{user:?}: {text}");
        assert!(text.contains("end") && text.contains("own"), "{user:?}: {text}");
        if ids.is_empty() {
            println!("skipped: objects of other programs: `ipcmk` is missing");
        }
        for id in ids.lines().filter_map(|line| line.rsplit(' ').next()) {
            let listed = text.lines().any(|line| line.split_whitespace().nth(1) == Some(id));
            // A namespace of its own counts from 0, as a new one outside does too.
            assert!(id == "0" || !listed, "{user:?}: {id} is shared: {text}");
        }
    });
}

#[test]
fn a_command_makes_no_program_that_runs_as_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    as_each_user(|user| {
        let attack = Attack::new(user);
        let command = "for f in a b c d e; do cp /bin/true $f; done; chmod u+s a; chmod 4755 b; \
                       install -m 4755 /bin/true f; perl -e 'chmod(04755, \"c\")'; \
                       python3 -c \"import os; os.fchmod(os.open('d', 0), 0o4755); os.close(os.open('g', 65, 0o4755))\"; \
                       cat /bin/true > g; chmod 755 e && echo end";
        let Some(text) = said(&attack, command) else { return };
        assert!(text.contains("end"), "{user:?}: {text}");
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            let Ok(found) = attack.work().join(name).metadata() else { continue };
            let runs = found.len() > 0 && found.permissions().mode() & 0o4000 != 0;
            assert!(!runs, "{user:?}: {name} runs as its owner: {text}");
        }
    });
}

#[test]
fn a_command_changes_no_cache_that_existing_environments_run() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        for cache in ["uv", "deno", "pip"] {
            attack.put(&format!(".cache/{cache}/x"), "cached\n");
        }
        let command = "for c in uv deno pip; do echo evil > ~/.cache/$c/x; done; mkdir -p $UV_CACHE_DIR $DENO_DIR && \
                       echo x > $UV_CACHE_DIR/own && echo $UV_LINK_MODE end";
        let Some(text) = said(&attack, command) else { return };
        assert!(text.contains("copy end"), "{user:?}: {text}");
        let now = ["uv", "deno", "pip"]
            .map(|cache| fs::read_to_string(attack.home().join(".cache").join(cache).join("x")).unwrap());
        assert_eq!(now, ["cached\n", "cached\n", "evil\n"], "{user:?}");
        attack.put(".config/throughline/config.toml", "[tools]\nwritable = [\"~/.cache/uv\"]\n");
        let text = said(&attack, "echo mine > ~/.cache/uv/x; echo dir=$UV_CACHE_DIR.").unwrap();
        assert!(text.contains("dir=.\n"), "{user:?}: {text}");
        assert_eq!(fs::read_to_string(attack.home().join(".cache/uv/x")).unwrap(), "mine\n", "{user:?}");
    });
}

#[test]
fn a_command_reaches_no_socket_of_another_program() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let paths = [attack.home().join("agent.sock"), attack.home().join("sub/daemon.sock")];
        fs::create_dir(attack.home().join("sub")).unwrap();
        let listeners = paths.each_ref().map(|path| UnixListener::bind(path).unwrap());
        listeners.iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
        for path in &paths {
            user.own_file(path);
        }
        let connect = |path: &std::path::Path| {
            format!(
                "python3 -c \"import socket; s = socket.socket(socket.AF_UNIX); s.connect('{}'); s.send(b'x')\"; \
                 perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un(\"{0}\"))'",
                path.display()
            )
        };
        let command = paths.iter().map(|path| connect(path)).collect::<Vec<_>>().join("; ");
        let Some(text) = said(&attack, &format!("{command}; echo end")) else { return };
        assert!(text.contains("end"), "{user:?}: {text}");
        for listener in &listeners {
            assert!(listener.accept().is_err(), "{user:?}: a command is connected: {text}");
        }
    });
}

#[test]
fn where_sockets_cannot_be_hidden_none_can_be_made_and_a_notice_says_so() {
    let attack = Attack::new(User::Own);
    // Root without this capability cannot make a mount namespace.
    let Some(attack) = attack.without_capability("sys_admin") else { return };
    let socket = attack.home().join("agent.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    listener.set_nonblocking(true).unwrap();
    let (results, output) = attack.run(&[], &[shell("echo refused=$THROUGHLINE_UNIX_SOCKETS_REFUSED")]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if results[0].contains("refused=1") {
        assert!(stderr.contains("commands cannot use unix sockets"), "{stderr}");
    } else {
        assert!(!stderr.contains("unix sockets"), "this kernel limits them by itself: {stderr}");
    }
    // The same namespace would protect the files that run later.
    assert!(stderr.contains("commands can write the files of this project that run later"), "{stderr}");
    attack.put(".config/throughline/config.toml", "[tools]\nunix_sockets = true\n");
    let (results, output) = attack.run(&[], &[shell("echo refused=$THROUGHLINE_UNIX_SOCKETS_REFUSED")]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(results[0].contains("refused=\n") && !stderr.contains("unix sockets"), "{results:?} {stderr}");
}

#[test]
fn what_a_sandbox_has_lost_since_it_was_checked_is_said_at_every_start() {
    let attack = Attack::new(User::Own);
    let remembered = attack.home().join(".local/share/throughline/checked-sandboxes");
    let notices = |attack: &Attack| {
        let (_, output) = attack.run(&[], &[]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let lost = "commands can write the files of this project that run later";
    let stderr = notices(&attack);
    if !remembered.exists() {
        println!("skipped: this system has no complete sandbox: {stderr}");
        return;
    }
    assert!(!stderr.contains(lost) && !notices(&attack).contains(lost), "{stderr}");
    // Root without this capability cannot make a mount namespace.
    let Some(limited) = attack.without_capability("sys_admin") else { return };
    for start in 1..=2 {
        let stderr = notices(&limited);
        assert!(stderr.contains(lost), "start {start}: {stderr}");
    }
}

#[test]
fn a_command_writes_into_no_repository_that_a_git_file_names() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("other/.git/hooks/pre-commit", "# mine\n");
        attack.put("other/.git/worktrees/w/gitdir", "/somewhere/else/.git\n");
        attack.put("other/.git/worktrees/w/commondir", "../..\n");
        for link in ["../other/.git/worktrees/w", "../other/.git", "/etc"] {
            fs::write(attack.work().join(".git"), format!("gitdir: {link}\n")).unwrap();
            let command = "echo evil >> ../other/.git/hooks/pre-commit; echo x > ../other/.git/objects; \
                           echo x > ../other/.git/worktrees/w/new; echo end";
            let Some(text) = said(&attack, command) else { return };
            assert!(text.contains("end"), "{user:?}: {text}");
            let hook = fs::read_to_string(attack.home().join("other/.git/hooks/pre-commit")).unwrap();
            assert_eq!(hook, "# mine\n", "{user:?} {link}");
            for new in ["objects", "worktrees/w/new"] {
                assert!(!attack.home().join("other/.git").join(new).exists(), "{user:?} {link}: {new}");
            }
        }
    });
}

#[test]
fn a_temporary_file_of_a_command_is_not_seen_by_others() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let name = format!("throughline-attack-{}-{user:?}", std::process::id());
        let command = format!(
            "echo x > /tmp/{name}; echo x > /var/tmp/{name}; echo x > /dev/shm/{name}; f=$(mktemp) && echo made"
        );
        let Some(text) = said(&attack, &command) else { return };
        assert!(text.contains("made"), "{user:?}: {text}");
        assert!(["/tmp", "/var/tmp"].iter().all(|folder| !std::path::Path::new(folder).join(&name).exists()));
        let _ = fs::remove_file(std::path::Path::new("/dev/shm").join(&name));
    });
}

/// The attacks are real: without the sandbox they do what they want.
#[test]
fn without_the_sandbox_each_attack_would_succeed() {
    let attack = Attack::new(User::Own);
    attack.put(".config/throughline/config.toml", "[tools]\nsandbox = false\n");
    attack.put(".bashrc", "# mine\n");
    let mut victim = Command::new("sleep").arg("300").spawn().unwrap();
    let command = format!("echo evil >> ../.bashrc; kill -9 {}; echo end", victim.id());
    let (results, _) = attack.run(&["--mode", "yolo"], &[shell(&command)]);
    assert!(results[0].contains("end"), "{results:?}");
    assert_eq!(fs::read_to_string(attack.home().join(".bashrc")).unwrap(), "# mine\nevil\n");
    assert!(!victim.wait().unwrap().success());
}
