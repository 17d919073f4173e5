//! The data folder, and the database in it or on a server.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::{Access, access};
use throughline_config::Config;
use throughline_store::DataDir;
use throughline_stored::Storage;
use throughline_text::{counted, error_chain};

use crate::finding::{Area, Finding};

/// Rights of other users of the machine.
const OTHERS: u32 = 0o077;

/// Lines of damage that are shown.
const SHOWN: usize = 3;

pub(crate) async fn examine(config: &Config) -> Vec<Finding> {
    let Some(place) = config.data_dir.clone() else {
        return vec![
            Finding::problem(Area::DataFolder, "there is no place for it")
                .fix("set HOME or XDG_DATA_HOME, or name a folder with --data-dir"),
        ];
    };
    let options = config.storage();
    let mut found = vec![folder(&place)];
    let is_server = match options.database.server() {
        Ok(server) => server.is_some(),
        Err(error) => {
            found.push(Finding::problem(Area::Database, error_chain(&error)));
            return found;
        }
    };
    if !is_server && DataDir::existing(Some(place.clone())).is_none() {
        found.push(Finding::good(Area::Database, "is created with the first session"));
        return found;
    }
    if is_server && !place.is_dir() {
        found.push(Finding::note(Area::Database, "on a server; it is opened when the data folder exists"));
        return found;
    }
    found.extend(match Storage::open_with(Some(place), options).await {
        Ok(storage) => database(&storage).await,
        Err(error) => vec![Finding::problem(Area::Database, error_chain(&error))],
    });
    found
}

fn folder(place: &Path) -> Finding {
    let shown = place.display();
    // What is missing is created below the nearest folder that is.
    let Some(nearest) = place.ancestors().find(|folder| folder.exists()) else {
        return Finding::problem(Area::DataFolder, format!("{shown} cannot be created"));
    };
    if access(nearest, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Finding::problem(Area::DataFolder, format!("{shown} cannot be written"))
            .fix(format!("make {} writable, or name a folder with --data-dir", nearest.display()));
    }
    if nearest != place {
        return Finding::good(Area::DataFolder, format!("{shown} is created with the first session"));
    }
    let mode = place.metadata().map_or(0, |found| found.permissions().mode());
    if mode & OTHERS != 0 {
        return Finding::note(Area::DataFolder, format!("{shown} is open to other users of this machine"))
            .fix(format!("chmod 700 {shown}"));
    }
    Finding::good(Area::DataFolder, shown.to_string())
}

async fn database(storage: &Storage) -> Vec<Finding> {
    let place = if storage.store.is_server() { "on a server" } else { "in the data folder" };
    let sessions = match storage.sessions().await {
        Ok(sessions) => sessions.len(),
        Err(error) => return vec![Finding::problem(Area::Database, error_chain(&error))],
    };
    match storage.store.check().await {
        Ok(damage) if damage.is_empty() => {
            let sessions = counted(sessions as u64, "session");
            vec![Finding::good(Area::Database, format!("{place}, {sessions}, no damage found"))]
        }
        Ok(damage) => {
            let fix = "save what is readable: throughline recover";
            let lines = damage.into_iter().take(SHOWN);
            lines.map(|line| Finding::problem(Area::Database, format!("{place}: {line}")).fix(fix)).collect()
        }
        Err(error) => vec![Finding::problem(Area::Database, error_chain(&error))],
    }
}
