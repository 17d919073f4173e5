//! Refuses system calls that make sockets, for the limits that neither Landlock nor mounts can set.

use std::collections::BTreeMap;

use rustix::io::Errno;
use rustix::net::AddressFamily;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::SandboxError;

/// Number of `socket` and of `io_uring_setup`, which could make sockets too.
#[cfg(target_arch = "x86_64")]
const CALLS: (i64, i64) = (41, 425);
#[cfg(target_arch = "aarch64")]
const CALLS: (i64, i64) = (198, 425);
#[cfg(target_arch = "riscv64")]
const CALLS: (i64, i64) = (198, 425);

/// Programs of the other calling convention of x86-64 have this bit in their numbers.
const X32: i64 = 0x4000_0000;

/// The sockets that a command may not make. Pairs of connected sockets are always possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// All but unix sockets and those for questions to the kernel.
    Network,
    /// Unix sockets.
    Unix,
    /// All.
    Both,
}

/// Refuses these sockets for this process and all that it starts.
pub(super) fn refuse(what: Refused) -> Result<(), SandboxError> {
    let failed = |error: &dyn std::fmt::Display| {
        SandboxError::Unavailable(format!("system calls cannot be limited ({error})"))
    };
    let program = program(what).map_err(|error| failed(&error))?;
    seccompiler::apply_filter(&program).map_err(|error| failed(&error))
}

fn program(what: Refused) -> Result<BpfProgram, seccompiler::BackendError> {
    let family = |operator, family: AddressFamily| {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, u64::from(family.as_raw()))
    };
    let network = || {
        SeccompRule::new(vec![
            family(SeccompCmpOp::Ne, AddressFamily::UNIX)?,
            family(SeccompCmpOp::Ne, AddressFamily::NETLINK)?,
        ])
    };
    let unix = || SeccompRule::new(vec![family(SeccompCmpOp::Eq, AddressFamily::UNIX)?]);
    let rules = match what {
        Refused::Network => vec![network()?],
        Refused::Unix => vec![unix()?],
        Refused::Both => vec![network()?, unix()?],
    };
    let (socket, uring) = CALLS;
    let calls =
        [(socket, rules.clone()), (socket | X32, rules), (uring, Vec::new()), (uring | X32, Vec::new())];
    let refusal = SeccompAction::Errno(Errno::PERM.raw_os_error().unsigned_abs());
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(BTreeMap::from(calls), SeccompAction::Allow, refusal, arch)?.try_into()
}
