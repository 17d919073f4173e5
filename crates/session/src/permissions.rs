//! Which calls of the model may run, by the settings and the rules that the user saved.

mod rule_file;

use std::path::Path;
use std::sync::Arc;

use throughline_permission::{Commands, Mode, Permissions};
use throughline_settings::keys;
use throughline_tools::ReadGrants;

use crate::tools::{is_home, is_sandboxed, writable};
use throughline_config::{Config, Trust, rules};
use throughline_stored::Result;

pub use rule_file::RuleFile;

/// Who answers questions about permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attendance {
    /// A person who is asked.
    Attended,
    /// Nothing can be asked, so what would be asked is denied.
    Unattended,
}

impl Attendance {
    /// Returns true if a person is asked.
    #[must_use]
    pub fn is_attended(self) -> bool {
        self == Self::Attended
    }
}

/// The permissions by the settings, with the rules that the user saved for this workspace.
///
/// # Errors
/// A rule that cannot be used, with its place.
pub async fn permissions(
    config: &Config,
    data: &Path,
    workspace: &Path,
    attendance: Attendance,
) -> Result<Permissions> {
    let set = &config.resolved;
    let rules = rules(set)?;
    let default = if attendance == Attendance::Attended { Mode::Ask } else { Mode::AutoEdit };
    let mode = set.get(keys::MODE).and_then(|name| Mode::named(&name)).unwrap_or(default);
    // A mode that asks about commands asks about sandboxed ones too, unless the settings free them by name.
    let by_mode = attendance == Attendance::Unattended && mode >= Mode::AutoEdit;
    // What a command of a trusted project can do without the network stays in the project.
    let workspace_is_trusted = config.trust == Trust::Trusted;
    let contained = workspace_is_trusted && set.get(keys::NETWORK) == Some(false);
    let chosen = set.get(keys::SANDBOXED_COMMANDS);
    let free = chosen.as_deref().map_or(by_mode || contained, |word| word == "allow");
    let sandboxed = is_sandboxed(config) && !is_home(config, workspace);
    let reading = attendance.is_attended() && chosen.as_deref() != Some("ask");
    let commands =
        Commands { sandboxed, sandboxed_are_free: free, reading_is_free: reading, workspace_is_trusted };
    let mut permissions =
        Permissions::new(mode, rules, workspace).commands(commands).editing(writable(config));
    if attendance.is_attended() {
        permissions = permissions.asking_to_read(ReadGrants::default());
    }
    Ok(permissions.remembering(Arc::new(RuleFile::new(data, workspace))).await)
}
