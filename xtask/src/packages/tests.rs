//! Which commands the installer runs, and which reason a suite gets when it cannot help.

use super::{Installer, Package};

const TOOL: Package = Package { name: "tool", probe: &["tool", "--version"] };

/// A machine on which the commands starting with one of these words fail.
#[track_caller]
fn check(failing: &[&str], expect: Result<(), &str>, commands: &[&str]) {
    let mut ran = Vec::new();
    let answer = Installer::default().ensure_with(TOOL, &mut |words| {
        ran.push(words.join(" "));
        !failing.iter().any(|start| words.join(" ").starts_with(start))
    });
    assert_eq!(answer, expect.map_err(str::to_owned));
    assert_eq!(ran.iter().map(|line| line.split(" -c").next().unwrap()).collect::<Vec<_>>(), commands);
}

#[test]
fn a_present_package_is_only_probed() {
    check(&[], Ok(()), &["tool --version"]);
}

#[test]
fn without_root_nothing_is_installed() {
    let reason = "package `tool` is missing; only root can `apt-get install tool`";
    check(&["tool", "sh"], Err(reason), &["tool --version", "sh"]);
}

#[test]
fn a_failed_update_or_install_is_the_reason() {
    let reason = "package `tool` is missing; `apt-get update` failed";
    check(&["tool", "apt-get update"], Err(reason), &["tool --version", "sh", "apt-get update"]);
    let reason = "package `tool` is missing; `apt-get install -y tool` failed";
    let commands = ["tool --version", "sh", "apt-get update", "apt-get install -y tool"];
    check(&["tool", "apt-get install"], Err(reason), &commands);
}

#[test]
fn the_lists_are_updated_once_for_two_packages() {
    let mut installer = Installer::default();
    let mut updates = 0;
    for name in ["one", "two"] {
        let mut probes = 0;
        let package = Package { name, probe: &["probe"] };
        let answer = installer.ensure_with(package, &mut |words| {
            updates += usize::from(words == ["apt-get", "update"]);
            probes += usize::from(words == ["probe"]);
            words != ["probe"] || probes > 1
        });
        assert_eq!(answer, Ok(()));
    }
    assert_eq!(updates, 1);
}
