//! Accessibility by the rules of axe-core for WCAG 2 at the levels A and AA.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::driven::DrivenPage;
use crate::stage::{SIZES, Stage, THEMES, address};

/// The variable with the path of axe-core's script.
const VARIABLE: &str = "THROUGHLINE_AXE";

/// The SHA-256 of the script of the version that the suite fetches.
const SHA256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

/// The rules of WCAG 2.0 and 2.1.
const TAGS: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']";

/// The script of axe-core. `None`: it could not be fetched, which is said.
pub(crate) fn axe() -> Option<String> {
    let Some(file) = std::env::var_os(VARIABLE).map(PathBuf::from) else {
        println!("skipped: accessibility by axe-core: {VARIABLE} names no script");
        return None;
    };
    let digest = Command::new("sha256sum").arg(&file).output().unwrap();
    let digest = String::from_utf8(digest.stdout).unwrap();
    assert!(digest.starts_with(SHA256), "{} is not the script that was looked at: {digest}", file.display());
    Some(std::fs::read_to_string(file).unwrap())
}

/// What breaks a rule on the page that is shown: rule, place and why. The script runs by the protocol, which the page's policy
/// does not concern.
pub(crate) fn violations(page: &mut DrivenPage, axe: &str) -> Vec<String> {
    if page.value("typeof axe") != "object" {
        page.value(&format!("{axe}\n;undefined"));
    }
    let run = format!(
        "axe.run(document, {{ runOnly: {{ type: 'tag', values: {TAGS} }} }}).then(done => JSON.stringify({{ \
         passed: done.passes.length, broken: done.violations.flatMap(rule => rule.nodes.map(node => \
         `${{rule.id}}: ${{node.html.slice(0, 160)}}: ${{node.failureSummary}}`)) }}))"
    );
    let done: Value = serde_json::from_str(page.value(&run).as_str().unwrap()).unwrap();
    assert!(done["passed"].as_u64() > Some(5), "axe has looked at the page: {done}");
    let broken = done["broken"].as_array().unwrap();
    broken.iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_page_breaks_a_rule_of_accessibility() {
    let Some(axe) = axe() else { return };
    let stage = Stage::new();
    let mut page = stage.browse("/");
    let (mut checked, mut all) = (0, Vec::new());
    for (_, path) in stage.pages() {
        page.go(&address(&stage.served, &path));
        // What is folded is looked at, too.
        page.value(
            "document.querySelectorAll('details').forEach((one, at) => { if (at < 4) one.open = true; })",
        );
        for (size, theme) in [(SIZES[0], THEMES[0]), (SIZES[0], THEMES[1]), (SIZES[1], THEMES[0])] {
            page.dress(size, theme);
            let broken = violations(&mut page, &axe).into_iter();
            all.extend(broken.map(|one| format!("{path} ({theme}, {}): {one}", size.0)));
            checked += 1;
        }
    }
    assert!(all.is_empty(), "{} violations:\n{}", all.len(), all.join("\n"));
    println!("axe-core: {checked} pages in their themes, no violation");
}
