//! `throughline audit`: where the money of recorded sessions went.

pub(crate) mod args;
mod output;
mod recordings;

use std::process::ExitCode;

use anyhow::ensure;
use indicatif::ProgressBar;
use throughline_audit::{
    AuditOptions, AuditReport, CountedAnswers, Estimator, ModelPrice, RecordedSession, SessionAudit,
    SessionPart, SimulatedSession, Simulation, audit, csv, html, text, usual_window,
};
use throughline_connect::{ModelRow, ModelTable, model_table};
use throughline_terminal::{Style, complain, json, line, note};
use throughline_text::{error_chain, plain};

use self::args::AuditArgs;
use self::recordings::recordings;
use crate::replay::progress;

/// Audits every recording. Those that cannot be read are reported on standard error, and the exit code is 1.
pub(crate) async fn run(args: &AuditArgs) -> anyhow::Result<ExitCode> {
    let recordings = recordings(args)?;
    output::check(args, &recordings)?;
    let prices = model_table()?;
    let price = |model: Option<&str>| price_of(&row_of(&prices, model));
    let counter = Estimator::Script.counter();
    let options = AuditOptions { counter: counter.as_ref(), price: &price, overhead: args.overhead };
    // The policies take nearly all of the time.
    let parts = if args.no_policies { 0 } else { Simulation::parts() };
    let bar = progress(recordings.len() as u64 * (1 + parts))?;
    let mut collected = Collected::default();
    for (number, recording) in (1_u64..).zip(&recordings) {
        bar.set_message(format!("{number}/{} {}", recordings.len(), plain(&recording.name())));
        match recording.read() {
            Ok(Some(mut recorded)) => {
                bar.suspend(|| recorded.warnings.iter().for_each(|text| note(text)));
                let separate = std::mem::take(&mut recorded.separate);
                for session in std::iter::once(recorded).chain(separate) {
                    let audited = audit(&session, &options, &mut collected.counted);
                    let simulation = simulation(args, &session, &audited, &prices);
                    let added = collected.add(session, audited, simulation, || bar.inc(1)).await;
                    collected.failed |= report(&bar, &added);
                }
            }
            Ok(None) => {}
            Err(error) => collected.failed |= report(&bar, &Err(error.into())),
        }
        // A file that was not simulated is done, too.
        bar.set_position(number * (1 + parts));
    }
    bar.finish_and_clear();
    let Collected { sessions, simulated, failed, .. } = collected;
    ensure!(!sessions.is_empty(), "no recording could be audited");
    print(args, &AuditReport::of(sessions, simulated))?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints why something failed. Returns true if it did.
fn report(bar: &ProgressBar, outcome: &anyhow::Result<()>) -> bool {
    if let Err(error) = outcome {
        bar.suspend(|| complain(&error_chain(error.as_ref())));
    }
    outcome.is_err()
}

/// What was audited so far.
#[derive(Debug, Default)]
struct Collected {
    sessions: Vec<SessionAudit>,
    simulated: Vec<SimulatedSession>,
    counted: CountedAnswers,
    failed: bool,
}

impl Collected {
    /// Adds a session, and what policies would have cost. When they cannot be run, the session is there nevertheless.
    async fn add(
        &mut self,
        recorded: RecordedSession,
        audited: SessionAudit,
        simulation: Option<Simulation>,
        done: impl Fn(),
    ) -> anyhow::Result<()> {
        let place = self.sessions.len();
        self.sessions.push(audited);
        if let Some(simulation) = simulation {
            self.simulated.push(simulation.run(recorded, place, done).await?);
        }
        Ok(())
    }
}

fn print(args: &AuditArgs, report: &AuditReport) -> anyhow::Result<()> {
    if let Some(path) = &args.csv {
        output::write(path, &csv(report))?;
    }
    if let Some(path) = &args.html {
        output::write(path, &html(report))?;
    }
    if args.json {
        return Ok(json(&output::with_six_decimals(serde_json::to_value(report)?))?);
    }
    for row in text(report, Style::of_stdout()) {
        line(&row);
    }
    Ok(())
}

/// What the table says of a model, at its own provider.
fn row_of(table: &ModelTable, model: Option<&str>) -> ModelRow {
    let name = model.unwrap_or_default();
    table.find(table.provider_of(name).unwrap_or_default(), name)
}

fn price_of(row: &ModelRow) -> ModelPrice {
    ModelPrice { price: row.price(), rules: row.info.cache }
}

/// How the policies are run over a session; `None` where its price is not known, where they are not wanted, and for a session
/// of which another has sent a part.
fn simulation(
    args: &AuditArgs,
    recorded: &RecordedSession,
    audited: &SessionAudit,
    table: &ModelTable,
) -> Option<Simulation> {
    let row = row_of(table, recorded.model.as_deref());
    let price = price_of(&row);
    let is_whole = recorded.part != SessionPart::Rewound && audited.copied == 0;
    if args.no_policies || !price.is_known() || audited.unpriced_requests > 0 || !is_whole {
        return None;
    }
    let usual = || usual_window(row.info.window, audited.peak, args.max_output);
    let window = args.window.unwrap_or_else(usual);
    Some(Simulation { window, max_output: args.max_output, overhead: args.overhead, price })
}
