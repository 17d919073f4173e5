//! Sessions that survive: the log, snapshots, resume.
