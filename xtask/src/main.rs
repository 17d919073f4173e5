//! The project's own tasks: `cargo xtask <task>`. This file parses the command line and hands over.

mod benches;
mod book;
mod boundaries;
mod bundles;
mod ci;
mod dependencies;
mod dist;
mod examples;
mod features;
mod mutants;
mod output;
mod packages;
mod packaging;
mod pictures;
mod quiet;
mod slim;
mod source;
mod steps;
mod suites;
mod tally;
mod tidy;
mod tokens;
mod traces;
mod tree;

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use dist::Dist;
use suites::Choice;

/// The command line of `cargo xtask`.
#[derive(Debug, Parser)]
#[command(
    name = "xtask",
    bin_name = "cargo xtask",
    about = "Tasks of this project",
    disable_help_subcommand = true
)]
struct Arguments {
    /// What to do.
    #[command(subcommand)]
    task: Task,
}

/// One variant for each task; the module of the same name does the work.
#[derive(Debug, Subcommand)]
enum Task {
    /// Everything that must hold before a change goes in.
    Ci {
        /// With the suites that run only by name.
        #[arg(long)]
        all: bool,
    },
    /// Unit, contract and law tests, then every integration suite but those that run only by name.
    Test,
    /// The law tests with many new random inputs, to find what the fixed inputs of `test` do not.
    Soak {
        /// How many inputs each law gets, where it does not set its own number.
        #[arg(long, default_value_t = 4096)]
        cases: u32,
    },
    /// One integration suite, or all but those that run only by name.
    Integration {
        /// The suite to run.
        #[arg(value_parser = PossibleValuesParser::new(suites::names()))]
        name: Option<String>,
    },
    /// Compile all examples, and run those that need no terminal and no network.
    Examples,
    /// Which crate may use which, checked against the table.
    Boundaries,
    /// Licences, sources and known vulnerabilities of the dependencies, by deny.toml.
    Dependencies,
    /// House rules of the files: docs, sizes, names, whitespace, words, functions, imports, unused items.
    Tidy {
        /// Print everything that this rule finds, also what its baseline allows.
        #[arg(long, value_name = "RULE", value_parser = PossibleValuesParser::new(tidy::counted_names()))]
        list: Option<String>,
        /// Write lower counts to the baseline.
        #[arg(long, conflicts_with = "list")]
        lower: bool,
    },
    /// The pages of docs as a book in target/book, by mdBook. The first time it installs that.
    Book,
    /// Pack every crate as it would be published, and check that all versions are one.
    Package,
    /// The released program, in target/TARGET/dist: built, trained, and built again by what the training ran.
    Dist {
        /// Only the training: another build follows, with the flags in the file that `GITHUB_ENV` names, or printed.
        #[arg(long)]
        train: bool,
        /// Build by `cargo auditable`.
        #[arg(long)]
        auditable: bool,
        /// The target of the compiler [default: this machine's].
        target: Option<String>,
    },
    /// Draw the pictures of terminals in the docs from the texts in docs/pictures.
    Pictures,
    /// Which numbers of docs/features.md have a test.
    Features {
        /// Print only the numbers without a test.
        #[arg(long)]
        missing: bool,
    },
    /// Which small changes of a crate's code its own tests notice. Takes minutes to hours.
    Mutants {
        /// The crate, without `throughline-`.
        #[arg(value_name = "CRATE")]
        name: String,
        /// Only the k-th of n parts.
        #[arg(long, value_name = "K/N")]
        shard: Option<String>,
    },
    /// One benchmark, or all of them.
    Bench {
        /// The benchmark to run; all when left out.
        #[arg(value_parser = PossibleValuesParser::new(benches::names()))]
        name: Option<String>,
        /// Arguments for the benchmark itself.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

fn main() -> ExitCode {
    match dispatch(&Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the task. `false` is a failure that the task has already explained, so nothing is printed after it.
fn dispatch(task: &Task) -> Result<bool> {
    let root = tree::root()?;
    match task {
        Task::Ci { all } => ci::run(&root, if *all { Choice::All } else { Choice::Usual })?,
        Task::Test => return Ok(suites::test(&root, Choice::Usual)),
        Task::Soak { cases } => return Ok(suites::soak(&root, *cases)),
        Task::Integration { name } => {
            let choice = name.as_deref().map_or(Choice::Usual, Choice::Named);
            return Ok(suites::integration(&root, choice));
        }
        Task::Examples => examples::run(&root)?,
        Task::Boundaries => boundaries::run(&root)?,
        Task::Dependencies => dependencies::run(&root)?,
        Task::Tidy { list: Some(rule), .. } => tidy::list(&root, rule)?,
        Task::Tidy { lower: true, .. } => tidy::lower(&root)?,
        Task::Tidy { .. } => tidy::run(&root)?,
        Task::Book => book::run(&root)?,
        Task::Package => packaging::run(&root, suites::in_ci())?,
        Task::Dist { train, auditable, target } => {
            let dist = Dist { target: target.clone(), auditable: *auditable };
            if *train { dist::prepare(&root, &dist)? } else { dist::run(&root, &dist).map(drop)? }
        }
        Task::Pictures => pictures::run(&root)?,
        Task::Features { missing } => features::run(&root, *missing)?,
        Task::Mutants { name, shard } => mutants::run(&root, name, shard.as_deref())?,
        Task::Bench { name, args } => benches::run(&root, name.as_deref(), args)?,
    }
    Ok(true)
}
