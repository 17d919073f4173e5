//! The screen on the real terminal: it is drawn when something happened, and never when nothing did.

use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream, KeyCode, KeyModifiers};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::keyboard::by_place;
use crate::options::{Options, StatusProtocol};
use crate::painter::Painter;
use crate::port::{Act, Show};
use crate::program_status::{ProgramState, QUERY};
use crate::replies::{Read, Replies};
use crate::screen::Screen;
use crate::terminal::Terminal;

/// Time between two pictures while text streams in.
const FRAME: Duration = Duration::from_millis(33);
/// Time between two steps of the turning mark.
const TICK: Duration = Duration::from_millis(120);
/// Things that are taken in before a picture is drawn.
const AT_ONCE: usize = 2_000;

/// The screen could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// The terminal cannot be used as one.
    #[error("could not use the terminal")]
    Terminal(#[source] std::io::Error),
}

/// Shows the session on the terminal until [`Show::End`], or until nobody tells anything any more.
///
/// # Errors
/// [`ScreenError::Terminal`]: the terminal is gone or is none. The session is told to quit before.
pub async fn run(
    shows: UnboundedReceiver<Show>,
    acts: UnboundedSender<Act>,
    options: Options,
) -> Result<(), ScreenError> {
    let told = acts.clone();
    let result = Driver::begin(acts, &options).map_err(ScreenError::Terminal);
    let result = match result {
        Ok(mut driver) => driver.go(shows, options.first).await.map_err(ScreenError::Terminal),
        Err(error) => Err(error),
    };
    if result.is_err() {
        // A session that is gone has quit already.
        let _ = told.send(Act::Quit);
    }
    result
}

struct Driver {
    screen: Screen,
    painter: Painter,
    terminal: Terminal,
    replies: Replies,
    acts: UnboundedSender<Act>,
    columns: usize,
    status: StatusProtocol,
    told: Option<ProgramState>,
    title: String,
}

/// What the next thing is.
enum Next {
    Show(Option<Show>),
    Key(Option<std::io::Result<Event>>),
    Time,
}

impl Driver {
    fn begin(acts: UnboundedSender<Act>, options: &Options) -> std::io::Result<Self> {
        let terminal = Terminal::take(options.rich)?;
        if options.status == StatusProtocol::Ask {
            terminal.command(QUERY)?;
        }
        let (columns, rows) = Terminal::size();
        Ok(Self {
            screen: Screen::new(columns, rows),
            painter: Painter::new(options.colours),
            terminal,
            replies: Replies::default(),
            acts,
            columns,
            status: options.status,
            told: None,
            title: String::new(),
        })
    }

    async fn go(&mut self, mut shows: UnboundedReceiver<Show>, first: Option<String>) -> std::io::Result<()> {
        let mut keys = EventStream::new();
        if let Some(first) = first {
            let acts = self.screen.submit(first);
            self.tell(acts);
        }
        self.paint()?;
        let mut painted = Instant::now();
        // When the next picture is due; `None`: when something happens.
        let mut due: Option<Instant> = None;
        loop {
            let tick = self.screen.ticks().then(|| painted + TICK);
            let wake = [due, tick].into_iter().flatten().min();
            let next = tokio::select! {
                biased;
                key = keys.next() => Next::Key(key),
                show = shows.recv() => Next::Show(show),
                () = sleep_until(wake) => Next::Time,
            };
            match next {
                Next::Key(Some(Ok(event))) => {
                    if is_suspend(&event) {
                        drop(keys);
                        self.suspend()?;
                        keys = EventStream::new();
                    } else {
                        self.event(event);
                    }
                    due = Some(Instant::now());
                }
                Next::Key(Some(Err(error))) => return Err(error),
                Next::Key(None) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                Next::Show(None) => return self.end(),
                Next::Show(Some(show)) => {
                    let mut show = Some(show);
                    let mut taken = 0;
                    while let Some(one) = show.take() {
                        if let Show::Lend { ready, back } = one {
                            drop(keys);
                            self.paint()?;
                            self.lend(ready, back).await?;
                            keys = EventStream::new();
                        } else {
                            let acts = self.screen.show(one, Instant::now());
                            self.tell(acts);
                        }
                        taken += 1;
                        if taken < AT_ONCE && !self.screen.ended() {
                            show = shows.try_recv().ok();
                        }
                    }
                    due = due.or(Some(painted + FRAME));
                }
                Next::Time => self.screen.tick(),
            }
            if self.screen.ended() || self.screen.abandoned() {
                return self.end();
            }
            let now = Instant::now();
            let ticked = self.screen.ticks() && now >= painted + TICK;
            if ticked || due.is_some_and(|due| now >= due) {
                self.paint()?;
                painted = now;
                due = None;
            }
        }
    }

    fn event(&mut self, event: Event) {
        let now = Instant::now();
        match event {
            Event::Key(key) => match self.replies.key(key) {
                Read::Keys(keys) => {
                    for key in keys {
                        let acts = self.screen.key(key, now);
                        self.tell(acts);
                    }
                }
                Read::Reply(reply) => {
                    if self.status == StatusProtocol::Ask && reply.contains("states=") {
                        self.status = StatusProtocol::Always;
                    }
                }
            },
            Event::Paste(text) => {
                let acts = self.screen.paste(&text, now);
                self.tell(acts);
            }
            Event::Resize(columns, rows) => {
                self.columns = usize::from(columns).max(1);
                self.screen.resize(self.columns, rows.into());
                self.painter.resized();
            }
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) => {}
        }
    }

    fn tell(&self, acts: Vec<Act>) {
        for act in acts {
            // A session that is gone closes the other channel, too, which ends the screen.
            let _ = self.acts.send(act);
        }
    }

    fn paint(&mut self) -> std::io::Result<()> {
        let finished = self.screen.printed();
        let live = self.screen.draw(Instant::now());
        let bytes = self.painter.paint(&finished, &live, self.columns);
        if !bytes.is_empty() {
            self.terminal.write(&bytes)?;
        }
        self.screen.painted(Instant::now());
        let title = self.screen.title();
        if title != self.title {
            self.terminal.command(&format!("0;{title}"))?;
            self.title = title;
        }
        let state = self.screen.program_state();
        if self.status == StatusProtocol::Always && self.told != Some(state) {
            self.terminal.command(&state.told())?;
            self.told = Some(state);
        }
        Ok(())
    }

    /// Takes the live part away; what is finished stays.
    fn clear(&mut self) -> std::io::Result<()> {
        self.paint()?;
        let bytes = self.painter.clear(self.columns);
        self.terminal.write(&bytes)
    }

    fn end(&mut self) -> std::io::Result<()> {
        self.clear()?;
        if self.status == StatusProtocol::Always {
            self.terminal.command(&ProgramState::Idle.told())?;
        }
        Ok(())
    }

    async fn lend(
        &mut self,
        ready: tokio::sync::oneshot::Sender<()>,
        back: tokio::sync::oneshot::Receiver<()>,
    ) -> std::io::Result<()> {
        self.clear()?;
        self.terminal.pause()?;
        // Whoever does not want it any more, and whoever is gone, has given it back.
        if ready.send(()).is_ok() {
            let _ = back.await;
        }
        self.again()
    }

    fn again(&mut self) -> std::io::Result<()> {
        self.terminal.resume()?;
        let (columns, rows) = Terminal::size();
        self.columns = columns;
        self.screen.resize(columns, rows);
        self.title.clear();
        Ok(())
    }

    /// Stops the program as the shell's Ctrl+Z does, until it is brought back.
    fn suspend(&mut self) -> std::io::Result<()> {
        self.clear()?;
        self.terminal.pause()?;
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.again()
    }
}

fn is_suspend(event: &Event) -> bool {
    matches!(event, Event::Key(key) if by_place(*key).code == KeyCode::Char('z')
        && key.modifiers.contains(KeyModifiers::CONTROL) && !key.is_release())
}

/// Waits until then; without a time for ever.
async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time.into()).await,
        None => std::future::pending().await,
    }
}
