//! Drops the privileges that commands do not need, where this process has any.

use rustix::io::Result;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// What `root` in a container needs for builds: to own and read the files of others, to change to another user, and to
/// listen on low ports. Without `FSETID` a write ends that a program runs as the owner of its file. Of the rest, some read the memory of every process, whatever else the sandbox limits.
const RETAINED: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Drops all capabilities but those that commands need, for this process and what it executes.
pub(super) fn drop_capabilities() -> Result<()> {
    let held = capabilities(None)?;
    if held.permitted.is_empty() {
        return Ok(());
    }
    for capability in CapabilitySet::all().iter().filter(|capability| !RETAINED.contains(*capability)) {
        // It fails for those that this kernel does not have, and without the right to; the sets below count then.
        let _ = remove_capability_from_bounding_set(capability);
    }
    clear_ambient_capability_set()?;
    let left = held.permitted & RETAINED;
    set_capabilities(
        None,
        CapabilitySets { effective: left, permitted: left, inheritable: CapabilitySet::empty() },
    )
}
