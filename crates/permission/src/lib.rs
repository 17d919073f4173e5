//! Which calls of a model may run: modes, rules, and the ports that ask the user and remember what was said.
//!
//! [`Permissions`] decides over one call by what it does ([`throughline_tools::Access`]): a rule that forbids wins, then
//! one that asks, then one that allows, and what no rule speaks of is up to the [`Mode`]. A [`Rule`] names a tool and may
//! say what of it: a command (`shell(git *)`), a path (`edit(src/**)`) or a host (`fetch(domain:example.com)`). A command
//! line is allowed only when it can be read without doubt and each command in it is allowed; it is forbidden as soon as
//! one part of it is. [`guarded`] puts this decision before each tool of a registry; what has to be asked goes to the
//! [`Approver`], and what the user wants to hold from now on goes to the [`RuleStore`].
//!
//! Neighbours: the call is a word of `conversation`, the tool and its access come from `tools`. `cli` reads the rules from
//! the settings, keeps the remembered ones in a file and answers where nobody can be asked; `tui` asks on the screen.
//!
//! It does NOT know: files of settings, how a question looks, what a sandbox is (only whether commands run in one), and
//! what a tool does beyond what its access says.

mod access_path;
mod approval;
mod command;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod decision;
mod glob;
mod guard;
mod mode;
mod permissions;
mod rule;
mod rule_store;
mod suggestion;
mod unattended;

pub use approval::{Approval, ApprovalRequest, Approver};
pub use decision::Decision;
pub use guard::guarded;
pub use mode::Mode;
pub use permissions::{Commands, Permissions, PlacedRule, RuleKind, Rules};
pub use rule::{Rule, RuleError};
#[cfg(any(test, feature = "mock"))]
pub use rule_store::MockRuleStore;
pub use rule_store::{InMemoryRuleStore, RuleStore, RuleStoreError};
pub use unattended::Unattended;
