//! What the clients know: every answer they sent, and which of them were acknowledged; invariants 2 and 4.

use std::collections::{BTreeMap, BTreeSet};

use quizhall_engine::Participant;
use quizhall_protocol::{ServerMessage, ToAll, ToHost, ToPlayer};
use quizhall_rules::{Change, CommandId, Event, PlayerId, QuestionId};

use super::World;

#[derive(Debug)]
pub struct Sent {
    pub text: String,
    pub acked: bool,
}

#[derive(Debug, Default)]
pub struct Ledger {
    /// The answers per device and question, in the order in which the device sent them, on any of its sockets.
    pub answers: BTreeMap<Asked, Vec<Sent>>,
    /// Players whose join was acknowledged.
    pub joined: BTreeSet<PlayerId>,
    /// The ids of refused commands; with the epoch of the refusal when the sender got no reply.
    pub refused: Vec<(CommandId, Option<u64>)>,
    /// How many times the seat had moved when the socket of a session got its token.
    pub moves: BTreeMap<u64, u32>,
}

/// A device of a player, and a question.
pub type Asked = (Participant, QuestionId);

/// The device from which an event's answer came, and the answer.
fn answered(event: &Event) -> Option<(Asked, &str)> {
    let Change::Answered { player, device, question, answer, .. } = &event.change else { return None };
    Some(((Participant::player_over(*player, *device), *question), answer))
}

impl World {
    /// Folds a message into what the client knows.
    pub fn fold(&mut self, socket: usize, message: &ServerMessage, during_sync: bool) {
        let who = self.sockets[socket].who;
        match message {
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                let question = QuestionId::from(released.question.id);
                self.must_be_open(socket, question);
                let open = &mut self.sockets[socket].open;
                if !open.contains(&question) {
                    open.push(question);
                }
            }
            // Earlier answers may still be acknowledged.
            ServerMessage::All(ToAll::QuestionClosed(closed)) => {
                self.sockets[socket].open.retain(|open| open.uuid() != closed.question_id);
            }
            ServerMessage::All(ToAll::RoundEnded | ToAll::RoundLeaderboard(_) | ToAll::StandingsStatus(_)) => {
                self.round_over(socket);
            }
            ServerMessage::All(ToAll::GameEnded(_)) => {
                self.round_over(socket);
                self.sockets[socket].saw_end = true;
            }
            ServerMessage::Host(ToHost::ScoreboardUpdate(count)) => {
                self.must_be_open(socket, QuestionId::from(count.question_id));
            }
            ServerMessage::Player(ToPlayer::AnswerAccepted(accepted)) => {
                let question = QuestionId::from(accepted.question_id);
                self.must_be_open(socket, question);
                if who.as_host().is_none() {
                    self.acknowledged(socket, (who, question), during_sync);
                }
            }
            _ => {}
        }
        if self.sockets[socket].saw_end
            && !matches!(message, ServerMessage::All(ToAll::GameEnded(_) | ToAll::LobbyUpdate(_)))
            // Messages that are paced may come later than others, and hosts are sent that no step is left.
            && !matches!(
                message,
                ServerMessage::Host(ToHost::RoomUpdate(_) | ToHost::StepUpdate(_))
                    | ServerMessage::Player(ToPlayer::LobbyChanged(_))
            )
        {
            self.fail("4: something after the end of the game".to_owned());
        }
    }

    /// Invariant 4: a question that was closed on a socket never opens again on it.
    fn must_be_open(&mut self, socket: usize, question: QuestionId) {
        if self.sockets[socket].closed.contains(&question) {
            self.fail("4: a question of an ended round".to_owned());
        }
    }

    fn round_over(&mut self, socket: usize) {
        let over = std::mem::take(&mut self.sockets[socket].open);
        self.sockets[socket].closed.extend(over);
    }

    /// The n-th acknowledgement on a socket answers the n-th message on it.
    fn acknowledged(&mut self, socket: usize, key: Asked, during_sync: bool) {
        if during_sync || self.sockets[socket].strays.contains(&key.1) {
            return;
        }
        let sent = self.sockets[socket].outstanding.get_mut(&key.1).and_then(std::collections::VecDeque::pop_front);
        let Some(sent) = sent else {
            return self.fail("2: an acknowledgement of nothing that was sent here".to_owned());
        };
        let Some(answer) = self.ledger.answers.get_mut(&key).and_then(|answers| answers.get_mut(sent)) else { return };
        answer.acked = true;
        let text = answer.text.clone();
        self.trace.detail(|| format!("answer {sent} of {key:?} acknowledged on {socket}: `{text}`"));
        let durable = self.store.singles.iter().filter_map(|(_, event)| answered(event));
        if !durable.into_iter().any(|(given, answer)| given == key && *answer == *text) {
            self.fail(format!("2: `{text}` was acknowledged and is not in the log"));
        }
    }

    /// Promise 2 at the end: a message takes effect once, however often its frames came.
    pub fn check_effects(&mut self) {
        let mut stored: BTreeMap<(Asked, &str), usize> = BTreeMap::new();
        for given in self.store.singles.iter().filter_map(|(_, event)| answered(event)) {
            *stored.entry(given).or_default() += 1;
        }
        let more = stored.into_iter().find_map(|((key, text), stored)| {
            let answers = self.ledger.answers.get(&key);
            let sent = answers.map_or(0, |answers| answers.iter().filter(|answer| answer.text == text).count());
            (stored > sent).then(|| format!("2: `{text}` was sent {sent} times and stored {stored} times"))
        });
        if let Some(more) = more {
            self.fail(more);
        }
    }

    /// Invariant 2 at the end: the last acknowledged answer counts, or one that the player sent later.
    pub fn check_ledger(&mut self) {
        let last: BTreeMap<Asked, &str> = self.store.singles.iter().filter_map(|(_, event)| answered(event)).collect();
        let mut missing = None;
        for (key, answers) in &self.ledger.answers {
            let Some(acked) = answers.iter().rposition(|answer| answer.acked) else { continue };
            let kept = last.get(key).copied().unwrap_or_default();
            if !answers[acked..].iter().any(|answer| answer.text == kept) {
                missing =
                    Some(format!("2: {key:?}: `{}` was acknowledged last and `{kept}` counts", answers[acked].text));
            }
        }
        if let Some(missing) = missing {
            self.fail(missing);
        }
        let mut epoch = 0;
        let mut stored: BTreeMap<CommandId, u64> = BTreeMap::new();
        for (_, event) in &self.store.singles {
            if let Change::Claimed { epoch: newest, .. } = event.change {
                epoch = newest;
            }
            stored.extend(event.command_id.map(|command_id| (command_id, epoch)));
        }
        let is_stored = |(command_id, by): &(CommandId, Option<u64>)| {
            stored.get(command_id).is_some_and(|epoch| by.is_none_or(|by| by == *epoch))
        };
        if self.ledger.refused.iter().any(is_stored) {
            self.fail("9: a refused command is in the log".to_owned());
        }
        if !self.ledger.joined.iter().all(|player| self.store.truth.was_ever_in(player.uuid())) {
            self.fail("11: a join was acknowledged and the player is lost".to_owned());
        }
    }
}
