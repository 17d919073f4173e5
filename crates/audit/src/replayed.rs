//! Recorded sessions, replayed under one policy.

mod wires;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use throughline_continuity::SessionInfo;
use throughline_conversation::SessionId;
use throughline_policies::{Economy, Estimator, Policy, SummaryStyle};
use throughline_replay::{
    PeerOptions, PeerReport, RecordedSession, ReplayOptions, SessionReport, Stores, TokenScale, WireCheck,
    read_session, replay, replay_peers,
};
use throughline_stored::{Attempt as _, Error, Result, Storage, now};

use wires::BothWires;

/// How recordings are replayed.
#[derive(Debug, Clone, Copy)]
pub struct ReplayChoice {
    /// The context window in tokens.
    pub window: u64,
    /// Tokens of it that are reserved for output.
    pub max_output: u64,
    /// The policy.
    pub policy: Policy,
    /// How soon it compacts for the price.
    pub economy: Economy,
    /// Who writes the summaries; `None`: as the policy does.
    pub summary: Option<SummaryStyle>,
    /// Counts tokens until the recording's own usage corrects it; `None`: the estimator of the policy.
    pub estimator: Option<Estimator>,
    /// What a token is.
    pub scale: TokenScale,
    /// Tokens of system prompt and tool schemas that a recording lacks.
    pub overhead: u64,
    /// Recorded times count: a prompt cache expires in a pause.
    pub clock: bool,
    /// Also simulate the policies of other agents.
    pub peers: bool,
}

/// The outcome of one recording.
#[derive(Debug)]
pub struct Replayed {
    /// What the engine did, and what it cost.
    pub report: SessionReport,
    /// What peers did.
    pub peers: Vec<PeerReport>,
    /// What the recording lacks.
    pub warnings: Vec<String>,
}

/// Replays recordings into stored sessions, and validates each request in the wire formats of two providers.
#[derive(Debug)]
pub struct Replayer {
    choice: ReplayChoice,
    data: Storage,
    wires: Arc<BothWires>,
    /// The data folder, if none was named.
    temporary: Option<TempDir>,
}

impl Replayer {
    /// Opens the storage of the replayed sessions; `None`: a temporary one.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn open(choice: ReplayChoice, folder: Option<PathBuf>) -> Result<Self> {
        let temporary = match folder {
            None => Some(
                tempfile::tempdir()
                    .attempt(|| "could not create a temporary folder for the replay's database".to_owned())?,
            ),
            Some(_) => None,
        };
        let folder = temporary.as_ref().map(|folder| folder.path().to_owned()).or(folder);
        let data = Storage::open(folder).await?;
        Ok(Self { choice, data, wires: Arc::default(), temporary })
    }

    /// Replays a recording.
    ///
    /// # Errors
    /// The file cannot be read, the engine failed, or no request was made.
    pub async fn replay(&self, file: &Path) -> Result<Replayed> {
        let session = Arc::new(read_session(file).map_err(|error| Error::Other(error.into()))?);
        let id = self.entry(&session, file).await?;
        let options = self.options(id);
        let cannot = || format!("could not replay {}", file.display());
        let report = replay(&session, &options).await.attempt(cannot)?;
        if report.requests == 0 {
            let why = report.first_failure.clone().unwrap_or_default();
            return Err(Error::Refused(format!("{}: {why}", cannot())));
        }
        let peers = if self.choice.peers { self.peers(&session) } else { Vec::new() };
        Ok(Replayed { report, peers, warnings: session.warnings.clone() })
    }

    /// SHA-256 of the bodies of all requests so far, as hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        self.wires.digest()
    }

    /// Closes the storage.
    ///
    /// # Errors
    /// What was written is not on disk.
    pub async fn close(self) -> Result<()> {
        let Self { data, temporary, .. } = self;
        data.store.close().await.map_err(|error| Error::Other(error.into()))?;
        drop(temporary);
        Ok(())
    }

    /// Creates the session of a recording.
    async fn entry(&self, session: &RecordedSession, file: &Path) -> Result<SessionId> {
        let id = self.free_name(&session.id).await?;
        let info = SessionInfo {
            id: id.clone(),
            title: format!("replay of {}", session.id),
            workspace: file.display().to_string(),
            model: session.model.clone().unwrap_or_else(|| "recorded".to_owned()),
            created: now(),
        };
        self.data.create_session(&info).await?;
        Ok(id)
    }

    fn estimator(&self) -> Estimator {
        self.choice.estimator.or_else(|| self.choice.policy.estimator()).unwrap_or_default()
    }

    fn options(&self, session: SessionId) -> ReplayOptions {
        let ReplayChoice { window, max_output, policy, economy, scale, overhead, clock, .. } = self.choice;
        let estimator = self.estimator();
        let mut settings = policy.settings_with(economy, window, max_output);
        if let Some(style) = self.choice.summary {
            settings.compaction = style.apply(policy, settings.compaction);
        }
        ReplayOptions {
            window,
            settings,
            policy: policy.name_with(economy),
            counter: estimator.counter(),
            scale,
            estimator: estimator.name().to_owned(),
            overhead,
            check: Some(Arc::clone(&self.wires) as Arc<dyn WireCheck>),
            clock,
            stores: Stores {
                log: self.data.log(),
                snapshots: self.data.snapshots(),
                results: self.data.results(),
            },
            session: Some(session),
        }
    }

    fn peers(&self, session: &Arc<RecordedSession>) -> Vec<PeerReport> {
        let ReplayChoice { window, max_output, scale, overhead, clock, .. } = self.choice;
        let counter = self.estimator().counter();
        replay_peers(session, &PeerOptions { window, scale, max_output, overhead, counter, clock })
    }

    /// A free session id, made of the recording's own id. It contains no time: references to stored results depend on the id,
    /// and the same replay must have the same references.
    async fn free_name(&self, recording: &str) -> Result<SessionId> {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let base: String = recording.chars().take(40).map(plain).collect();
        let id = |text: String| SessionId::new(text).map_err(|error| Error::Other(error.into()));
        let mut name = id(format!("replay-{base}"))?;
        for number in 2_u64.. {
            if self.data.session_info(&name).await?.is_none() {
                break;
            }
            name = id(format!("replay-{base}-{number}"))?;
        }
        Ok(name)
    }
}
