//! Wrong usage, which ends every command with the same exit code.

use throughline::Error;
use throughline_commands::UsageError;
use throughline_config::ConfigError;
use throughline_connect::ConnectError;
use throughline_server::{ServerError, TlsError};
use throughline_settings::SettingsError;
use throughline_watch::WatchError;

/// The exit code of wrong usage, also that of clap.
pub(crate) const USAGE: u8 = 2;

/// Returns true if the user has to write something else: arguments or settings cannot be used.
pub(crate) fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<SettingsError>()
            || matches!(cause.downcast_ref(), Some(ServerError::NoPublicUrl { .. }))
            || cause.is::<TlsError>()
            || cause.downcast_ref().is_some_and(Error::is_wrong_setting)
            || matches!(cause.downcast_ref(), Some(WatchError::Usage(_)))
            || matches!(cause.downcast_ref(), Some(WatchError::Stored(Error::Settings(_))))
            || cause.downcast_ref().is_some_and(ConfigError::is_wrong_usage)
            || cause.downcast_ref().is_some_and(is_wrong_choice)
    })
}

/// Returns true if the choice of a model cannot be used, whatever the environment.
pub(crate) fn is_wrong_choice(error: &ConnectError) -> bool {
    matches!(error, ConnectError::Usage(_) | ConnectError::Header | ConnectError::Address { .. })
}

/// The error, as wrong usage if it is that.
pub(crate) fn as_usage(error: Error) -> anyhow::Error {
    match error {
        Error::Usage(text) => UsageError(text).into(),
        error => error.into(),
    }
}

/// The exit code of a failed command.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    if is_usage(error) { USAGE } else { 1 }
}
