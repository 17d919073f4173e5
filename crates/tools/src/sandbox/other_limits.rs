//! Refuses the system calls by which a command changes other programs, or leaves a file that acts with its owner's rights.
//!
//! With a limit of its processor time or its memory the kernel ends a process as a signal would, and a low priority stops it
//! nearly as well: these calls ask for the same user alone, and no other limit of the sandbox applies.

mod calls;

use rustix::io::Errno;
use seccompiler::{BpfProgram, sock_filter};

use self::calls::{CONVENTIONS, Call, Calls, X32};
use super::SandboxError;

/// Places in what a filter reads: the number of the call, its convention, the lower halves of its arguments.
const NUMBER: u32 = 0;
const CONVENTION: u32 = 4;
const ARGUMENTS: u32 = 16;
const ARGUMENT: u32 = 8;

/// Instructions and results of a filter (<https://docs.kernel.org/userspace-api/seccomp_filter.html>).
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_SET: u16 = 0x45;
const AND: u16 = 0x54;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7fff_0000;
const REFUSE: u32 = 0x0005_0000;

/// The bits of a mode with which a program runs as the owner or the group of its file.
const AS_OWNER: u32 = 0o4000;
const AS_GROUP: u32 = 0o2000;

/// What is refused besides what always is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Others {
    /// The objects of System V that programs share by number: this process sees those of all programs.
    pub(super) shared_objects: bool,
    /// The mode bit with which a program runs as a group. Folders have the same bit with another meaning, and folders that
    /// a group shares are ordinary for everyone but `root`.
    pub(super) group_bit: bool,
}

/// Refuses these calls for this process and all that it starts.
///
/// # Errors
/// When the system has no filters of system calls.
pub(super) fn refuse_changes_of_others(others: Others) -> Result<(), SandboxError> {
    let failed = |error| SandboxError::Unavailable(format!("system calls cannot be limited ({error})"));
    if CONVENTIONS.is_empty() {
        return Ok(());
    }
    seccompiler::apply_filter(&program(others)).map_err(failed)
}

/// Written by hand because a filter of `seccompiler` ends programs of the other calling conventions.
fn program(others: Others) -> BpfProgram {
    let mut program = Vec::new();
    for Calls { convention, calls } in CONVENTIONS {
        let block: Vec<sock_filter> =
            calls.iter().flat_map(|(number, call)| one(*number, *call, others)).collect();
        // A conditional jump reaches 255 instructions.
        let length = u32::try_from(block.len()).unwrap_or(u32::MAX).saturating_add(2);
        program.extend([load(CONVENTION), equal(*convention, 1, 0), instruction(JUMP, 0, 0, length)]);
        program.extend([load(NUMBER), instruction(AND, 0, 0, !X32)]);
        program.extend(block);
    }
    program.push(end(ALLOW));
    program
}

/// What follows when the number of a call is loaded: nothing changes for other numbers.
fn one(number: u32, call: Call, others: Others) -> Vec<sock_filter> {
    let refusal = |error: Errno| end(REFUSE | error.raw_os_error().unsigned_abs());
    let argument = |place: u32| load(ARGUMENTS + ARGUMENT * place);
    let mode = if others.group_bit { AS_OWNER | AS_GROUP } else { AS_OWNER };
    let test = match call {
        Call::SharedObject if !others.shared_objects => return Vec::new(),
        Call::SharedObject => vec![refusal(Errno::PERM)],
        Call::Keys => vec![refusal(Errno::NOSYS)],
        // The process itself is number 0.
        Call::Process { argument: place } => {
            vec![argument(place), equal(0, 1, 0), refusal(Errno::PERM), end(ALLOW)]
        }
        Call::Target { user } => {
            vec![
                argument(0),
                equal(user, 2, 0),
                argument(1),
                equal(0, 1, 0),
                refusal(Errno::PERM),
                end(ALLOW),
            ]
        }
        Call::Mode { argument: place } => {
            vec![argument(place), instruction(JUMP_IF_SET, 0, 1, mode), refusal(Errno::PERM), end(ALLOW)]
        }
    };
    let over = u8::try_from(test.len()).unwrap_or(u8::MAX);
    [vec![equal(number, 0, over)], test].concat()
}

fn load(place: u32) -> sock_filter {
    instruction(LOAD, 0, 0, place)
}

fn equal(value: u32, yes: u8, no: u8) -> sock_filter {
    instruction(JUMP_IF_EQUAL, yes, no, value)
}

fn end(result: u32) -> sock_filter {
    instruction(RETURN, 0, 0, result)
}

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}
