//! What commands reach besides files, and what is left of them.

use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use throughline_tools::{BuiltinTools, CommandRunner, Launcher, Sandbox, ToolContext};

use super::{MODE, Stage, block_on, call};

/// The mode in which this program connects to the unix socket or the address that follows, and prints how that ended.
pub(super) const CONNECT: &str = "connect-to";
/// The mode in which it runs a command in this folder until it is killed.
pub(super) const HOST: &str = "host-a-command";

pub(super) fn connect(target: &str) {
    let result = match target.starts_with('/') {
        true => std::os::unix::net::UnixStream::connect(target).map(drop),
        false => std::net::TcpStream::connect(target).map(drop),
    };
    println!("{}", result.map_or_else(|error| format!("refused: {error}"), |()| "connected".to_owned()));
}

pub(super) fn host(folder: &str) {
    let context = ToolContext::new(folder);
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    let tools = BuiltinTools::new().runner(CommandRunner::new().sandboxed(Sandbox::new([folder]), launcher));
    block_on(call(&tools, &context, "shell", &json!({"command": FORKING, "timeout_seconds": 300})));
}

/// A command that leaves processes in sessions of their own, and writes their numbers.
const FORKING: &str = "setsid sleep 301 & (setsid sh -c 'sleep 302 & echo $! >> pids; exec sleep 303' &) ; \
                       pgrep -f 'sleep 30[13]' >> pids; sleep 0.2; touch up; sleep 304";

fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn all_gone(pids: &str) {
    assert!(!pids.trim().is_empty());
    let begun = Instant::now();
    while let Some(pid) = pids.split_whitespace().find(|pid| is_alive(pid)) {
        assert!(begun.elapsed() < Duration::from_secs(30), "process {pid} survives");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(super) fn nothing_that_a_command_started_survives_it() {
    let Some(stage) = Stage::new() else { return };
    let text = stage.shell(&FORKING.replace("sleep 304", "exit 3"));
    assert!(text.ends_with("[exit status: 3]"), "{text}");
    all_gone(&std::fs::read_to_string(stage.inside("pids")).unwrap());
}

pub(super) fn nothing_survives_a_killed_program() {
    let Some(stage) = Stage::new() else { return };
    let mut program = Command::new(std::env::current_exe().unwrap());
    let mut host = program.arg(HOST).arg(stage.inside("")).stdin(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !stage.inside("up").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the command does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    host.kill().unwrap();
    host.wait().unwrap();
    all_gone(&std::fs::read_to_string(stage.inside("pids")).unwrap());
}

pub(super) fn a_command_cannot_signal_other_programs() {
    let Some(stage) = Stage::new() else { return };
    if Sandbox::gap().is_some() {
        println!("skipped: {}", Sandbox::gap().unwrap());
        return;
    }
    let own = std::process::id();
    let text = stage
        .shell(&format!("kill -0 {own} || kill -9 $PPID || echo spared; sleep 60 & kill $! && echo own"));
    assert!(text.contains("spared") && text.contains("own"), "{text}");
}

pub(super) fn a_command_reaches_no_socket_outside_its_folders() {
    let Some(stage) = Stage::new() else { return };
    let program = std::env::current_exe().unwrap();
    let connect = |path: &Path| stage.shell(&format!("{} {CONNECT} {}", program.display(), path.display()));
    let (outside, inside) = (stage.outside("socket"), stage.inside("socket"));
    let _listeners = [&outside, &inside].map(|path| UnixListener::bind(path).unwrap());
    let text = connect(&outside);
    assert!(text.contains("refused"), "{text}");
    let text = connect(&inside);
    assert!(text.contains("connected"), "{text}");
    let sandbox = Sandbox::new([&stage.context.workspace]).unix_sockets();
    let text = with(&stage, sandbox, &format!("{} {CONNECT} {}", program.display(), outside.display()));
    assert!(text.contains("connected"), "the settings allow it: {text}");
}

pub(super) fn without_a_network_a_command_reaches_no_server() {
    let Some(stage) = Stage::new() else { return };
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let command =
        format!("{} {CONNECT} {}", std::env::current_exe().unwrap().display(), server.local_addr().unwrap());
    let text = stage.shell(&command);
    assert!(text.contains("connected"), "{text}");
    let text = with(&stage, Sandbox::new([&stage.context.workspace]).no_network(), &command);
    assert!(text.contains("refused"), "{text}");
}

pub(super) fn temporary_files_are_in_a_private_folder() {
    let Some(stage) = Stage::new() else { return };
    let name = format!("throughline-test-{}", std::process::id());
    // The workspace is in the shared folder, which is therefore visible, and read-only.
    let text = stage.shell(&format!("echo x > $(mktemp) && echo made; echo x > /tmp/{name}"));
    assert!(text.contains("made") && text.contains("denied"), "{text}");
    // Elsewhere the private folder takes its place.
    let workspace = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    let sandbox = Sandbox::new([workspace.path()]);
    let tools = BuiltinTools::new().runner(CommandRunner::new().sandboxed(sandbox, launcher));
    let context = ToolContext::new(workspace.path());
    let shell = |line: String| block_on(call(&tools, &context, "shell", &json!({"command": line})));
    let first = shell(format!("echo x > $TMPDIR/{name} && echo made; echo x > /tmp/{name}; true"));
    assert!(first.contains("made"), "{first}");
    if !first.contains("denied") {
        assert_eq!(shell(format!("cat /tmp/{name}")), "x\n[exit status: 0]", "it stays for the next command");
    }
    assert!(!Path::new("/tmp").join(name).exists());
}

pub(super) fn a_command_does_not_write_what_runs_later() {
    let Some(stage) = Stage::new() else { return };
    let folders =
        [".git/hooks", ".git/modules/a/b/hooks", ".git/objects", ".claude/skills", ".vscode", ".husky"];
    folders.iter().for_each(|folder| std::fs::create_dir_all(stage.inside(folder)).unwrap());
    let files = [".git/config", ".git/modules/a/b/config", ".mcp.json", ".envrc", ".claude/settings.json"];
    files.iter().for_each(|file| std::fs::write(stage.inside(file), "mine").unwrap());
    let project = || Sandbox::default().project(&stage.context.workspace);
    let text = with(&stage, project(), "cat /proc/self/mountinfo");
    if !text.contains("/.mcp.json ") {
        println!("skipped: this system gives a command no mounts of its own");
        return;
    }
    for attack in [
        "echo x > .git/config",
        "echo x > .git/hooks/post-checkout",
        "echo x > .git/modules/a/b/hooks/post-checkout",
        "mv .git/hooks .git/h",
        "mv .git old",
        "rm -r .git/hooks .git/modules",
        "echo x > .git/modules/a/b/config",
        "mv .git/config x",
        "echo x > y; mv y .mcp.json",
        "rm -f .envrc; echo x > .envrc",
        "echo x > .claude/settings.json",
        "mv .claude c; mkdir .claude; echo x > .claude/settings.json",
        "echo x > .vscode/tasks.json",
        "rmdir .vscode",
        "umount .mcp.json; echo x > .mcp.json",
        "mount -o remount,rw .mcp.json; echo x > .mcp.json",
        "unshare -Urm sh -c 'umount .mcp.json; echo x > .mcp.json'",
        "ln .mcp.json link; echo x > link",
        "ln -sf .mcp.json link; echo x > link",
    ] {
        with(&stage, project(), attack);
        for file in files {
            assert_eq!(
                std::fs::read_to_string(stage.inside(file)).ok().as_deref(),
                Some("mine"),
                "{attack}: {file}"
            );
        }
        for folder in [".git/hooks", ".git/modules/a/b/hooks", ".vscode"] {
            assert_eq!(std::fs::read_dir(stage.inside(folder)).unwrap().count(), 0, "{attack}: {folder}");
        }
    }
    let work = "echo x > .git/objects/a && echo x > .claude/skills/a && echo x > .husky/a && mv .husky/a b && echo done";
    assert!(with(&stage, project(), work).contains("done"));
    let named = project().with(stage.inside(".envrc"));
    assert!(with(&stage, named, "echo x > .envrc && echo done").contains("done"), "the settings name it");
}

pub(super) fn commands_have_the_limits_of_the_settings() {
    let Some(stage) = Stage::new() else { return };
    let sandbox = Sandbox::new([&stage.context.workspace]).processes(100).memory(512 << 20);
    let text = with(&stage, sandbox, "ulimit -u; ulimit -d");
    let mut lines = text.lines();
    let processes: u64 = lines.next().unwrap().parse().unwrap();
    assert!((100..100_000).contains(&processes), "{text}");
    assert_eq!(lines.next(), Some("524288"), "{text}");
}

fn with(stage: &Stage, sandbox: Sandbox, command: &str) -> String {
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    let tools = BuiltinTools::new().runner(CommandRunner::new().sandboxed(sandbox, launcher));
    block_on(call(&tools, &stage.context, "shell", &json!({ "command": command })))
}
