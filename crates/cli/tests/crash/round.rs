//! One session: killed once or more, checked after each kill, then run to its end and checked as a whole.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use crate::chance::Chance;
use crate::end::{Story, check_database, check_project, check_requests};
use crate::life::{Life, Moment, World};
use crate::log::{Log, check_resumes, check_shown, requests};
use crate::project::Template;

/// Maximum number of kills of one session.
const MOST_KILLS: u64 = 3;

/// What was counted.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) rounds: u64,
    pub(crate) kills: u64,
    pub(crate) in_a_call: u64,
    pub(crate) records: u64,
    pub(crate) requests: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.kills += other.kills;
        self.in_a_call += other.in_a_call;
        self.records += other.records;
        self.requests += other.requests;
    }
}

/// What a session without a kill is like.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) lasts: Duration,
    pub(crate) controls: usize,
    story: Story,
    seed: u64,
}

impl Plan {
    /// Runs a session without a kill.
    pub(crate) fn measure(template: &Template, seed: u64) -> anyhow::Result<Self> {
        let world = World::new(template)?;
        let start = Instant::now();
        let life = Life::run(&world, 0, Moment::Never)?;
        let lasts = start.elapsed();
        let records = Log::export(&world)?.records()?;
        ensure!(life.acked == records.len() as u64, "the last record is not acknowledged");
        check_end(&world, &records)?;
        let story = Story::of(&records);
        ensure!(story.user.len() == 3, "the user says {} messages", story.user.len());
        Ok(Self { lasts, controls: life.controls, story, seed })
    }

    /// Runs a session with kills. On a fault its folder is kept.
    pub(crate) fn run(&self, template: &Template, round: u64) -> anyhow::Result<Tally> {
        let mut chance = Chance::new(self.seed.wrapping_add(round.wrapping_mul(0x5851_f42d_4c95_7f2d)));
        loop {
            let mut world = World::new(template)?;
            let mut tally = Tally { rounds: 1, ..Tally::default() };
            if let Err(fault) = self.session(&world, &mut chance, &mut tally) {
                world.folder.disable_cleanup(true);
                return Err(fault.context(format!("see {}", world.folder.path().display())));
            }
            // A session that ended before its kill shows nothing.
            if tally.kills > 0 {
                return Ok(tally);
            }
        }
    }

    fn session(&self, world: &World, chance: &mut Chance, tally: &mut Tally) -> anyhow::Result<()> {
        let planned = MOST_KILLS.saturating_sub(chance.below(6)).max(1);
        let (mut acked, mut log, mut resumed) = (0, Log::default(), Vec::new());
        while tally.kills < planned {
            let moment = self.moment(chance, tally.kills);
            let life = Life::run(world, chance.below(4), moment)?;
            acked = acked.max(life.acked);
            let after = Log::export(world)?;
            let what = || format!("after kill {} ({moment:?})", tally.kills + 1);
            check_kept(&log, &after, acked).with_context(what)?;
            log = after;
            if !life.killed {
                break;
            }
            let records = log.records().with_context(what)?;
            if requests(&records) > 0 {
                check_resumes(world, &records).with_context(what)?;
            }
            resumed.push(requests(&records) + 1);
            tally.kills += 1;
            tally.in_a_call += u64::from(life.in_a_call);
        }
        acked = acked.max(Life::run(world, 0, Moment::Never)?.acked);
        let end = Log::export(world)?;
        check_kept(&log, &end, acked)?;
        let records = end.records()?;
        check_end(world, &records)?;
        ensure!(
            Story::of(&records) == self.story,
            "the session tells another story: {:?}",
            Story::of(&records)
        );
        let last = requests(&records);
        resumed.push(last);
        resumed.dedup();
        resumed
            .into_iter()
            .filter(|number| *number <= last)
            .try_for_each(|it| check_shown(world, &records, it))?;
        Life::run(world, 0, Moment::Never)?;
        ensure!(Log::export(world)? == end, "a session that had ended was written to");
        tally.records += records.len() as u64;
        tally.requests += last;
        Ok(())
    }

    /// Three of four kills come with a control line or just after it, where something has been written or begins.
    /// The others come at any time, which is mostly in the demo's one slow call.
    fn moment(&self, chance: &mut Chance, kills: u64) -> Moment {
        // A resumed process has less left to do.
        let controls = (self.controls as u64) >> kills;
        let line = usize::try_from(chance.below(controls) + 1).unwrap_or(1);
        match chance.below(4) {
            0 => Moment::Control(line, Duration::ZERO),
            1 => Moment::Control(line, chance.time(Duration::from_millis(3))),
            2 => Moment::Control(line, chance.time(Duration::from_millis(40))),
            _ => Moment::Time(chance.time(self.lasts)),
        }
    }
}

/// What was acknowledged is there, and what was there is the same.
fn check_kept(before: &Log, after: &Log, acked: u64) -> anyhow::Result<()> {
    let found = after.lines.len() as u64;
    ensure!(found >= acked, "record {acked} was acknowledged and the log has {found}");
    ensure!(after.lines.starts_with(&before.lines), "records that were in the log have changed");
    Ok(())
}

fn check_end(world: &World, records: &[throughline_conversation::Record]) -> anyhow::Result<()> {
    check_requests(records)?;
    check_database(world, records)?;
    check_resumes(world, records)?;
    check_project(world)
}
