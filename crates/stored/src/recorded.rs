//! The policy and the model that a session was recorded with.

use throughline_continuity::LogError;
use throughline_conversation::{ModelRecord, PolicyRecord, RecordBody, SessionId};

use crate::error::Result;
use crate::session_start::SessionStart;
use crate::storage::Storage;
use throughline_config::SessionSettings;

/// The settings for a session. An existing one, or a copy of it, continues with the policy that its log records,
/// unless a command line flag names another; opening the session then records the switch.
///
/// # Errors
/// The log cannot be read.
pub async fn settings_for(
    storage: &Storage,
    own: &SessionSettings,
    start: &SessionStart,
) -> Result<SessionSettings> {
    match start {
        SessionStart::New => Ok(own.clone()),
        SessionStart::Existing(session) | SessionStart::Fork(session) => {
            Ok(own.continuing(recorded_policy(storage, session).await?.as_ref()))
        }
    }
}

/// The model that answered last in the session, or in the one that is copied, with how much it was asked to think; `None` for a
/// new session, or one whose log has no readable record of it.
///
/// # Errors
/// The log cannot be read.
pub async fn recorded_model(storage: &Storage, start: &SessionStart) -> Result<Option<ModelRecord>> {
    let (SessionStart::Existing(session) | SessionStart::Fork(session)) = start else { return Ok(None) };
    match storage.log().newest(session, "model").await {
        Ok(record) => Ok(record.and_then(|record| match record.body {
            RecordBody::Model(model) => Some(model),
            _ => None,
        })),
        Err(LogError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The policy that a log recorded last; `None` for a log that has none, or a damaged record of it.
///
/// # Errors
/// The log cannot be read.
pub async fn recorded_policy(storage: &Storage, session: &SessionId) -> Result<Option<PolicyRecord>> {
    match storage.log().newest(session, "policy").await {
        Ok(record) => Ok(record.and_then(|record| match record.body {
            RecordBody::Policy(policy) => Some(policy),
            _ => None,
        })),
        Err(LogError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
