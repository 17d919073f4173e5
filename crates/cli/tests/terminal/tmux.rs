//! A terminal that a test types into and looks at.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_testserver::Server;

use crate::place::{KEY, Place};

/// How long something may take to appear. Long, because the machine may be busy; a test that passes does not wait.
const PATIENCE: Duration = Duration::from_secs(120);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(40);
/// A question does not take keys that were pressed before anybody can have seen it.
const SEEN: Duration = Duration::from_millis(900);
/// What is printed when the program has ended.
const ENDED: &str = "[the program ended with";

/// A server of tmux for one test.
pub(crate) struct Tmux {
    /// The folder of its socket, which tmux leaves behind.
    folder: TempDir,
}

impl Tmux {
    /// The binary in a terminal of this size, in the place's folder, with this server as its provider.
    pub(crate) fn start(place: &Place, server: &Server, size: (u16, u16), args: &[&str]) -> Self {
        Self::start_with(place, server, size, &["--model", "claude-sonnet-4-5"], args)
    }

    /// The same with a model that `model` names, if it names one.
    pub(crate) fn start_with(
        place: &Place,
        server: &Server,
        size: (u16, u16),
        model: &[&str],
        args: &[&str],
    ) -> Self {
        Self::open(&place.work(), size, &Self::words(place, server, model, args))
    }

    /// The words of the command that starts the binary.
    pub(crate) fn words(place: &Place, server: &Server, model: &[&str], args: &[&str]) -> Vec<String> {
        let url = server.url();
        let mut words: Vec<String> = vec!["env".into(), "-i".into()];
        // The cargo that builds this test, not one that looks for a toolchain in the user's home.
        let own = Path::new(env!("CARGO")).parent().unwrap().display();
        let path = format!("{own}:{}", std::env::var("PATH").unwrap_or_default());
        for (name, value) in [
            ("PATH", path.as_str()),
            ("HOME", place.folder.path().to_str().unwrap()),
            ("TERM", "tmux-256color"),
            ("LANG", "C.UTF-8"),
            ("OLLAMA_HOST", "127.0.0.1:9"),
            ("ANTHROPIC_API_KEY", KEY),
            ("EDITOR", "printf 'Remember the kestrel.' >>"),
        ] {
            words.push(format!("{name}={value}"));
        }
        words.push(env!("CARGO_BIN_EXE_throughline").to_owned());
        words.extend(["--provider", "anthropic", "--base-url", &url].map(str::to_owned));
        words.extend(model.iter().map(|word| (*word).to_owned()));
        words.extend(args.iter().map(|word| (*word).to_owned()));
        words
    }

    /// A command in a terminal of this size, in this folder.
    pub(crate) fn open(folder: &Path, (columns, rows): (u16, u16), words: &[String]) -> Self {
        let quoted: Vec<String> =
            words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        let line = format!("{}; echo \"{ENDED} $?]\"; exec sleep 600", quoted.join(" "));
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        terminal.tmux(&[
            "new-session",
            "-d",
            "-x",
            &columns,
            "-y",
            &rows,
            "-c",
            folder.to_str().unwrap(),
            &line,
        ]);
        terminal.tmux(&["set-option", "-g", "history-limit", "20000"]);
        terminal
    }

    /// tmux for this test's server.
    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.folder.path().join("socket"));
        command.args(["-f", "/dev/null", "-u"]).env_remove("TMUX");
        command
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let output = self.command().args(args).output().unwrap();
        assert!(output.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Types a text and Enter.
    pub(crate) fn say(&self, text: &str) {
        self.text(text);
        self.key("Enter");
    }

    /// Types a text, and Enter once the program has taken it: some take what comes at once for a paste.
    pub(crate) fn enter(&self, text: &str) {
        self.text(text);
        std::thread::sleep(SEEN);
        self.key("Enter");
    }

    /// Answers a question, once it is there and somebody can have seen it.
    #[track_caller]
    pub(crate) fn answer(&self, question: &str, key: &str) -> String {
        let asked = self.shows(question);
        std::thread::sleep(SEEN);
        self.key(key);
        asked
    }

    /// Waits for the input, before which nothing is to be typed.
    #[track_caller]
    pub(crate) fn ready(&self) {
        self.wait("the program never took input", |screen| {
            screen.contains("\nask  ") && screen.contains('›')
        });
    }

    /// Types a text.
    pub(crate) fn text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Presses a key, by tmux's name of it.
    pub(crate) fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// What the screen shows, without empty ends.
    pub(crate) fn screen(&self) -> String {
        let shown = String::from_utf8(self.tmux(&["capture-pane", "-p"]).stdout).unwrap();
        shown.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// All that was ever printed, the screen last.
    pub(crate) fn all(&self) -> String {
        let shown = String::from_utf8(self.tmux(&["capture-pane", "-p", "-J", "-S", "-"]).stdout).unwrap();
        shown.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Waits until the screen shows this, and gives the screen.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> String {
        self.wait(&format!("the screen never showed {text:?}"), |screen| screen.contains(text))
    }

    /// Waits until this has been printed, on the screen or above it.
    #[track_caller]
    pub(crate) fn printed(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let all = self.all();
            if all.contains(text) {
                return all;
            }
            assert!(begun.elapsed() < PATIENCE, "{text:?} was never printed:\n{all}");
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until that many requests have reached the server and the turn behind the last one is over. The picture
    /// stands still before a turn begins as well, so that rest alone does not tell that one has been.
    #[track_caller]
    pub(crate) fn asked(&self, server: &Server, times: usize) -> String {
        self.wait(&format!("request {times} never came"), |_| server.prompted().len() >= times);
        self.idle()
    }

    /// Waits until this stands behind the last of these lines.
    #[track_caller]
    pub(crate) fn answered(&self, line: &str, text: &str) {
        let begun = Instant::now();
        loop {
            let all = self.all();
            if all.rsplit_once(line).is_some_and(|(_, behind)| behind.contains(text)) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{text:?} never stood behind {line:?}:\n{all}");
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until the session waits for the user, with nothing left to draw.
    #[track_caller]
    pub(crate) fn idle(&self) -> String {
        let mut before = String::new();
        self.wait("the session never came to rest", |screen| {
            let rests = !screen.contains("esc stops")
                && !screen.contains("esc keeps")
                && screen == before
                && !screen.is_empty();
            screen.clone_into(&mut before);
            rests
        })
    }

    /// Waits for the end of the program, and gives the code that it ended with.
    #[track_caller]
    pub(crate) fn ended(&self) -> i32 {
        let all = self.printed(ENDED);
        let rest = all.rsplit_once(ENDED).unwrap().1;
        rest.split(']').next().unwrap().trim().parse().unwrap()
    }

    /// The title that the program has given its window.
    pub(crate) fn title(&self) -> String {
        let title = self.tmux(&["display-message", "-p", "#{pane_title}"]);
        String::from_utf8(title.stdout).unwrap().trim().to_owned()
    }

    /// What programs have set that outlives them: cursor, other screen, mouse, keypad.
    pub(crate) fn modes(&self) -> String {
        let flags = "#{cursor_flag} #{alternate_on} #{mouse_any_flag} #{keypad_flag} #{keypad_cursor_flag}";
        String::from_utf8(self.tmux(&["display-message", "-p", flags]).stdout).unwrap().trim().to_owned()
    }

    /// What programs have put into the clipboard.
    pub(crate) fn clipboard(&self) -> String {
        String::from_utf8(self.tmux(&["list-buffers"]).stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// The process of the binary.
    pub(crate) fn pid(&self) -> i32 {
        let pane = String::from_utf8(self.tmux(&["list-panes", "-F", "#{pane_pid}"]).stdout).unwrap();
        let children = format!("/proc/{0}/task/{0}/children", pane.trim());
        let children = std::fs::read_to_string(Path::new(&children)).unwrap();
        children.split_whitespace().next().unwrap().parse().unwrap()
    }

    #[track_caller]
    fn wait(&self, what: &str, mut good: impl FnMut(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if good(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "{what}:\n{screen}");
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.command().arg("kill-server").output();
    }
}
