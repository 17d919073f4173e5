//! The statements about leases.

pub(super) const TAKE: &str = include_str!("take.sql");
pub(super) const HOLDER: &str = include_str!("holder.sql");
pub(super) const FORGET: &str = include_str!("forget.sql");
pub(super) const RENEW: &str = include_str!("renew.sql");

/// Locks a lease, so that its token stays until the end of a transaction. No row: another process has it.
pub(super) const HOLD: &str = "SELECT 1 FROM session_leases WHERE session_id = ? AND token = ? FOR SHARE";

/// Gives a lease back.
pub(super) const GIVE_BACK: &str = "DELETE FROM session_leases WHERE session_id = ? AND token = ?";
