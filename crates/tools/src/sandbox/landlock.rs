//! The sandbox by Landlock, which needs no rights and no helper (<https://docs.kernel.org/userspace-api/landlock.html>).

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, path_beneath_rules,
};
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat2};

use super::{Sandbox, SandboxError, SandboxStatus};

/// The version that limits every kind of writing: before it, a file could be cut off from outside.
const WHOLE: ABI = ABI::V3;

/// Places that programs write to without changing anything that lasts.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Memory that processes share, under the name of a file.
const SHARED_MEMORY: &str = "/dev/shm";

pub(super) fn status() -> SandboxStatus {
    let can = |abi| {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        ruleset.handle_access(AccessFs::from_write(abi)).and_then(Ruleset::create)
    };
    match (can(WHOLE), can(ABI::V1)) {
        (Ok(_), _) => SandboxStatus::Enforced,
        (Err(_), Ok(_)) => SandboxStatus::Partly(
            "this kernel has an early version of Landlock, with which files outside can still be cut to nothing"
                .to_owned(),
        ),
        (Err(_), Err(error)) => {
            SandboxStatus::Unavailable(format!("this kernel has no Landlock, or it is turned off ({error})"))
        }
    }
}

pub(super) fn restrict(sandbox: &Sandbox) -> Result<SandboxStatus, SandboxError> {
    let status = match apply(sandbox) {
        Ok(status) => status,
        Err(error) => return Err(SandboxError::Unavailable(error.to_string())),
    };
    match status {
        RulesetStatus::FullyEnforced => Ok(SandboxStatus::Enforced),
        RulesetStatus::PartiallyEnforced => Ok(self::status()),
        RulesetStatus::NotEnforced => {
            Err(SandboxError::Unavailable("this kernel has no Landlock, or it is turned off".to_owned()))
        }
    }
}

/// The rule for one folder, or for one file. `None`: it is not there, or a link is on the way to it, which somebody made
/// since links were followed.
fn rule(place: &Path) -> Option<Result<PathBeneath<OwnedFd>, RulesetError>> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let opened = openat2(CWD, place, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).ok()?;
    let kind = FileType::from_raw_mode(fstat(&opened).ok()?.st_mode);
    let writing = AccessFs::from_write(WHOLE);
    let fitting = if kind.is_dir() { writing } else { writing & AccessFs::from_file(WHOLE) };
    Some(Ok(PathBeneath::new(opened, fitting)))
}

fn apply(sandbox: &Sandbox) -> Result<RulesetStatus, RulesetError> {
    let writing = AccessFs::from_write(WHOLE);
    let devices = DEVICES.into_iter().chain([SHARED_MEMORY]);
    // A rule for a place that is not there cannot be made, and is not needed.
    let restricted = Ruleset::default()
        .handle_access(writing)?
        .create()?
        .add_rules(sandbox.writable().iter().filter_map(|folder| rule(folder)))?
        .add_rules(path_beneath_rules(devices, writing))?
        .restrict_self()?;
    Ok(restricted.ruleset)
}
