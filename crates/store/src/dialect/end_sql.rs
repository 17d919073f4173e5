//! Where a session's log ends, as SQL of SQLite. `end` says why it is stored.

/// The place of the newest record that was ever appended to a session, whose id is bound three times; 0: none. A database of an older version, or a
/// damaged one, may not say; then it is the newest record that is left, or the newest one that the snapshot covers.
macro_rules! end_sql {
    ($session:literal) => {
        concat!(
            "coalesce((SELECT last_seq FROM sessions WHERE id = ",
            $session,
            " AND last_check = -last_seq), max(coalesce((SELECT max(seq) FROM log WHERE session_id = ",
            $session,
            "), 0), coalesce((SELECT covers FROM session_snapshots WHERE session_id = ",
            $session,
            "), 0)))"
        )
    };
}
pub(crate) use end_sql;
