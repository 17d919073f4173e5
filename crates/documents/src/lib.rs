//! What a model must not lose over a long session: two documents that it writes itself, and the handoff made of them.
//!
//! STATE holds what is true ([`State`]), the [`Scratchpad`] holds the plan. [`signals`] reads both out of a response and
//! [`updates`] makes revisions of them; [`manage`] runs the tool that does the same; [`documents_note`] shows them at the
//! end of each request. [`rebuilt`] and [`rebuilt_by_rule`] write STATE again when it is lost or stale. A [`Handoff`] is
//! made of the documents, the checklist, the ledger and the working tree, which the port [`GitProbe`] looks at; `git`
//! implements it. A [`SessionContext`] is its short form, for an agent whose context was lost.
//!
//! ```
//! use throughline_documents::{SCRATCHPAD_CAP, Scratchpad, signals};
//!
//! // A model writes its plan at the end of an answer.
//! let read = signals("Done with the parser.\n\nSCRATCHPAD:\n## Current Plan\n1. [ ] Test it");
//! let plan = read.scratchpad.expect("the answer has a scratchpad");
//! let scratchpad = Scratchpad::restored("", SCRATCHPAD_CAP).replace(&plan)?;
//! assert!(scratchpad.text().contains("Test it"));
//! # Ok::<(), throughline_documents::TooLarge>(())
//! ```
//!
//! It does NOT know how revisions are stored (they are records of the log), when a model is asked for STATE, or what a
//! window is.

mod git;
mod guidelines;
mod handoff;
mod markdown;
mod scratchpad;
mod session_context;
mod signals;
mod state;
mod updates;

#[cfg(any(test, feature = "mock"))]
pub use git::MockGitProbe;
pub use git::{GitError, GitProbe, GitStatus};
pub use guidelines::{
    COMPACTED_HISTORY, NotesPlace, SCRATCHPAD_RULES, StateRule, documents_note, history_guidelines,
};
pub use handoff::{Handoff, HandoffInput, HandoffLedger, ResumeFor, handoff, recovery_text, resume_text};
pub use scratchpad::{
    ChecklistItem, Managed, SCRATCHPAD_CAP, SCRATCHPAD_TEMPLATE, Scratchpad, ScratchpadError, TooLarge,
    manage, manage_scratchpad_tool,
};
pub use session_context::{CONTEXT_CAP, QuotedContext, SessionContext, file_changes, is_same_file};
pub use signals::{Malformed, ShownText, Signals, signals, without_documents};
pub use state::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
pub use updates::{DocumentCaps, STATE_CAP, Updates, Written, cleaned_documents, updates};
