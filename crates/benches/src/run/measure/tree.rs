//! A process and everything below it, looked at again and again through `/proc`.

use std::collections::BTreeSet;
use std::fs;

/// An address space that differs from that of the parent by a smaller part than this one is the parent's.
const BORROWED: u64 = 50;

/// What was seen of a process and its children.
#[derive(Debug)]
pub(super) struct Tree {
    root: u32,
    seen: BTreeSet<u32>,
    largest: u64,
    sum: u64,
}

/// A process at one moment, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sizes {
    /// Address space.
    space: u64,
    resident: u64,
    /// Resident at its peak.
    peak: u64,
}

impl Tree {
    pub(super) fn of(root: u32) -> Self {
        Self { root, seen: BTreeSet::from([root]), largest: 0, sum: 0 }
    }

    /// Looks once.
    pub(super) fn look(&mut self) {
        let mut sum = 0;
        let mut todo = vec![(self.root, None)];
        while let Some((process, parent)) = todo.pop() {
            // It may be gone by now.
            let Some(sizes) = sizes(process) else { continue };
            // Before it becomes another program a new process is still in the memory of its parent, which may
            // have grown since it was looked at.
            let borrowed = parent
                .is_some_and(|parent: Sizes| parent.space.abs_diff(sizes.space) < parent.space / BORROWED);
            if !borrowed {
                sum += sizes.resident;
                self.largest = self.largest.max(sizes.peak);
            }
            for child in children(process) {
                self.seen.insert(child);
                todo.push((child, Some(sizes)));
            }
        }
        self.sum = self.sum.max(sum);
    }

    pub(super) fn largest(&self) -> u64 {
        self.largest
    }

    pub(super) fn sum(&self) -> u64 {
        self.sum
    }

    pub(super) fn seen(&self) -> u64 {
        self.seen.len() as u64
    }

    /// How many of those that were seen are still there.
    pub(super) fn alive(&self) -> u64 {
        self.seen.iter().filter(|process| sizes(**process).is_some()).count() as u64
    }
}

/// Children of all threads of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// `None` for a process that has ended, waited for or not.
fn sizes(process: u32) -> Option<Sizes> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    };
    Some(Sizes { space: field("VmSize:")?, resident: field("VmRSS:")?, peak: field("VmHWM:")? })
}
