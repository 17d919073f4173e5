//! Records the screens of a session, and which of them were shown during a compaction.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use throughline_testserver::Answer;

use crate::stage::Stage;
use crate::tmux::Tmux;

/// Time between two screens.
const PAUSE: Duration = Duration::from_millis(150);

/// How long the user reads between two messages.
const READS: Duration = Duration::from_secs(4);

/// Compactions of a recorded session.
pub(crate) const ROUNDS: usize = 3;

/// What the model says in each round: words that are near a compaction and tell of none.
const SAID: [&str; ROUNDS] = [
    "There are two lines. The format is compact, and the context of the second one is the first.",
    "Compaction of the log is another matter: `compact(context)` drops what is old. Compressing it saves 40 %.",
    "1. Read the history.\n2. Summarize it.\n3. Nothing was compacted, nothing is full.\nThe window stays open.",
];

struct Frame {
    at: Duration,
    compacting: bool,
    screen: String,
}

/// The screens of a terminal so far.
struct Screens {
    begun: Instant,
    frames: Mutex<Vec<Frame>>,
    compacting: AtomicBool,
    over: AtomicBool,
}

impl Screens {
    /// Does what compacts the session.
    fn compacts(&self, compacts: impl FnOnce()) {
        self.compacting.store(true, Ordering::Relaxed);
        compacts();
        self.compacting.store(false, Ordering::Relaxed);
    }

    /// Takes a screen whenever another one is shown.
    fn watch(&self, terminal: &Tmux) {
        while !self.over.load(Ordering::Relaxed) {
            let compacting = self.compacting.load(Ordering::Relaxed);
            let (at, screen) = (self.begun.elapsed(), terminal.screen());
            let mut frames = self.frames.lock().unwrap();
            let is_new =
                frames.last().is_none_or(|last| last.screen != screen || last.compacting != compacting);
            // What was shown while one began or ended belongs to neither.
            if is_new && compacting == self.compacting.load(Ordering::Relaxed) {
                frames.push(Frame { at, compacting, screen });
            }
            drop(frames);
            std::thread::sleep(PAUSE);
        }
    }

    /// The screens: of each its time in milliseconds, and the rows that are other ones than before.
    fn text(&self) -> String {
        let (mut text, mut before) = (String::new(), Vec::new());
        for frame in &*self.frames.lock().unwrap() {
            let state = if frame.compacting { "compacting" } else { "working" };
            writeln!(text, "@{} {state}", frame.at.as_millis()).unwrap();
            let rows: Vec<&str> = frame.screen.lines().map(str::trim_end).collect();
            before.resize(rows.len().max(before.len()), "");
            for (number, old) in before.iter_mut().enumerate() {
                let new = rows.get(number).copied().unwrap_or_default();
                if *old != new {
                    writeln!(text, "{number}|{new}").unwrap();
                    *old = new;
                }
            }
        }
        text
    }
}

/// Ends the recording, also when a test fails.
struct Ends<'s>(&'s Screens);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// Records what a terminal shows meanwhile.
fn recorded(stage: &Stage, terminal: &Tmux, name: &str, drive: impl FnOnce(&Screens)) {
    let screens = Screens {
        begun: Instant::now(),
        frames: Mutex::default(),
        compacting: AtomicBool::new(false),
        over: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| screens.watch(terminal));
        let _ends = Ends(&screens);
        drive(&screens);
    });
    stage.record(name, &screens.text());
}

/// What an agent does in a round, by its number from 1.
pub(crate) struct Round<'a> {
    /// The call with which the model counts the lines of `a.txt`.
    pub(crate) call: &'a dyn Fn(usize) -> Answer,
    /// Sends a message.
    pub(crate) ask: &'a dyn Fn(&str),
    /// Compacts the session, and waits for that.
    pub(crate) compact: &'a dyn Fn(usize),
}

/// Records a session with a compaction after each answer.
pub(crate) fn record_rounds(stage: &Stage, terminal: &Tmux, name: &str, does: &Round<'_>) {
    recorded(stage, terminal, name, |screens| {
        for (said, round) in SAID.into_iter().zip(1..) {
            stage.server.push((does.call)(round));
            stage.server.push(Answer::text(said));
            (does.ask)("Count the lines of a.txt.");
            terminal.shows(&said[said.len() - 12..]);
            terminal.idle();
            screens.compacts(|| (does.compact)(round));
            terminal.idle();
            std::thread::sleep(READS);
        }
    });
}
