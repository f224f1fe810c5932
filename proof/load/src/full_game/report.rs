//! What a full game comes to: as a few lines for people, or as JSON.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::timing::Percentiles;
use super::violations::Violation;
use super::world::World;

/// The outcome.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// No violation.
    pub ok: bool,
    /// Players, or teams.
    pub players: usize,
    /// Their phones; one for each player who is no team.
    pub phones: usize,
    /// Rounds planned.
    pub rounds: usize,
    /// Questions released.
    pub questions: usize,
    /// From the first request to the last check, in seconds.
    pub seconds: f64,
    /// Messages read by all participants.
    pub messages: u64,
    /// Answers acknowledged, changed and repeated ones included.
    pub answers_acknowledged: u64,
    /// Those of them in whose place a later one of the same player counts.
    pub answers_replaced: u64,
    /// Sheets of teams that phones showed when a round had ended, each as it was committed.
    pub sheets_compared: u64,
    /// Lines cut or left on purpose.
    pub stepped_out: u64,
    /// Lines the server closed or lost.
    pub lines_lost: u64,
    /// Attempts to connect that were put off.
    pub refused: u64,
    /// Answers that crossed `round_ended` or `question_closed`.
    pub crossed: u64,
    /// Questions that closed by themselves.
    pub questions_closed: usize,
    /// Encrypted copies that players loaded.
    pub copies_loaded: u64,
    /// Pictures that players opened, each the one that was uploaded.
    pub pictures_opened: u64,
    /// Latencies in milliseconds.
    pub latency: Latencies,
    /// The violations of the promises.
    pub violations: Vec<Violation>,
}

/// All latencies that were measured.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Latencies {
    /// `POST /join`.
    pub join: Percentiles,
    /// Handshake to the last sync message.
    pub resync: Percentiles,
    /// `release_question` to `question_released`.
    pub question: Percentiles,
    /// `submit_answer` to `answer_accepted`.
    pub ack: Percentiles,
    /// `release_scores` to `round_scores`.
    pub scores: Percentiles,
}

impl Report {
    /// Sums a full game up.
    pub fn of(world: &World, taken: Duration) -> Self {
        let violations = world.violations.list();
        let timing = &world.timing;
        let rounds = world.plan.rounds.len();
        Self {
            ok: violations.is_empty(),
            players: world.seating.players(),
            phones: world.seating.bots(),
            rounds,
            questions: (0..rounds).map(|round| world.releases(round).len()).sum(),
            seconds: taken.as_secs_f64(),
            messages: timing.messages.get(),
            answers_acknowledged: timing.acked.get(),
            answers_replaced: timing.replaced.get(),
            sheets_compared: timing.sheets.get(),
            stepped_out: timing.stepped_out.get(),
            lines_lost: timing.lost.get(),
            refused: timing.refused.get(),
            crossed: timing.crossed.get(),
            questions_closed: world.clocks.closed().len(),
            copies_loaded: timing.loaded.get(),
            pictures_opened: timing.opened.get(),
            latency: Latencies {
                join: timing.join.spread(),
                resync: timing.resync.spread(),
                question: timing.question.spread(),
                ack: timing.ack.spread(),
                scores: timing.scores.spread(),
            },
            violations,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { players, rounds, questions, seconds, .. } = self;
        writeln!(out, "{players} players, {rounds} rounds, {questions} questions in {seconds:.1} s")?;
        writeln!(
            out,
            "{} messages read, {} answers acknowledged, {} replaced by a later one, {} crossed the end of a round",
            self.messages, self.answers_acknowledged, self.answers_replaced, self.crossed
        )?;
        if self.sheets_compared > 0 {
            let (phones, sheets) = (self.phones, self.sheets_compared);
            writeln!(out, "{phones} phones of teams, {sheets} sheets compared with what was committed")?;
        }
        writeln!(
            out,
            "{} lines left on purpose, {} lost, {} attempts put off",
            self.stepped_out, self.lines_lost, self.refused
        )?;
        let (closed, loaded, opened) = (self.questions_closed, self.copies_loaded, self.pictures_opened);
        if closed + usize::from(loaded > 0) > 0 {
            writeln!(out, "{closed} questions closed by themselves, {loaded} copies loaded, {opened} pictures opened")?;
        }
        writeln!(out, "latency, ms      count       p50       p95       p99       max")?;
        let latency = &self.latency;
        for (name, spread) in [
            ("join", latency.join),
            ("resync", latency.resync),
            ("question", latency.question),
            ("ack", latency.ack),
            ("scores", latency.scores),
        ] {
            let Percentiles { count, p50, p95, p99, max } = spread;
            writeln!(out, "  {name:<10} {count:>9} {p50:>9.1} {p95:>9.1} {p99:>9.1} {max:>9.1}")?;
        }
        if self.ok {
            return write!(out, "every message was as it must be");
        }
        write!(out, "VIOLATIONS")?;
        for Violation { kind, count, examples } in &self.violations {
            write!(out, "\n  {kind}: {count}")?;
            for example in examples {
                write!(out, "\n    {example}")?;
            }
        }
        Ok(())
    }
}
