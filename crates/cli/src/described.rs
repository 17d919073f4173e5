//! Arguments of a subcommand that leave the description of their subcommand alone.

use std::ops::{Deref, DerefMut};

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};

/// Arguments whose doc comment does not become the description of the command that takes them: it says what the value is to a
/// programmer. The description of a command is the doc comment of its variant, which the list of commands shows, too.
#[derive(Debug)]
pub(crate) struct Described<T>(pub(crate) T);

impl<T> Deref for Described<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Described<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Adds arguments to a command and restores its description.
fn restored(command: Command, add: impl FnOnce(Command) -> Command) -> Command {
    let (short, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    add(command).about(Resettable::from(short)).long_about(Resettable::from(long))
}

impl<T: Args> Args for Described<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        restored(command, T::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        restored(command, T::augment_args_for_update)
    }
}

impl<T: Args> FromArgMatches for Described<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}
