//! Drives the screen on the terminal. It is drawn only after something has happened.

mod announcer;
mod lending;
mod settling;

use std::time::{Duration, Instant};

use base64::Engine as _;
use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyModifiers};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::ground_query::{self, Asked};
use crate::keyboard::latin_key;
use crate::options::Options;
use crate::painter::Painter;
use crate::port::{Act, Show};
use crate::replies::{KeyOrReply, Replies};
use crate::screen::Screen;
use crate::terminal::Terminal;
use announcer::Announcer;
use settling::Settling;

/// Time between two frames while text streams.
const FRAME: Duration = Duration::from_millis(33);
/// Time between two steps of the spinner.
const TICK: Duration = Duration::from_millis(120);
/// Minimum time between two [`Act::Typing`].
const TYPING: Duration = Duration::from_secs(1);
/// Maximum messages that are handled before a frame is drawn.
const MAX_BATCH: usize = 2_000;

/// The screen failed.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// Reading or writing the terminal failed.
    #[error("could not use the terminal")]
    Terminal(#[source] std::io::Error),
}

/// Shows the session on the terminal until [`Show::End`], or until the sender of `shows` is dropped. Returns the inputs that were
/// queued and not sent, oldest first.
///
/// # Errors
/// [`ScreenError::Terminal`] when standard input or output is not a terminal, or when it is closed. [`Act::Quit`] is sent
/// first.
pub async fn run(
    shows: UnboundedReceiver<Show>,
    acts: UnboundedSender<Act>,
    options: Options,
) -> Result<Vec<String>, ScreenError> {
    let session = acts.clone();
    let result = Driver::start(acts, &options).map_err(ScreenError::Terminal);
    let result = match result {
        Ok(mut driver) => {
            driver.screen.add_history(options.history);
            let driven = driver.drive(shows, options.first).await;
            driven.map(|()| driver.screen.unsent()).map_err(ScreenError::Terminal)
        }
        Err(error) => Err(error),
    };
    if result.is_err() {
        // If the session has ended, the channel is closed.
        let _ = session.send(Act::Quit);
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
    announcer: Announcer,
    settling: Settling,
    /// When the session learned last that the user types.
    typing: Option<Instant>,
    /// Keys that were pressed while the terminal was asked.
    early: Vec<KeyEvent>,
}

/// What the driver handles next.
enum NextEvent {
    Show(Option<Box<Show>>),
    Key(Option<std::io::Result<Event>>),
    Time,
}

impl Driver {
    fn start(acts: UnboundedSender<Act>, options: &Options) -> std::io::Result<Self> {
        let terminal = Terminal::take(options.rich)?;
        let Asked { ground, typed: early } = match options.asks_for_ground() {
            true => ground_query::ask(&terminal)?,
            false => Asked::default(),
        };
        let announcer = Announcer::start(options, &terminal)?;
        let (columns, rows) = Terminal::size();
        let mut screen = Screen::new(columns, rows);
        if options.ascii {
            screen.use_ascii();
        }
        screen.set_status_parts(options.status_line.clone());
        Ok(Self {
            screen,
            painter: Painter::new(options.palette(ground)),
            terminal,
            replies: Replies::default(),
            acts,
            columns,
            announcer,
            settling: Settling::default(),
            typing: None,
            early,
        })
    }

    async fn drive(
        &mut self,
        mut shows: UnboundedReceiver<Show>,
        first: Option<String>,
    ) -> std::io::Result<()> {
        let mut keys = EventStream::new();
        self.begin(first);
        self.paint()?;
        let mut painted = Instant::now();
        // When the next frame is due; `None` until something happens.
        let mut due: Option<Instant> = None;
        loop {
            let tick = self.screen.ticks().then(|| painted + TICK);
            let wake = [due, tick].into_iter().flatten().min();
            let wake = wake.max(wake.and(self.settling.until(Instant::now())));
            let next = tokio::select! {
                biased;
                key = keys.next() => NextEvent::Key(key),
                show = shows.recv() => NextEvent::Show(show.map(Box::new)),
                () = sleep_until(wake) => NextEvent::Time,
            };
            match next {
                NextEvent::Key(Some(Ok(event))) => {
                    if is_suspend(&event) {
                        drop(keys);
                        self.suspend()?;
                        keys = EventStream::new();
                    } else {
                        self.event(event);
                    }
                    due = Some(Instant::now());
                }
                NextEvent::Key(Some(Err(error))) => return Err(error),
                NextEvent::Key(None) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                NextEvent::Show(None) => return self.end(),
                NextEvent::Show(Some(show)) => {
                    keys = self.receive(*show, &mut shows, keys).await?;
                    due = due.or(Some(painted + FRAME));
                }
                NextEvent::Time => {
                    let now = Instant::now();
                    if self.screen.tick(now) {
                        due = Some(now);
                    }
                }
            }
            if self.screen.ended() || self.screen.abandoned() {
                return self.end();
            }
            let now = Instant::now();
            let ticked = self.screen.ticks() && now >= painted + TICK;
            let is_due = ticked || due.is_some_and(|due| now >= due);
            if is_due && self.settling.until(now).is_none() {
                self.paint()?;
                painted = now;
                due = None;
            }
        }
    }

    /// Queues the first message, and handles the keys that were pressed before the first frame.
    fn begin(&mut self, first: Option<String>) {
        if let Some(first) = first {
            let entered = self.screen.queue_first(&first);
            self.send(entered.into_iter().collect());
        }
        for key in std::mem::take(&mut self.early) {
            self.event(Event::Key(key));
        }
    }

    /// Handles a message of the session, and those that already wait, up to [`MAX_BATCH`]. Returns the key stream,
    /// which is closed while another program has the terminal.
    async fn receive(
        &mut self,
        first: Show,
        shows: &mut UnboundedReceiver<Show>,
        mut keys: EventStream,
    ) -> std::io::Result<EventStream> {
        let mut next = Some(first);
        let mut handled = 0;
        while let Some(show) = next.take() {
            if let Show::Lend { ready, back } = show {
                drop(keys);
                self.paint()?;
                self.lend(ready, back).await?;
                keys = EventStream::new();
            } else if let Show::Copy(text) = show {
                let encoded = base64::engine::general_purpose::STANDARD.encode(text);
                self.terminal.command(&format!("52;c;{encoded}"))?;
            } else {
                let acts = self.screen.show(show, Instant::now());
                self.send(acts);
            }
            handled += 1;
            if handled < MAX_BATCH && !self.screen.ended() {
                next = shows.try_recv().ok();
            }
        }
        Ok(keys)
    }

    fn event(&mut self, event: Event) {
        let now = Instant::now();
        match event {
            Event::Key(key) => match self.replies.key(key) {
                KeyOrReply::Keys(keys) => {
                    for key in keys {
                        let acts = self.screen.key(key, now);
                        self.send(acts);
                    }
                    self.types(now);
                }
                KeyOrReply::Reply(reply) => self.announcer.receive(&reply),
            },
            Event::Paste(text) => {
                let acts = self.screen.paste(&text, now);
                self.send(acts);
                self.types(now);
            }
            Event::Resize(columns, rows) => {
                self.resize(columns.into(), rows.into());
            }
            Event::FocusGained => self.announcer.set_focused(true),
            Event::FocusLost => self.announcer.set_focused(false),
            Event::Mouse(_) => {}
        }
    }

    fn resize(&mut self, columns: usize, rows: usize) {
        self.columns = columns.max(1);
        self.screen.resize(self.columns, rows);
        self.painter.resized(rows);
        self.settling.resized(Instant::now());
    }

    /// Tells the session that the user types.
    fn types(&mut self, now: Instant) {
        if self.typing.is_none_or(|before| now.saturating_duration_since(before) >= TYPING) {
            self.typing = Some(now);
            self.send(vec![Act::Typing]);
        }
    }

    fn send(&self, acts: Vec<Act>) {
        for act in acts {
            // If the session has ended, the other channel is closed too, which ends the screen.
            let _ = self.acts.send(act);
        }
    }

    fn paint(&mut self) -> std::io::Result<()> {
        // The event of a resize comes later than the resize. A picture that is too wide is cut by the terminal, and its rows would
        // be counted as if the terminal had broken them.
        let (columns, rows) = Terminal::size();
        if columns.max(1) != self.columns {
            self.resize(columns, rows);
        }
        let finished = self.screen.take_printed();
        let live = self.screen.draw(Instant::now());
        let bytes = self.painter.paint(&finished, &live, self.columns);
        if !bytes.is_empty() {
            self.terminal.write(&bytes)?;
        }
        self.screen.painted(Instant::now());
        self.settling.painted();
        self.announcer.announce(self.screen.title(), self.screen.program_state(), &self.terminal)
    }
}

fn is_suspend(event: &Event) -> bool {
    matches!(event, Event::Key(key) if latin_key(*key).code == KeyCode::Char('z')
        && key.modifiers.contains(KeyModifiers::CONTROL) && !key.is_release())
}

/// Waits until this time; for ever without one.
async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time.into()).await,
        None => std::future::pending().await,
    }
}
