//! Gives the terminal back: at the end, to another program, and to the shell while the program is suspended.

use tokio::sync::oneshot::{Receiver, Sender};

use super::Driver;
use crate::terminal::Terminal;

impl Driver {
    /// Clears the live part. Finished output stays.
    fn clear(&mut self) -> std::io::Result<()> {
        self.paint()?;
        let bytes = self.painter.clear(self.columns);
        self.terminal.write(&bytes)
    }

    pub(super) fn end(&mut self) -> std::io::Result<()> {
        self.clear()?;
        self.announcer.end(&self.terminal)
    }

    pub(super) async fn lend(&mut self, ready: Sender<()>, back: Receiver<()>) -> std::io::Result<()> {
        self.clear()?;
        self.terminal.pause()?;
        // A dropped channel on either side counts as the terminal being returned.
        if ready.send(()).is_ok() {
            let _ = back.await;
        }
        self.resume()
    }

    fn resume(&mut self) -> std::io::Result<()> {
        self.terminal.resume()?;
        let (columns, rows) = Terminal::size();
        self.columns = columns;
        self.screen.resize(columns, rows);
        self.announcer.forget_title();
        Ok(())
    }

    /// Suspends the program like Ctrl+Z in a shell, until it is continued.
    pub(super) fn suspend(&mut self) -> std::io::Result<()> {
        self.clear()?;
        self.terminal.pause()?;
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.resume()
    }
}
