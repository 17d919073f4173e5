//! Entries that name the entry before them: a tree, of which one branch is the conversation.

use std::collections::{HashMap, HashSet};

/// One entry of a file.
#[derive(Debug)]
pub(super) struct TreeEntry<'a> {
    pub(super) line: usize,
    pub(super) id: Option<&'a str>,
    pub(super) parent: Parent<'a>,
    /// Whether the entry belongs to another conversation than the main one.
    pub(super) sidechain: bool,
    /// Whether the conversation may end here.
    pub(super) leaf: bool,
}

/// What an entry says of the entry before it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Parent<'a> {
    /// It begins a conversation.
    Root,
    /// This one.
    Id(&'a str),
    /// Nothing, although something is there: the file's order has to tell.
    Before,
}

/// The branch that ends at the last leaf: the indices of its entries, and notes on broken links.
///
/// Where a link leads to no entry of the file, the entry before in the file is taken.
pub(super) fn last_branch(nodes: &[TreeEntry<'_>]) -> (HashSet<usize>, Vec<String>) {
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        if let Some(id) = node.id {
            by_id.entry(id).or_insert(place);
        }
    }
    if by_id.is_empty() {
        let notes =
            vec!["the lines name no entry before them; they were taken in the order of the file".to_owned()];
        return ((0..nodes.len()).collect(), notes);
    }
    let mut branch = HashSet::new();
    let mut notes = Vec::new();
    let mut next = nodes.iter().rposition(|node| node.leaf && !node.sidechain);
    while let Some(place) = next {
        branch.insert(place);
        let Some(node) = nodes.get(place) else { break };
        let before = |notes: &mut Vec<String>, why: &str| {
            let line = node.line;
            let main =
                |before: &usize| nodes.get(*before).is_some_and(|node| !node.sidechain && node.id.is_some());
            let found = (0..place).rev().find(main);
            notes.push(match found {
                Some(_) => format!("line {line}: {why}; the line before it in the file was taken"),
                None => format!("line {line}: {why}; the recording begins here"),
            });
            found
        };
        next = match node.parent {
            Parent::Root => None,
            Parent::Before => before(&mut notes, "names no entry before it"),
            Parent::Id(id) => match by_id.get(id) {
                Some(found) if !branch.contains(found) => Some(*found),
                Some(_) => before(&mut notes, "its link leads in a circle"),
                None => before(&mut notes, "the entry before it is not in the file"),
            },
        };
        if next.is_some_and(|next| branch.contains(&next)) {
            break;
        }
    }
    notes.reverse();
    (branch, notes)
}
