//! The sandbox with Landlock, which needs neither privileges nor a helper program
//! (<https://docs.kernel.org/userspace-api/landlock.html>).

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat2};

use super::devices::SHARED_MEMORY;
use super::places::without;
use super::{Sandbox, SandboxError, SandboxStatus};

/// The first version that limits every kind of writing: earlier ones allow truncation of any file.
const FULL_ABI: ABI = ABI::V3;

/// Devices that programs write to without a lasting effect.
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

pub(super) fn status() -> SandboxStatus {
    let can = |abi| {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        ruleset.handle_access(AccessFs::from_write(abi)).and_then(Ruleset::create)
    };
    match (can(FULL_ABI), can(ABI::V1)) {
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

/// What the kernel cannot limit although it limits writing.
pub(super) fn gap() -> Option<&'static str> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let scoped = ruleset.scope(Scope::Signal).and_then(Ruleset::create);
    scoped.is_err().then_some("commands can send signals to your other programs; Linux 6.12 limits that")
}

/// Returns true if the kernel limits connections to unix sockets with a path.
pub(super) fn limits_sockets() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::ResolveUnix).and_then(Ruleset::create).is_ok()
}

/// Limits this process. These repositories are writable too. `temp` is where the private folder for temporary files is now.
pub(super) fn restrict(
    sandbox: &Sandbox,
    repositories: &[PathBuf],
    temp: Option<&Path>,
) -> Result<SandboxStatus, SandboxError> {
    let status = match apply(sandbox, repositories, temp) {
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

/// The rule for one folder or file. `None` if it does not exist, or if its path has a symbolic link, which was created
/// after links were resolved.
fn rule(path: &Path, sockets: BitFlags<AccessFs>) -> Option<Result<PathBeneath<OwnedFd>, RulesetError>> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let opened = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).ok()?;
    let kind = FileType::from_raw_mode(fstat(&opened).ok()?.st_mode);
    let writing = AccessFs::from_write(FULL_ABI);
    let access = if kind.is_dir() { writing | sockets } else { writing & AccessFs::from_file(FULL_ABI) };
    Some(Ok(PathBeneath::new(opened, access)))
}

fn apply(
    sandbox: &Sandbox,
    repositories: &[PathBuf],
    temp: Option<&Path>,
) -> Result<RulesetStatus, RulesetError> {
    let writing = AccessFs::from_write(FULL_ABI);
    let devices = DEVICES.into_iter().chain([SHARED_MEMORY]);
    let all = sandbox.writable.iter().chain(repositories);
    let mut writable: Vec<PathBuf> = all.flat_map(|folder| without(folder, &sandbox.protected)).collect();
    writable.extend(temp.map(Path::to_owned));
    // A kernel limits of these what it can.
    let (sockets, scopes) = match sandbox.unix_sockets {
        true => (BitFlags::empty(), Scope::Signal.into()),
        false => (AccessFs::ResolveUnix.into(), Scope::Signal | Scope::AbstractUnixSocket),
    };
    // Landlock has no rule for a missing path; it needs none.
    let restricted = Ruleset::default()
        .handle_access(writing | sockets)?
        .scope(scopes)?
        .create()?
        .add_rules(writable.iter().filter_map(|place| rule(place, sockets)))?
        .add_rules(path_beneath_rules(devices, writing))?
        .restrict_self()?;
    Ok(restricted.ruleset)
}
