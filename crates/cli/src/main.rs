//! The binary `throughline`. Exit codes: 0 done, 1 failed, 2 wrong usage; `run` has more, see there.

mod acp;
mod args;
mod audit;
mod chat_args;
mod config;
mod data_args;
mod demo;
mod described;
mod doctor;
mod engine;
mod export;
mod file_limit;
mod foreign;
mod help;
mod import;
mod interrupt;
mod logging;
mod login;
mod mcp;
mod memos;
mod models;
mod one_session;
mod plugin;
mod policy;
mod reach;
mod recover;
mod replay;
mod report;
mod resume;
mod run;
mod serve;
mod session;
mod sessions;
mod shell;
mod show;
mod size;
mod start;
mod store;
mod telemetry;
mod update;
mod usage;
mod watch;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use throughline_commands::{SessionCommand, refusal};
use throughline_terminal::complain;
use throughline_text::error_chain;

use args::{Cli, Command, SessionSubcommand};
use data_args::DataArgs;
use logging::LogKind;

/// Stack of a worker, as large as that of the main thread: in a build without optimisation, opening a second session from the
/// screen needs more than the two megabytes that tokio gives.
const WORKER_STACK: usize = 8 << 20;

/// How long the program waits at its end for blocking work.
const LAST_WORK: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let started = Instant::now();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == throughline_session::SANDBOX_MODE) {
        // Only this program itself writes such a command line. It does not return.
        let error = throughline::Throughline::run_in_sandbox(arguments);
        complain(&error_chain(&error));
        return ExitCode::from(126);
    }
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return run::misused(&error, started),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers(&cli))
        .thread_stack_size(WORKER_STACK)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return fail(&anyhow::Error::new(error).context("could not start the runtime")),
    };
    let code = match runtime.block_on(start_command(cli)) {
        Ok(code) => code,
        Err(error) => fail(&error),
    };
    // Blocking work that is still running, such as an abandoned download, must not keep the program alive.
    runtime.shutdown_timeout(LAST_WORK);
    code
}

/// Threads for what runs next to the command itself, which has the main thread. One turn needs no second one.
fn workers(cli: &Cli) -> usize {
    if matches!(cli.command, Some(Command::Run(_))) { 1 } else { 2 }
}

/// Runs the command. Writes past the file size limit fail from here on: that needs the runtime.
async fn start_command(cli: Cli) -> anyhow::Result<ExitCode> {
    file_limit::fail_writes_past_it();
    let code = dispatch(cli).await;
    telemetry::finish().await;
    code
}

/// What writes to the log.
fn log_kind(command: Option<&Command>) -> LogKind {
    match command {
        None | Some(Command::Resume(_)) => LogKind::Screen,
        Some(Command::Serve(_)) => LogKind::Server,
        Some(_) => LogKind::Command,
    }
}

async fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    let (data, mut chat) = (cli.data, cli.chat);
    throughline_config::set_command_line(data.flags()?);
    logging::start(data.log.as_deref(), log_kind(cli.command.as_ref()))?;
    let (data_dir, any_folder) = (data.data_dir.clone(), data.any_folder);
    let Some(command) = cli.command else {
        chat.session.any_folder = any_folder;
        return start::start(chat, data_dir).await;
    };
    match command {
        Command::Run(mut args) => {
            args.session.any_folder = any_folder;
            return run::run(args.0, data_dir).await;
        }
        Command::Resume(args) => return resume::run(args.0, data_dir, any_folder).await,
        Command::Models(args) => models::run(&args, data_dir).await?,
        Command::Doctor(args) => return doctor::run(&args, data_dir).await,
        Command::Login(args) => return login::run(&args).await,
        Command::Logout(args) => login::log_out(&args)?,
        Command::Completions(args) => shell::completions(&args)?,
        Command::Man(args) => shell::man(&args)?,
        Command::Update => return update::run(),
        Command::Demo(args) => demo::run(&args, &data).await?,
        Command::Audit(args) => return audit::run(&args).await,
        Command::Replay(args) => return replay::run(args.0, data_dir).await,
        Command::Sessions(args) => sessions::run(&args, &data).await?,
        Command::Session(command) => return one_session(command, &data).await,
        Command::Memos(args) => memos::run(&args, data_dir).await?,
        Command::Mcp(args) => mcp::run(&args, &data).await?,
        Command::Plugin(args) => plugin::run(&args).await?,
        Command::Engine(args) => engine::run(&args, &data).await?,
        Command::Serve(args) => serve::run(&args, &data).await?,
        Command::Acp(args) => acp::run(&args, &data).await?,
        Command::Watch(args) => return watch::run(&args, &data).await,
        Command::Config(args) => config::run_config(&args, data_dir).await?,
        Command::Trust(args) => config::run_trust(&args, data_dir.as_deref())?,
        Command::Show(args) => return show::run(&args, &data).await,
        Command::Recover(args) => return recover::run(&args, &data).await,
        Command::Store(args) => return store::run(&args, &data).await,
        Command::Report(args) => return report::run(&args, &data).await,
        Command::Export(args) => return export::run(&args, &data).await,
        Command::Import(args) => import::run(&args, &data).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a command on one stored session.
async fn one_session(command: SessionSubcommand, data: &DataArgs) -> anyhow::Result<ExitCode> {
    use SessionSubcommand as One;
    let (session, command, json): (&str, _, _) = match &command {
        One::Context(args) => (&args.session, args.command(), args.json),
        One::Messages(args) => args.what.command(),
        One::Undo(args) => (&args.session, args.flags.command(), false),
        One::Redo(args) => (&args.session, args.flags.command(), false),
        One::Pin(args) => (&args.session, args.pin.command(), false),
        One::Unpin(args) => (&args.session, args.unpin.command(), false),
        One::Pins(args) => (&args.session, SessionCommand::Pins, args.json),
        One::Diff(args) => (&args.session, args.command(), args.json),
        One::Summaries(args) => (&args.session, SessionCommand::Summaries, args.json),
        One::Scratchpad(args) => (&args.session, args.command(), args.json),
        One::State(args) => (&args.session, args.command(), args.json),
        One::Handoff(args) => (&args.session, args.command(), args.json),
        One::Checkpoints(args) => (&args.session, args.command(), args.json),
    };
    one_session::run(session, &command, json, data).await
}

fn fail(error: &anyhow::Error) -> ExitCode {
    complain(&refusal(error));
    ExitCode::from(usage::exit_code(error))
}
