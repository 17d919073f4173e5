//! The nine steps of a turn.
