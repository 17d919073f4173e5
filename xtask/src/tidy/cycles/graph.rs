//! Which module imports which, and the circles in that.

use std::collections::{BTreeMap, BTreeSet};

/// Imports between modules.
#[derive(Debug, Default)]
pub(super) struct Graph(BTreeMap<String, BTreeSet<String>>);

impl Graph {
    /// Adds one import.
    pub(super) fn add(&mut self, from: &str, to: &str) {
        self.0.entry(from.to_owned()).or_default().insert(to.to_owned());
    }

    /// The largest groups of modules that all reach each other, each sorted by name.
    pub(super) fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|from| (from.as_str(), self.reached(from))).collect();
        let mut circles = BTreeSet::new();
        for (from, reached) in &reach {
            let back = |to: &&&str| reach.get(**to).is_some_and(|reached| reached.contains(from));
            let circle: Vec<String> = reached.iter().filter(back).map(|to| (*to).to_owned()).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// Everything that is imported from here on, step by step.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut next = vec![from];
        while let Some(from) = next.pop() {
            let targets = self.0.get(from).into_iter().flatten().map(String::as_str);
            next.extend(targets.filter(|target| reached.insert(*target)).collect::<Vec<_>>());
        }
        reached
    }
}
