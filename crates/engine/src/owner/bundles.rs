//! Answers of players that come together: each gets the verdict that `judging` gives to the single command, in the state after the
//! one before it.
//!
//! Called by `owner` for the frame of an edge. What is the same for all of them is looked up once, and those that are stored make one
//! event.

use quizhall_rules::{Answers, Change, Command, CommandId, Event, Refusal, SentRow, Taking};

use super::Owner;
use super::allowances::{LogAllowances, bytes_of_answer};
use super::presence::Presence;
use super::verdict::Verdict;
use crate::frames::{GivenAnswers, Outcome, ToEdge};
use crate::ids::{ConnectionId, EdgeId, READ_AHEAD, Time};

/// What becomes of a row.
enum Judged {
    /// It is not from the newest socket of its player, or that socket is not attached yet: a retransmission decides.
    Dropped,
    /// The last command of its player came over another socket: it is decided by itself.
    Odd,
    Decided(ConnectionId, Verdict),
}

/// Rows that are decided together.
struct Run<'a> {
    taking: Taking<'a>,
    presence: &'a mut Presence,
    allowances: &'a mut LogAllowances,
    edge: EdgeId,
    given: &'a GivenAnswers,
    now: Time,
}

impl Owner {
    pub(super) fn take_answers(&mut self, edge: EdgeId, given: &GivenAnswers) {
        let mut rest = &given.rows.0[..];
        while !rest.is_empty() {
            rest = self.take_together(edge, given, rest);
            if let Some((odd, later)) = rest.split_first() {
                self.take_single(edge, given, odd);
                rest = later;
            }
        }
    }

    /// Takes rows up to the first that has to be decided by itself, and returns that one and those after it.
    fn take_together<'a>(&mut self, edge: EdgeId, given: &GivenAnswers, rows: &'a [SentRow]) -> &'a [SentRow] {
        let Self { state, presence, allowances, building, now, .. } = self;
        let now = *now;
        let of_frame = Answers { question: given.question, epoch: given.sessions_of(), texts: &given.texts };
        let taking = Taking::of(state, of_frame, now.into());
        let mut run = Run { taking, presence, allowances, edge, given, now };
        let (mut taken, mut outcomes) = (0, Vec::new());
        'rows: for some in rows.chunks(READ_AHEAD) {
            run.read_ahead(some);
            for row in some {
                match run.judge(row) {
                    Judged::Odd => break 'rows,
                    Judged::Dropped => {}
                    Judged::Decided(connection, verdict) => {
                        let of_row = |outcome| (connection, row.command_id(given.sessions_of()), outcome);
                        outcomes.extend(verdict.outcome().map(of_row));
                    }
                }
                taken += 1;
            }
        }
        if let Some(bundle) = run.taking.finish() {
            building.store(Event::new(Change::Answers(bundle.into()), None));
        }
        self.reply_together(edge, outcomes);
        &rows[taken..]
    }

    fn reply_together(&mut self, edge: EdgeId, rows: Vec<(ConnectionId, CommandId, Outcome)>) {
        let seq = self.speculative_seq();
        self.reply(
            edge,
            match rows[..] {
                [] => None,
                [(connection, command_id, outcome)] => Some(outcome.reply((connection, command_id), seq)),
                _ => Some(ToEdge::Outcomes { seq, rows }),
            },
        );
    }

    fn take_single(&mut self, edge: EdgeId, given: &GivenAnswers, row: &SentRow) {
        let command_id = row.command_id(given.sessions_of());
        let Some(session) = self.presence.over(edge, command_id) else { return };
        let (participant, connection) = (session.participant, session.connection);
        let Some(answer) = given.texts.get(row.text as usize) else { return };
        let command = Command::SubmitAnswer { question: given.question, answer: answer.clone(), elapsed: row.elapsed };
        let verdict = self.judge((edge, participant), (command_id, None), &command);
        self.reply(edge, verdict.reply((connection, command_id), self.speculative_seq()));
    }
}

impl Run<'_> {
    fn read_ahead(&self, rows: &[SentRow]) {
        if self.given.given_by.is_some() {
            return;
        }
        for slot in rows.iter().filter_map(|row| self.presence.read_ahead_of(row.session)) {
            self.taking.read_ahead(slot);
            self.allowances.read_ahead(slot);
        }
    }

    fn judge(&mut self, row: &SentRow) -> Judged {
        let command_id = row.command_id(self.given.sessions_of());
        let Some(session) = self.presence.over(self.edge, command_id) else { return Judged::Dropped };
        let Some((slot, last)) = session.slot.and_then(|slot| Some((slot, self.taking.last_command(slot)?))) else {
            return Judged::Dropped;
        };
        // Otherwise no command of another edge can be newer.
        if last.is_some_and(|last| !session.numbers().contains(&Some(last.session))) {
            return Judged::Odd;
        }
        let verdict = if let Some(verdict) = session.repeated(command_id) {
            verdict
        } else {
            match self.taking.decide(slot, row) {
                // The player gave it over an earlier socket: it is stored again.
                Ok(None) if last.is_some_and(|last| last.session != command_id.session) => return Judged::Odd,
                Ok(None) => {
                    session.note_done(command_id);
                    Verdict::Done
                }
                Ok(Some(decided)) if self.allowances.take_of_player(self.now, slot, bytes_of(self.given, row)) => {
                    self.taking.store(slot, decided);
                    Verdict::Stored
                }
                refused => {
                    let refusal = refused.err().unwrap_or(Refusal::TooMuch);
                    session.note_refused(command_id, refusal);
                    Verdict::Refused(refusal)
                }
            }
        };
        Judged::Decided(session.connection, verdict)
    }
}

fn bytes_of(given: &GivenAnswers, row: &SentRow) -> u64 {
    given.texts.get(row.text as usize).map_or(0, |text| bytes_of_answer(text.as_str()))
}
