//! Decides which tool calls of a model may run: modes, rules, and the ports that ask the user and store remembered rules.
//!
//! [`Permissions`] decides about a call by its effect ([`throughline_tools::Access`]): deny rules first, then ask rules, then
//! allow rules; without a matching rule the [`Mode`] decides. A [`Rule`] names a tool, and may restrict it to a command
//! (`shell(git *)`), a path (`edit(src/**)`) or a host (`fetch(domain:example.com)`). A command line is allowed only if it
//! is unambiguous and each of its commands is allowed; it is refused as soon as one part of it is. [`guarded`] applies the
//! decision to each tool of a registry. It asks for approval through the [`Approver`], and rules that the user wants to keep
//! go to the [`RuleStore`].
//!
//! ```
//! use serde_json::json;
//! use throughline_conversation::ToolCall;
//! use throughline_permission::{Decision, Mode, Permissions, RuleKind, Rules};
//! use throughline_tools::{Access, Effect};
//!
//! let mut rules = Rules::new();
//! rules.add(RuleKind::Allow, "shell(cargo test *)", "settings")?;
//! rules.add(RuleKind::Deny, "shell(rm *)", "settings")?;
//! let permissions = Permissions::new(Mode::Ask, rules, "/home/me/project");
//!
//! let decide = |line: &str| {
//!     let input = json!({ "command": line });
//!     let access = Access::of(Effect::Command, &input, "command");
//!     permissions.decide(&ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input }, &access)
//! };
//! assert!(matches!(decide("cargo test --all"), Decision::Allow { .. }));
//! assert!(matches!(decide("cargo test && rm -r src"), Decision::Deny { .. }));
//! assert!(matches!(decide("make install"), Decision::Ask { .. }));
//! # Ok::<(), throughline_permission::RuleError>(())
//! ```
//!
//! Neighbours: `conversation` defines the call, `tools` the tool and its access; `programs` says which folders of `PATH` have programs
//! that a model can write. The binary reads rules from the settings, stores remembered ones in a file and answers in sessions without a
//! user; `tui` asks on the screen.
//!
//! It does not know settings files, how a question looks, what a sandbox is (only whether commands run in one), and what a
//! tool does beyond its access.

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
mod rules;
mod suggestion;
mod unattended;

pub use approval::{Approval, ApprovalRequest, Approver};
pub use decision::Decision;
pub use guard::guarded;
pub use mode::Mode;
pub use permissions::{Commands, Permissions};
pub use rule::{Rule, RuleError};
#[cfg(any(test, feature = "mock"))]
pub use rule_store::MockRuleStore;
pub use rule_store::{InMemoryRuleStore, RuleStore, RuleStoreError};
pub use rules::{PlacedRule, RuleKind, Rules};
pub use unattended::Unattended;
