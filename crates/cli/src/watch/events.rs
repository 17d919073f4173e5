//! `throughline watch --events`: what was seen on the screens of watched programs.

use throughline_commands::age;
use throughline_stored::{Storage, now};
use throughline_terminal::{line, table};
use throughline_text::headline;
use throughline_watch::WatchEvents;

use crate::data_args::DataArgs;

/// Maximum bytes of a text in the list.
const SHOWN: usize = 100;

/// Prints the events, the newest last.
pub(super) async fn print(data: &DataArgs) -> anyhow::Result<()> {
    let events = WatchEvents::of(&Storage::open_to_read(data.data_dir.clone()).await?).read()?;
    let mut cells = vec![["AGE", "AGENT", "EVENT", "TEXT"].map(str::to_owned).to_vec()];
    cells.extend(events.into_iter().map(|one| {
        let agent = one.agent.unwrap_or_else(|| "-".to_owned());
        vec![
            age(now(), one.at),
            headline(&agent, SHOWN),
            one.event.shown().to_owned(),
            headline(&one.text, SHOWN),
        ]
    }));
    table(&cells).iter().for_each(|text| line(text));
    Ok(())
}
