//! The meaning of Ctrl+C.

use super::*;

#[test]
fn an_interrupt_is_for_the_owner_of_the_terminal() {
    let now = Instant::now();
    let pending = now + Duration::from_secs(2);
    for (owner, asks) in [
        (TerminalOwner::None, Interrupt::Now),
        (TerminalOwner::Screen, Interrupt::Graceful),
        (TerminalOwner::Other, Interrupt::Ignore),
        (TerminalOwner::ScreenSince(now), Interrupt::Ignore),
    ] {
        assert_eq!(owner.interrupted(now), asks, "{owner:?}");
    }
    assert_eq!(TerminalOwner::ScreenSince(now).interrupted(pending), Interrupt::Graceful);
}
