//! What happens when a compaction was seen, and from time to time: the transcript is stored, and a context is made ready.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use throughline_config::workspace;
use throughline_continuity::ContextSource;
use throughline_conversation::context_to_paste;
use throughline_replay::read_session;
use throughline_stored::{Attempt as _, Storage};
use throughline_text::error_chain;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::agent::ForeignAgent;
use crate::compactions::compactions_after;
use crate::detector::ScreenSign;
use crate::events::{EventKind, WatchEvents};
use crate::failure::Result;
use crate::head::folder_of;
use crate::import::{ImportCause, import};
use crate::restored_text::{RestoredText, restored_text};
use crate::sessions::{session_folder, transcripts};
use crate::settings::WatchSettings;
use crate::transcripts::Transcript;

/// Maximum number of transcripts that are looked at for the one of this run.
const LOOKED_AT: usize = 50;

/// Why no context is typed although the program has compacted.
const AMBIGUOUS: &str = "several sessions of this folder were written since the program was started, so that no context is typed: it \
                         could be that of another one";

/// How long a compaction that was seen may take until the transcript has it.
const COMPACTING: Duration = Duration::from_secs(300);

/// How often the transcript is looked at meanwhile.
const AGAIN: Duration = Duration::from_secs(2);

/// What is known of a program whose screen is watched.
#[derive(Debug, Clone)]
pub struct Observed {
    /// The agent whose sessions it writes.
    pub agent: Option<ForeignAgent>,
    /// Its hooks restore contexts.
    pub hooked: bool,
    /// The settings.
    pub settings: WatchSettings,
    /// The data folder; `None`: the user's own.
    pub data_dir: Option<PathBuf>,
}

/// Stores the transcript that a program writes while it runs.
#[derive(Debug)]
pub struct Extraction {
    work: Work,
    hooked: bool,
    outcomes: UnboundedReceiver<Result<Extracted>>,
    sender: UnboundedSender<Result<Extracted>>,
    running: bool,
    last: Instant,
    /// Until when a compaction that was seen may still come into the transcript.
    seen_until: Option<Instant>,
    /// Compactions of this run that the transcript has.
    known: usize,
    context: Option<ReadyContext>,
    /// The context could be typed, but has to be made again first.
    remakes: bool,
    /// It is logged that the transcript of the run is not known.
    is_ambiguous: bool,
    events: WatchEvents,
}

/// A context that waits for an input field in which it can be typed.
#[derive(Debug)]
struct ReadyContext {
    text: String,
    transcript: PathBuf,
    /// The length of the transcript that it was made of.
    length: u64,
}

impl ReadyContext {
    /// Returns true if the agent has written more since: then the context would say what is no longer so.
    fn is_outdated(&self) -> bool {
        length(&self.transcript).is_some_and(|now| now != self.length)
    }
}

/// What an extraction needs.
#[derive(Debug, Clone)]
struct Work {
    agent: Option<ForeignAgent>,
    settings: WatchSettings,
    data_dir: Option<PathBuf>,
    since: SystemTime,
    /// The lengths of the transcripts before the run: what is after them was written by it.
    lengths: HashMap<PathBuf, u64>,
}

/// When an extraction makes the context: a model may be paid for it.
#[derive(Clone, Copy)]
enum ContextDue {
    /// In any case: one that was ready is outdated.
    Now,
    /// If the transcript has more compactions than these.
    AfterNewCompaction(usize),
}

/// Outcome of an extraction.
#[derive(Debug)]
struct Extracted {
    session: Option<String>,
    /// Compactions of this run.
    compactions: usize,
    /// The context; `None`: none was due.
    context: Option<ReadyContext>,
    /// Why the summary of a model is not in the context.
    problem: Option<String>,
    /// Several sessions of the folder were written: which is that of the run is not known.
    is_ambiguous: bool,
}

impl Extraction {
    /// Begins before the program starts: its transcripts are recognised by their time.
    ///
    /// # Errors
    /// The agent's transcripts cannot be listed, or the storage cannot be opened.
    pub async fn new(observed: Observed) -> Result<Self> {
        let Observed { agent, hooked, settings, data_dir } = observed;
        let agent = agent.filter(|agent| agent.has_files());
        let mut lengths = HashMap::new();
        if let Some(files) = agent.and_then(ForeignAgent::files) {
            for Transcript { path, .. } in transcripts()?.list(files)? {
                let length = length(&path).unwrap_or(0);
                lengths.insert(path, length);
            }
        }
        let events = WatchEvents::of(&Storage::open(data_dir.clone()).await?);
        let work = Work { agent, settings, data_dir, since: SystemTime::now(), lengths };
        let (sender, outcomes) = unbounded_channel();
        Ok(Self {
            work,
            hooked,
            outcomes,
            sender,
            running: false,
            last: Instant::now(),
            seen_until: None,
            known: 0,
            context: None,
            remakes: false,
            is_ambiguous: false,
            events,
        })
    }

    /// Logs what the screen tells. A compaction makes an extraction due.
    pub fn note(&mut self, sign: ScreenSign) {
        let agent = self.work.agent;
        match sign {
            ScreenSign::Compaction(pattern) => {
                self.seen_until = Some(Instant::now() + COMPACTING);
                self.events.add(agent, EventKind::Compaction, &pattern);
            }
            ScreenSign::UnknownWording(text) => self.events.add(agent, EventKind::UnknownWording, &text),
        }
    }

    /// Takes the outcome of an extraction that has ended, and starts one that is due.
    pub fn tick(&mut self) {
        while let Ok(outcome) = self.outcomes.try_recv() {
            self.running = false;
            self.take(outcome);
        }
        let past = self.last.elapsed();
        let awaited = self.seen_until.is_some_and(|until| Instant::now() < until) && past >= AGAIN;
        let scheduled =
            self.remakes && past >= AGAIN || self.work.settings.every.is_some_and(|every| past >= every);
        if (awaited || scheduled) && !self.running && self.work.agent.is_some() {
            let remakes = std::mem::take(&mut self.remakes);
            self.running = true;
            self.last = Instant::now();
            let (work, sender) = (self.work.clone(), self.sender.clone());
            let due = if remakes { ContextDue::Now } else { ContextDue::AfterNewCompaction(self.known) };
            // Nothing listens after the end of the program.
            tokio::spawn(async move { sender.send(work.extract(due).await) });
        }
    }

    /// The context that is to be typed now, if one is ready. One that is outdated is made again first, and only now: each may
    /// cost a model's summary.
    pub fn take_context(&mut self) -> Option<String> {
        if self.context.as_ref()?.is_outdated() {
            self.remakes = !self.running;
            return None;
        }
        let context = self.context.take()?;
        self.events.add(self.work.agent, EventKind::ContextTyped, "");
        Some(context_to_paste(&context.text))
    }

    /// Stores what was written last. Returns what went wrong in the log of events.
    pub async fn finish(mut self) -> Option<String> {
        if self.work.agent.is_some() {
            let outcome = self.work.extract(ContextDue::AfterNewCompaction(self.known)).await;
            self.take(outcome);
        }
        self.events.problem().map(str::to_owned)
    }

    fn take(&mut self, outcome: Result<Extracted>) {
        let Extracted { session, compactions, context, problem, is_ambiguous } = match outcome {
            Ok(extracted) => extracted,
            Err(error) => {
                self.events.add(self.work.agent, EventKind::Failed, &error_chain(&error));
                return;
            }
        };
        if let Some(session) = session {
            self.events.add(self.work.agent, EventKind::Stored, &session);
        }
        if let Some(problem) = problem {
            self.events.add(self.work.agent, EventKind::Failed, &problem);
        }
        if is_ambiguous && !std::mem::replace(&mut self.is_ambiguous, true) {
            self.events.add(self.work.agent, EventKind::Failed, AMBIGUOUS);
        }
        if is_ambiguous {
            self.context = None;
        } else if self.context.is_some() && context.is_some() {
            self.context = context;
        } else if compactions > self.known {
            let settings = &self.work.settings;
            // Only a transcript proves a compaction: anything may be shown on a screen.
            if !self.hooked && settings.paste && settings.after_compaction {
                self.context = context;
            }
        }
        if compactions > self.known {
            self.known = compactions;
            self.seen_until = None;
        }
    }
}

impl Work {
    /// Stores the transcript of this run, and makes its context if one is due.
    async fn extract(&self, due: ContextDue) -> Result<Extracted> {
        let none =
            Extracted { session: None, compactions: 0, context: None, problem: None, is_ambiguous: false };
        let Some((agent, transcript, is_ambiguous)) = self.transcript()? else { return Ok(none) };
        let none = Extracted { is_ambiguous, ..none };
        // Before it is read: what is written meanwhile may not be in the context.
        let length = length(&transcript.path).unwrap_or(0);
        let recorded = read_session(&transcript.path)?;
        let cannot = || format!("cannot read {}", transcript.path.display());
        let folder = folder_of(&transcript.path).attempt(cannot)?;
        let storage = Storage::open(self.data_dir.clone()).await?;
        let folder = session_folder(folder)?;
        let imported = import(&storage, agent.into(), &recorded, &folder, ImportCause::Watched).await?;
        let Some(imported) = imported else { return Ok(none) };
        let before = self.lengths.get(&transcript.path).copied().unwrap_or(0);
        let compactions = compactions_after(agent, &transcript.path, before).attempt(cannot)?.len();
        let session = (imported.added > 0).then(|| imported.session.to_string());
        if is_ambiguous {
            return Ok(Extracted { session, ..none });
        }
        if matches!(due, ContextDue::AfterNewCompaction(known) if compactions <= known) {
            return Ok(Extracted { session, compactions, ..none });
        }
        let source = ContextSource::Compaction;
        let restored = restored_text(&storage, &imported.session, source, agent, &self.settings).await?;
        let RestoredText { text, problem } = restored;
        let context = Some(ReadyContext { text, transcript: transcript.path, length });
        Ok(Extracted { session, compactions, context, problem, is_ambiguous })
    }

    /// The transcript that this run writes: the newest one of the folder that is new or has grown since. True: another one has, too.
    fn transcript(&self) -> Result<Option<(ForeignAgent, Transcript, bool)>> {
        let Some(agent) = self.agent else { return Ok(None) };
        let Some(files) = agent.files() else { return Ok(None) };
        let here = workspace(None)?;
        let newest = transcripts()?.list(files)?.into_iter().take(LOOKED_AT);
        let has_grown = |transcript: &Transcript| {
            let before = self.lengths.get(&transcript.path);
            transcript.modified >= self.since
                && before.is_none_or(|before| length(&transcript.path).is_some_and(|now| now > *before))
        };
        let of_folder = |transcript: &Transcript| {
            folder_of(&transcript.path).ok().flatten().is_some_and(|folder| folder == here)
        };
        let mut written = newest.filter(has_grown).filter(of_folder);
        let found = written.next();
        Ok(found.map(|transcript| (agent, transcript, written.next().is_some())))
    }
}

/// The length of a file. `None`: it is not known.
fn length(path: &Path) -> Option<u64> {
    path.metadata().ok().map(|metadata| metadata.len())
}
