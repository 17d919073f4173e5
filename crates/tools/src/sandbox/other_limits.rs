//! Refuses to set the resource limits of other processes.
//!
//! With a limit of its processor time or its memory the kernel ends a process as a signal would, and no other limit of the sandbox
//! applies: `prlimit` asks for the same user alone.

use rustix::io::Errno;
use seccompiler::{BpfProgram, sock_filter};

use super::SandboxError;

/// The calling conventions of this machine (`AUDIT_ARCH_…`) with their numbers of `prlimit64`.
#[cfg(target_arch = "x86_64")]
const CALLS: &[(u32, u32)] = &[(0xc000_003e, 302), (0xc000_003e, 302 | 0x4000_0000), (0x4000_0003, 340)];
#[cfg(target_arch = "aarch64")]
const CALLS: &[(u32, u32)] = &[(0xc000_00b7, 261), (0x4000_0028, 369)];
#[cfg(target_arch = "riscv64")]
const CALLS: &[(u32, u32)] = &[(0xc000_00f3, 261)];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const CALLS: &[(u32, u32)] = &[];

/// Places in what a filter reads: the number of the call, its convention, the lower half of its first argument.
const NUMBER: u32 = 0;
const CONVENTION: u32 = 4;
const PROCESS: u32 = 16;

/// Instructions and results of a filter (<https://docs.kernel.org/userspace-api/seccomp_filter.html>).
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7fff_0000;
const REFUSE: u32 = 0x0005_0000;

/// Refuses it for this process and all that it starts. The process itself is number 0.
///
/// # Errors
/// When the system has no filters of system calls.
pub(super) fn refuse_limits_of_others() -> Result<(), SandboxError> {
    let failed = |error| SandboxError::Unavailable(format!("system calls cannot be limited ({error})"));
    if CALLS.is_empty() {
        return Ok(());
    }
    seccompiler::apply_filter(&program()).map_err(failed)
}

/// Written by hand because a filter of `seccompiler` ends programs of the other calling conventions.
fn program() -> BpfProgram {
    let load = |place| sock_filter { code: LOAD, jt: 0, jf: 0, k: place };
    let equal = |value, yes, no| sock_filter { code: JUMP_IF_EQUAL, jt: yes, jf: no, k: value };
    let end = |result| sock_filter { code: RETURN, jt: 0, jf: 0, k: result };
    let refusal = end(REFUSE | Errno::PERM.raw_os_error().unsigned_abs());
    let block = |(convention, number): &(u32, u32)| {
        [
            load(CONVENTION),
            equal(*convention, 0, 5),
            load(NUMBER),
            equal(*number, 0, 3),
            load(PROCESS),
            equal(0, 1, 0),
            refusal.clone(),
        ]
    };
    CALLS.iter().flat_map(block).chain([end(ALLOW)]).collect()
}
