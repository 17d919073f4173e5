//! Every command has its place in a group.

use std::collections::BTreeSet;

use clap::CommandFactory as _;

use super::GROUPS;
use crate::args::Cli;

#[test]
fn every_command_is_in_one_group() {
    let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let once: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(once.len(), listed.len());
    let command = Cli::command();
    let known = command.get_subcommands().map(clap::Command::get_name);
    let mut known: BTreeSet<&str> = known.collect();
    known.insert("help");
    assert_eq!(once, known);
}
