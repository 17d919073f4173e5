//! Who a run works for.

use std::fmt;
use std::sync::Arc;

use throughline_mcp::ServerConfig;
use throughline_permission::Approver;

use crate::permissions::Attendance;
use crate::session::ToolObserver;

/// The user of a run, or the program that stands between.
pub struct RunUser<'a> {
    /// Answers what the permissions ask.
    pub approver: Arc<dyn Approver>,
    /// Whether a person answers. The mode is by the settings, else `ask` with a person and `auto-edit` without.
    pub attendance: Attendance,
    /// Wraps the tools, for example to observe their calls.
    pub observer: Option<ToolObserver<'a>>,
    /// MCP servers in addition to those of the settings.
    pub servers: Vec<ServerConfig>,
}

impl RunUser<'_> {
    /// A run without a person: this approver answers alone.
    #[must_use]
    pub fn unattended(approver: Arc<dyn Approver>) -> Self {
        Self { approver, attendance: Attendance::Unattended, observer: None, servers: Vec::new() }
    }
}

impl fmt::Debug for RunUser<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RunUser").field("attendance", &self.attendance).finish_non_exhaustive()
    }
}
