//! The dependency rule, checked: what the architecture page draws is a table here, and a new edge is a diff in it.
//!
//! `table` and `reserved` say what is allowed, `metadata` and `manifest` read what is there, `edges` compares the two.

mod edges;
mod manifest;
mod metadata;
mod programs;
mod reserved;
mod rule;
mod table;

use std::path::Path;

use anyhow::{Result, bail};

use crate::{output, tree};

/// Reads the workspace and reports every edge that the table does not allow.
pub(crate) fn run(root: &Path) -> Result<()> {
    let (members, rules) = (metadata::read(root)?, table::rules());
    let mut violations = edges::ghosts(&members, &rules, reserved::RESERVED);
    for member in &members {
        violations.extend(edges::check(member, &rules, reserved::RESERVED));
        let text = std::fs::read_to_string(&member.manifest)?;
        violations.extend(manifest::check(&member.package, &text));
    }
    violations.extend(programs::check(&tree::text_files(root)?));
    if violations.is_empty() {
        output::line(format_args!("boundaries: {} crates, every edge is in the table", members.len()));
        return Ok(());
    }
    for violation in &violations {
        output::line(violation);
    }
    bail!("boundaries: {} violation(s), see above", violations.len());
}
