//! What can go wrong, one variant for each decision of a caller.

use std::error::Error as StdError;

use throughline_agent::{ChangeError, StartError, TurnError};
use throughline_continuity::{DirectoryError, LogError};
use throughline_conversation::SessionId;
use throughline_groups::GroupError;
use throughline_memory::{MemoId, MemoryError, NoteError};
use throughline_permission::RuleError;
use throughline_resultstore::StoreError;
use throughline_settings::SettingsError;
use throughline_store::{DataDirError, DatabaseError, EncryptionError, LockError, OpenError};
use throughline_tools::RegistryError;

use throughline_config::ConfigError;
use throughline_connect::ConnectError;

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why the library did not do what was asked. The chain of sources says what happened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for contradicts itself, or names something that does not exist. The text says what would be right.
    #[error("{0}")]
    Usage(String),
    /// What was asked for is well formed and does not exist.
    #[error("{0}")]
    Missing(String),
    /// What was asked for is not possible as things are. Nothing has changed.
    #[error("{0}")]
    Refused(String),
    /// Another process has the session open. Close it there, or fork the session.
    #[error("{held}")]
    Busy {
        /// The session.
        session: SessionId,
        /// Who has it.
        held: LockError,
    },
    /// No model can be asked.
    #[error(transparent)]
    Model(#[from] ConnectError),
    /// A setting cannot be used. The text has its place.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A turn failed.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The agent cannot start in this session.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A change of the session was refused or failed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The session's log failed.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The list of sessions failed.
    #[error(transparent)]
    Sessions(#[from] DirectoryError),
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// A lock file cannot be used, or another process holds it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A tool cannot be registered, for example because its name is taken.
    #[error(transparent)]
    Tool(#[from] RegistryError),
    /// The named memo is about a folder that is not in scope.
    #[error("memo {memo} is about another folder: {folder}")]
    MemoElsewhere {
        /// Its id.
        memo: MemoId,
        /// The folder.
        folder: String,
    },
    /// An operation failed; the source says why.
    #[error("{attempt}")]
    Failed {
        /// What was attempted.
        attempt: String,
        /// Why it failed.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// Anything else.
    #[error(transparent)]
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// [`Error::Usage`] with this text.
    #[must_use]
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// Returns true if the data folder could not be opened because it cannot be written.
    pub(crate) fn is_unwritable_storage(&self) -> bool {
        match self {
            Self::Database(error) => error.is_unwritable(),
            Self::Other(error) => error.is::<DataDirError>(),
            _ => false,
        }
    }

    /// Returns true if the session does not allow what was asked for now, or another process has it open. Nothing has changed
    /// then.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Busy { .. } | Self::Change(ChangeError::Group(_)) => true,
            Self::Lock(LockError::Held { .. }) => true,
            Self::Other(error) => error.is::<GroupError>(),
            _ => false,
        }
    }

    /// Returns true if a setting, a rule or a folder that the user names cannot be used. The text has its place.
    #[must_use]
    pub fn is_wrong_setting(&self) -> bool {
        match self {
            Self::Settings(_) => true,
            Self::Failed { source, .. } => source.is::<RuleError>(),
            Self::Other(error) => error.downcast_ref().is_some_and(ConfigError::is_wrong_usage),
            _ => false,
        }
    }

    /// [`Error::Missing`] with this text.
    #[must_use]
    pub fn missing(text: impl Into<String>) -> Self {
        Self::Missing(text.into())
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Settings(error) => Self::Settings(error),
            ConfigError::Usage(text) => Self::Usage(text),
            ConfigError::Refused(text) => Self::Refused(text),
            ConfigError::Failed { attempt, source } => Self::Failed { attempt, source },
            error => Self::Other(error.into()),
        }
    }
}

/// Errors that no caller treats apart.
macro_rules! other {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Other(error.into())
            }
        }
    )+};
}

other!(
    DataDirError,
    DatabaseError,
    EncryptionError,
    GroupError,
    MemoryError,
    NoteError,
    StoreError,
    serde_json::Error
);

/// Adds what was attempted to an error.
pub trait Attempt<T> {
    /// The error says what was attempted, and has the old one as its source.
    ///
    /// # Errors
    /// [`Error::Failed`], if this is an error.
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Attempt<T> for std::result::Result<T, E> {
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Failed { attempt: text(), source: error.into() })
    }
}
