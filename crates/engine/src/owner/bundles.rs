//! Answers of players that come together: each gets the verdict that `judging` gives to the single command, in the state after the
//! one before it.
//!
//! Called by `owner` for the frame of an edge. What is the same for all of them is looked up once, and those that are stored make one
//! event.

use quizhall_rules::{Answers, Change, Command, CommandId, Event, Refusal, SentRow, Taking};

use super::Owner;
use super::allowances::{LogAllowances, bytes_of_answer};
use super::judging::Verdict;
use super::presence::Presence;
use crate::frames::GivenAnswers;
use crate::ids::{ConnectionId, EdgeId, Participant, READ_AHEAD, Time};

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
    players: usize,
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
        let seq = self.speculative_seq();
        let Self { state, presence, allowances, building, now, .. } = self;
        let (now, players) = (*now, state.player_count());
        let of_frame = Answers { question: given.question, epoch: given.epoch, texts: &given.texts };
        let taking = Taking::of(state, of_frame, now.into());
        let mut run = Run { taking, presence, allowances, edge, given, players, now };
        let mut taken = 0;
        'rows: for some in rows.chunks(READ_AHEAD) {
            run.read_ahead(some);
            for row in some {
                match run.judge(row) {
                    Judged::Odd => break 'rows,
                    Judged::Dropped => {}
                    Judged::Decided(connection, verdict) => {
                        let seq = seq + u64::from(run.taking.has_stored());
                        let reply = verdict.reply((connection, row.command_id(given.epoch)), seq);
                        building.out.extend(reply.map(|reply| (edge, reply)));
                    }
                }
                taken += 1;
            }
        }
        if let Some(bundle) = run.taking.finish() {
            building.store(Event::new(Change::Answers(bundle.into()), None));
        }
        &rows[taken..]
    }

    fn take_single(&mut self, edge: EdgeId, given: &GivenAnswers, row: &SentRow) {
        let command_id = row.command_id(given.epoch);
        let player = self.presence.slot_of(row.session).and_then(|slot| self.state.player_at(slot));
        let (Some(player), Some(answer)) = (player, given.texts.get(row.text as usize)) else { return };
        let participant = Participant::Player(player.id);
        let Some((connection, _)) = self.presence.socket_of(participant, (edge, command_id.session)) else { return };
        let command = Command::SubmitAnswer { question: given.question, answer: answer.clone(), elapsed: row.elapsed };
        let verdict = self.judge((edge, participant), (command_id, None), &command);
        self.reply(edge, verdict.reply((connection, command_id), self.speculative_seq()));
    }
}

impl Run<'_> {
    fn read_ahead(&self, rows: &[SentRow]) {
        for slot in rows.iter().filter_map(|row| self.presence.slot_of(row.session)) {
            self.taking.read_ahead(slot);
            if let Some((player, _)) = self.taking.player(slot) {
                self.presence.read_ahead(Participant::Player(player));
            }
        }
    }

    fn judge(&mut self, row: &SentRow) -> Judged {
        let command_id = row.command_id(self.given.epoch);
        let Some(slot) = self.presence.slot_of(row.session) else { return Judged::Dropped };
        let Some((player, last)) = self.taking.player(slot) else { return Judged::Dropped };
        let participant = Participant::Player(player);
        let socket = self.presence.socket_of(participant, (self.edge, command_id.session));
        let Some((connection, sessions)) = socket else { return Judged::Dropped };
        // Otherwise no command of another edge can be newer.
        if last.is_some_and(|last| !sessions.contains(&Some(last.session))) {
            return Judged::Odd;
        }
        let is_first = last.is_some_and(|last| last.session != command_id.session);
        let verdict = if let Some(refusal) = self.presence.refusal_of(participant, command_id) {
            Verdict::Refused(refusal)
        } else if self.presence.was_done(participant, command_id) {
            Verdict::Done
        } else {
            match self.taking.decide(slot, row) {
                Err(refusal) => self.refuse(participant, command_id, refusal),
                // The player gave it over an earlier socket: it is stored again.
                Ok(None) if is_first => return Judged::Odd,
                Ok(None) => {
                    self.presence.done(participant, command_id);
                    Verdict::Done
                }
                Ok(Some(_)) if !self.may_store(participant, row) => {
                    self.refuse(participant, command_id, Refusal::TooMuch)
                }
                Ok(Some(decided)) => {
                    self.taking.store(slot, decided);
                    Verdict::Stored
                }
            }
        };
        Judged::Decided(connection, verdict)
    }

    fn may_store(&mut self, participant: Participant, row: &SentRow) -> bool {
        let bytes = self.given.texts.get(row.text as usize).map_or(0, |text| bytes_of_answer(text.as_str()));
        self.allowances.take(self.now, (participant, self.players), bytes)
    }

    fn refuse(&mut self, participant: Participant, command_id: CommandId, refusal: Refusal) -> Verdict {
        self.presence.refused(participant, command_id, refusal);
        Verdict::Refused(refusal)
    }
}
