//! Exchanges a folder and a link again and again, as a background command of the model can.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Runs `work` while a thread exchanges the two names. They are as at the start afterwards.
pub(crate) fn exchanging<T>(one: &Path, other: &Path, work: impl FnOnce() -> T) -> T {
    /// Ends the thread also when the work panics.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let stop = AtomicBool::new(false);
    let exchange = || renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                exchange();
                exchange();
            }
        });
        let _stop = Stop(&stop);
        work()
    })
}
