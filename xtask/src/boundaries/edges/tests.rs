//! Each rule of the table, with a crate that keeps it and one that breaks it.

use super::super::metadata::{Dependency, Member};
use super::super::reserved::RESERVED;
use super::super::table::rules;
use super::{check, ghosts};

fn crate_in(folder: &str, package: &str, edges: &[&str]) -> Member {
    let dependencies = edges.iter().map(|edge| dependency(edge)).collect();
    Member { package: package.to_owned(), manifest: format!("/w/{folder}/Cargo.toml").into(), dependencies }
}

/// `name`, `name?` when optional, `name (dev)` when only for tests.
fn dependency(edge: &str) -> Dependency {
    let package = edge.trim_end_matches(" (dev)").trim_end_matches('?').to_owned();
    let in_workspace = package.starts_with("throughline-");
    Dependency { package, dev: edge.ends_with("(dev)"), optional: edge.ends_with('?'), in_workspace }
}

/// The violations of `crates/<name>` with these edges.
fn violations(name: &str, edges: &[&str]) -> Vec<String> {
    let member = crate_in(&format!("crates/{name}"), &format!("throughline-{name}"), edges);
    check(&member, &rules(), RESERVED)
}

#[track_caller]
fn allowed(name: &str, edges: &[&str]) {
    assert_eq!(violations(name, edges), Vec::<String>::new());
}

#[track_caller]
fn refused(name: &str, edge: &str, start: &str) {
    let found = violations(name, &[edge]);
    assert!(found.iter().any(|line| line.starts_with(start)), "{found:?}");
}

#[test]
fn a_subsystem_speaks_in_words_only() {
    allowed("budget", &["serde", "thiserror", "throughline-conversation", "mockall?"]);
    refused("budget", "throughline-compaction", "budget -> compaction: not allowed (a subsystem decides one");
    refused("compaction", "throughline-completion", "compaction -> completion: not allowed");
    refused("completion", "throughline-budget", "completion -> budget: not allowed");
}

#[test]
fn the_words_depend_on_nothing_of_the_workspace() {
    allowed("conversation", &["serde", "sha2"]);
    refused("conversation", "throughline-completion", "conversation -> completion: not allowed");
}

#[test]
fn an_outside_crate_stays_where_its_row_is() {
    allowed("tools", &["tokio", "ignore", "throughline-conversation"]);
    refused("budget", "tokio", "budget -> tokio: only for testserver, tools, agent");
    refused("resultstore", "sha2", "resultstore -> sha2: not allowed");
}

#[test]
fn the_agent_knows_no_adapter() {
    allowed("agent", &["throughline-tools", "throughline-continuity", "tokio"]);
    refused("agent", "throughline-store", "agent -> store: not allowed");
}

#[test]
fn reserved_crates_hold_where_the_row_allows_anything() {
    allowed("cli", &["anyhow", "clap", "throughline"]);
    allowed("benches", &["anyhow", "throughline-store", "throughline-agent"]);
    allowed("providers", &["reqwest"]);
    refused("cli", "sea-orm", "cli -> sea-orm: only for store");
    refused("providers", "anyhow", "providers -> anyhow: only for benches, chat, cli");
}

#[test]
fn mocks_are_optional_outside_tests() {
    allowed("prompt", &["mockall (dev)"]);
    refused("prompt", "mockall", "prompt -> mockall: must be optional");
}

#[test]
fn tests_use_what_they_like_but_the_binary() {
    allowed("budget", &["throughline-testkit (dev)", "tokio (dev)", "anything (dev)"]);
    refused("budget", "throughline-cli (dev)", "throughline-budget -> cli (dev): nothing may test");
}

#[test]
fn an_unknown_crate_needs_a_row() {
    refused("surprise", "serde", "surprise: not in the table");
}

#[test]
fn folder_and_package_have_one_name() {
    let right = crate_in("xtask", "xtask", &["anyhow"]);
    assert_eq!(check(&right, &rules(), RESERVED), Vec::<String>::new());
    let wrong = crate_in("crates/budgets", "throughline-budget", &[]);
    let found = check(&wrong, &rules(), RESERVED);
    assert!(found[0].contains("asks for the package name `throughline-budgets`"), "{found:?}");
}

#[test]
fn a_workspace_violation_says_what_to_do() {
    let found = violations("budget", &["throughline-prompt"]);
    assert!(
        found[0].ends_with(
            "move the word down to conversation, or change the table in the same commit and say why"
        )
    );
}

#[test]
fn every_name_in_the_table_stands_once() {
    let mut names: Vec<_> = rules().iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rules().len());
}

#[test]
fn a_row_without_a_crate_is_found() {
    let member = crate_in("crates/cli", "throughline-cli", &[]);
    let found = ghosts(&[member], &rules(), RESERVED);
    assert!(
        found.contains(&"budget: a row for a crate that does not exist: remove it".to_owned()),
        "{found:?}"
    );
    let owner = "anyhow: its owner xtask does not exist: remove it from the row".to_owned();
    assert!(found.contains(&owner), "{found:?}");
    assert!(!found.iter().any(|line| line.starts_with("cli:") || line.contains("owner cli ")), "{found:?}");
}
