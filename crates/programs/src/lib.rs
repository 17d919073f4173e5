//! Finds the programs that Throughline starts by itself, never in a folder that a model can write.
//!
//! A command of the model writes in the project, and `PATH` often has a folder of it: an activated virtual environment,
//! `node_modules/.bin`. A program from there would run outside of the sandbox with all rights of the user. So git, shells,
//! pagers, editors and servers are looked up here. Folders of the project, relative ones, and those that every user may
//! write are left out, for the program and, by [`search_path`], for what it starts.
//!
//! ```
//! let git = throughline_programs::find("git");
//! println!("{git:?}"); // Some("/usr/bin/git")
//! ```
//!
//! It does NOT start anything, and commands of the model get the whole `PATH`.

mod find;
mod search_path;

pub use find::{distrust, find, left_out, search_path};
