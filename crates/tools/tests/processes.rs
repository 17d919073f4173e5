//! Tests that need processes of their own: the sandbox, and the memory that a large output takes.
//!
//! This program is its own test harness, because it is the launcher of the sandbox too. It lists and runs its tests like the
//! standard harness.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "processes/reach.rs"]
mod reach;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_conversation::ToolCall;
use throughline_tools::{
    BuiltinTools, CommandRunner, Launcher, Sandbox, SandboxStatus, ToolContext, sandbox_exec,
};

/// The hidden mode in which this program limits itself.
const MODE: &str = "sandbox-exec";
/// The mode in which it runs a command that writes a gigabyte, and prints its peak memory.
const FLOOD: &str = "run-the-flood";

type Test = fn();

const TESTS: &[(&str, Test)] = &[
    ("writing_inside_works", writing_inside_works),
    ("writing_outside_is_refused_and_reported", writing_outside_is_refused_and_reported),
    ("no_link_leads_out", no_link_leads_out),
    ("a_folder_replaced_by_a_link_is_not_writable", a_folder_replaced_by_a_link_is_not_writable),
    ("a_folder_named_by_a_link_is_writable", a_folder_named_by_a_link_is_writable),
    ("background_jobs_are_in_the_sandbox", background_jobs_are_in_the_sandbox),
    (
        "a_sandboxed_command_leads_a_session_that_ends_with_it",
        a_sandboxed_command_leads_a_session_that_ends_with_it,
    ),
    ("a_command_without_a_sandbox_has_no_terminal", a_command_without_a_sandbox_has_no_terminal),
    ("a_missing_launcher_runs_nothing", a_missing_launcher_runs_nothing),
    ("nothing_that_a_command_started_survives_it", reach::nothing_that_a_command_started_survives_it),
    ("nothing_survives_a_killed_program", reach::nothing_survives_a_killed_program),
    ("a_command_cannot_signal_other_programs", reach::a_command_cannot_signal_other_programs),
    (
        "a_command_reaches_no_socket_outside_its_folders",
        reach::a_command_reaches_no_socket_outside_its_folders,
    ),
    ("without_a_network_a_command_reaches_no_server", reach::without_a_network_a_command_reaches_no_server),
    ("temporary_files_are_in_a_private_folder", reach::temporary_files_are_in_a_private_folder),
    ("a_command_does_not_write_what_runs_later", reach::a_command_does_not_write_what_runs_later),
    ("commands_have_the_limits_of_the_settings", reach::commands_have_the_limits_of_the_settings),
    ("a_gigabyte_of_output_takes_little_memory", a_gigabyte_of_output_takes_little_memory),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some(MODE) => {
            let error = sandbox_exec(arguments);
            eprintln!("{error}");
            return ExitCode::from(126);
        }
        Some(reach::CONNECT) => {
            reach::connect(&arguments.next().unwrap().to_string_lossy());
            return ExitCode::SUCCESS;
        }
        Some(reach::HOST) => {
            reach::host(&arguments.next().unwrap().to_string_lossy());
            return ExitCode::SUCCESS;
        }
        Some(FLOOD) => {
            flood();
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // A word behind these belongs to them.
    let valued = ["--format", "--color", "--test-threads", "--logfile", "--skip", "-Z"];
    let mut before = "";
    let mut filters: Vec<&String> = Vec::new();
    for argument in &arguments {
        if !argument.starts_with('-') && !valued.contains(&before) {
            filters.push(argument);
        }
        before = argument;
    }
    let fits = |name: &str| {
        let fit =
            |filter: &&&String| if has("--exact") { ***filter == *name } else { name.contains(**filter) };
        (filters.is_empty() || filters.iter().any(|filter| fit(&filter))) && !has("--ignored")
    };
    for (name, test) in TESTS.iter().filter(|(name, _)| fits(name)) {
        if has("--list") {
            println!("{name}: test");
        } else {
            test();
            println!("test {name} ... ok");
        }
    }
    ExitCode::SUCCESS
}

/// A workspace whose commands may write in it and nowhere else, and a folder outside of it.
struct Stage {
    tools: BuiltinTools,
    context: ToolContext,
    outside: TempDir,
    _inside: TempDir,
}

impl Stage {
    /// `None`, and a line that says so: this system has no sandbox.
    fn new() -> Option<Self> {
        if let status @ SandboxStatus::Unavailable(_) = Sandbox::status() {
            println!("skipped: {status}");
            return None;
        }
        let (inside, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
        let runner = CommandRunner::new().sandboxed(Sandbox::new([inside.path()]), launcher);
        let context = ToolContext::new(inside.path());
        std::fs::write(outside.path().join("old"), "old").unwrap();
        Some(Self { tools: BuiltinTools::new().runner(runner), context, outside, _inside: inside })
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.outside.path().join(name)
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.context.workspace.join(name)
    }

    /// Runs a command; `OUT` is the folder outside.
    fn shell(&self, command: &str) -> String {
        let command = format!("OUT={}; {command}", self.outside.path().display());
        self.call("shell", &json!({"command": command, "timeout_seconds": 60}))
    }

    fn call(&self, name: &str, input: &Value) -> String {
        block_on(call(&self.tools, &self.context, name, input))
    }
}

async fn call(tools: &BuiltinTools, context: &ToolContext, name: &str, input: &Value) -> String {
    let tools = tools.tools();
    let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: input.clone() };
    tool.call(&call, context).await.to_text()
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn writing_inside_works() {
    let Some(stage) = Stage::new() else { return };
    let command = "mkdir -p a/b && echo hi > a/b/c && mv a/b/c d && rm -r a && ln d e && ln -s d f && cat d \
                   && echo x > /dev/null && echo shown > /dev/stderr && cat \"$OUT\"/old";
    assert_eq!(stage.shell(command), "hi\nshown\nold\n[exit status: 0]");
    assert_eq!(std::fs::read_to_string(stage.inside("d")).unwrap(), "hi\n");
}

fn writing_outside_is_refused_and_reported() {
    let Some(stage) = Stage::new() else { return };
    let inside = stage.context.workspace.display().to_string();
    for command in [
        "echo x > \"$OUT\"/new",
        "echo x >> \"$OUT\"/old",
        "rm \"$OUT\"/old",
        "mkdir \"$OUT\"/folder",
        "mv \"$OUT\"/old here",
        "touch here && mv here \"$OUT\"/there",
        "sh -c 'setsid sh -c \"echo x > $0\"' \"$OUT\"/new; sleep 0; test -e \"$OUT\"/new || { echo Permission denied; false; }",
    ] {
        let text = stage.shell(command);
        let note = format!("[the sandbox lets commands write only in: {inside}, ");
        let ends = text.ends_with("]\n[exit status: 1]");
        assert!(text.contains("Permission denied") && text.contains(&note) && ends, "{command}: {text}");
        let names: Vec<_> =
            stage.outside.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["old"], "{command}");
        assert_eq!(std::fs::read_to_string(stage.outside("old")).unwrap(), "old", "{command}");
    }
    if Sandbox::status() == SandboxStatus::Enforced {
        let text = stage.shell("truncate -s 0 \"$OUT\"/old");
        assert!(text.contains("Permission denied"), "{text}");
        assert_eq!(std::fs::read_to_string(stage.outside("old")).unwrap(), "old");
    }
}

fn no_link_leads_out() {
    let Some(stage) = Stage::new() else { return };
    let text = stage.shell("ln -s \"$OUT\" way; echo x > way/new");
    assert!(text.contains("Permission denied"), "{text}");
    let text = stage.shell("ln -s \"$OUT\"/old soft; echo x > soft");
    assert!(text.contains("Permission denied"), "{text}");
    stage.shell("ln \"$OUT\"/old hard && echo x > hard");
    assert_eq!(std::fs::read_to_string(stage.outside("old")).unwrap(), "old");
    assert!(!stage.outside("new").exists());
}

fn a_folder_replaced_by_a_link_is_not_writable() {
    let Some(stage) = Stage::new() else { return };
    // Of two folders one lies in the other, so a command can replace it by a link.
    let inner = stage.inside("inner");
    std::fs::create_dir(&inner).unwrap();
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    let sandbox = Sandbox::new([&stage.context.workspace, &inner]);
    let tools = BuiltinTools::new().runner(CommandRunner::new().sandboxed(sandbox, launcher));
    let shell =
        |command: String| block_on(call(&tools, &stage.context, "shell", &json!({"command": command})));
    let outside = stage.outside.path().display();
    assert_eq!(shell("echo x > inner/x && cat inner/x".to_owned()), "x\n[exit status: 0]");
    assert_eq!(shell(format!("rm -r inner && ln -s {outside} inner")), "[exit status: 0]");
    let text = shell("echo x > inner/new".to_owned());
    assert!(text.contains("Permission denied"), "{text}");
    assert!(!stage.outside("new").exists());
}

fn a_folder_named_by_a_link_is_writable() {
    let Some(stage) = Stage::new() else { return };
    let link = stage.inside("link");
    std::os::unix::fs::symlink(stage.outside.path(), &link).unwrap();
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    // Also one in it that is made later.
    for (folder, command) in
        [(link.clone(), "echo x > link/new"), (link.join("later"), "echo x > link/later/new")]
    {
        let sandbox = Sandbox::new([folder]);
        let tools = BuiltinTools::new().runner(CommandRunner::new().sandboxed(sandbox, launcher.clone()));
        std::fs::create_dir_all(stage.outside("later")).unwrap();
        let text = block_on(call(&tools, &stage.context, "shell", &json!({"command": command})));
        assert_eq!(text, "[exit status: 0]", "{command}");
    }
}

fn background_jobs_are_in_the_sandbox() {
    let Some(stage) = Stage::new() else { return };
    let command = format!("echo hi > in; echo x > {}", stage.outside("new").display());
    // Jobs live on a runtime, so both calls share one.
    let text = block_on(async {
        call(&stage.tools, &stage.context, "shell", &json!({"command": command, "background": true})).await;
        call(&stage.tools, &stage.context, "shell_output", &json!({"job": 1, "wait_seconds": 60})).await
    });
    assert!(
        text.contains("Permission denied") && text.contains("[the sandbox lets commands write only in"),
        "{text}"
    );
    assert!(stage.inside("in").exists() && !stage.outside("new").exists());
}

fn a_sandboxed_command_leads_a_session_that_ends_with_it() {
    let Some(stage) = Stage::new() else { return };
    let text = stage.shell("read -r pid name state parent group session rest < /proc/$$/stat; [ $pid = $group ] && [ $pid = $session ]");
    assert_eq!(text, "[exit status: 0]");
    let command = "sleep 300 & echo $! > new; mv new child; sleep 300";
    let mut limit = 1;
    while !stage.inside("child").exists() {
        // On a slow machine it had no time to begin.
        assert!(limit < 60, "the command does not begin");
        let text = stage.call("shell", &json!({"command": command, "timeout_seconds": limit}));
        assert!(text.starts_with(&format!("[timed out after {limit} s")), "{text}");
        limit *= 4;
    }
    let child = std::fs::read_to_string(stage.inside("child")).unwrap();
    assert!(!child.trim().is_empty());
    let stat = format!("/proc/{}/stat", child.trim());
    let begun = Instant::now();
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the child lives");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn a_command_without_a_sandbox_has_no_terminal() {
    if !Path::new("/proc/self/stat").exists() {
        println!("skipped: this system does not tell which session a process is in");
        return;
    }
    let (inside, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let context = ToolContext::new(inside.path());
    // A command that leads a session of its own has left the terminal of the one before.
    let leads =
        "read -r pid name state parent group session rest < /proc/$$/stat; echo $(( pid == session ))";
    let command = format!("echo hi > {}/x && cat {0}/x; {leads}", outside.path().display());
    let launcher = Launcher::new(std::env::current_exe().unwrap(), [MODE]);
    let missing = Launcher::new("/does/not/exist", [MODE]);
    let runs = |runner: CommandRunner| {
        let tools = BuiltinTools::new().runner(runner);
        block_on(call(&tools, &context, "shell", &json!({"command": command, "timeout_seconds": 60})))
    };
    assert_eq!(runs(CommandRunner::new().launched_by(launcher)), "hi\n1\n[exit status: 0]");
    for runner in [CommandRunner::new(), CommandRunner::new().launched_by(missing)] {
        assert_eq!(runs(runner), "hi\n0\n[exit status: 0]", "it runs as it can");
    }
}

fn a_missing_launcher_runs_nothing() {
    let Some(stage) = Stage::new() else { return };
    let sandbox = Sandbox::new([&stage.context.workspace]);
    let runner = CommandRunner::new().sandboxed(sandbox, Launcher::new("/does/not/exist", [MODE]));
    let tools = BuiltinTools::new().runner(runner);
    let text = block_on(call(&tools, &stage.context, "shell", &json!({"command": "touch ran"})));
    assert!(text.starts_with("The command could not be started"), "{text}");
    assert!(!stage.inside("ran").exists());
}

/// Runs in a process of its own, so that its memory is this command's alone.
fn flood() {
    let folder = TempDir::new().unwrap();
    let context = ToolContext::new(folder.path());
    let tools = BuiltinTools::new();
    let command = "head -c 1000000000 /dev/zero | tr '\\0' x";
    let text =
        block_on(call(&tools, &context, "shell", &json!({"command": command, "timeout_seconds": 600})));
    assert!(text.ends_with("x\n[exit status: 0]"), "{}", text.len());
    let start = text.find("\n[...").unwrap();
    println!("{}", text.get(start..).unwrap().lines().nth(1).unwrap());
    println!("{}", status_line("VmHWM:"));
}

fn status_line(name: &str) -> String {
    let status = std::fs::read_to_string(Path::new("/proc/self/status")).unwrap_or_default();
    status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned()
}

fn a_gigabyte_of_output_takes_little_memory() {
    if status_line("VmHWM:").is_empty() {
        println!("skipped: this system does not tell how much memory a process had");
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap()).arg(FLOOD).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let kept = format!(
        "[... {} bytes left out; the first {} bytes of it are in ",
        1_000_000_000 - (4 << 20),
        256 << 20
    );
    assert!(text.starts_with(&kept), "{text}");
    let memory = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: u64 =
        memory.and_then(|memory| memory.split_whitespace().next()).and_then(|kib| kib.parse().ok()).unwrap();
    assert!(kib < 100 * 1024, "{kib} KiB");
    println!("peak memory: {kib} KiB");
}
