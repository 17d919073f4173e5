//! The terminal screen of a session: what is shown, and what the keys mean.
