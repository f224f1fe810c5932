//! What a socket with the extension has been told, folded; and whether that is what stands in the log (invariant 12).

use std::collections::{BTreeMap, BTreeSet};

use quizhall_engine::{Dialect, Participant};
use quizhall_protocol::to_all::RoundStarted;
use quizhall_protocol::to_host::{AnswersMarked, PlayerStatus, PlayersAnswered, RoomPlayer, RoomUpdate};
use quizhall_protocol::{ServerMessage, ToAll, ToHost, ToPlayer};
use quizhall_rules::{Change, Phase, PlayerId, QuestionId};

use super::World;
use super::reference::{RefAnswer, Reference};

/// A fold as a client makes it: who is here, who has answered, how answers count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    host_here: bool,
    room: BTreeMap<PlayerId, bool>,
    numbers: (u32, u32, bool),
    answered: BTreeSet<(QuestionId, PlayerId)>,
    marks: BTreeMap<(QuestionId, PlayerId), bool>,
    undoable: u32,
    standings_held: bool,
}

impl Told {
    pub fn take(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::All(ToAll::HostStatus(status)) => self.host_here = status.connected,
            ServerMessage::All(ToAll::RoundStarted(_)) => {
                self.answered.clear();
                self.marks.clear();
                self.standings_held = false;
            }
            ServerMessage::All(ToAll::StandingsStatus(status)) => self.standings_held = status.held,
            ServerMessage::All(ToAll::GameEnded(_)) => self.standings_held = false,
            ServerMessage::Host(message) => self.take_of_host(message),
            _ => {}
        }
    }

    fn take_of_host(&mut self, message: &ToHost) {
        match message {
            ToHost::RoomUpdate(update) => self.enter(update),
            ToHost::PlayersAnswered(answered) => {
                let question = QuestionId::from(answered.question_id);
                self.answered.extend(answered.player_ids.iter().map(|player| (question, PlayerId::from(*player))));
            }
            ToHost::AnswersMarked(marked) => {
                for mark in &marked.marks {
                    self.mark(marked.question_id.into(), mark.player_id.into(), mark.correct);
                }
            }
            ToHost::MarkingUpdate(update) => self.undoable = update.undoable,
            ToHost::RoundReview(review) => {
                self.marks.clear();
                for entry in &review.answers {
                    self.mark(entry.question_id.into(), entry.player_id.into(), entry.correct);
                }
            }
            ToHost::OverrideApplied(applied) => {
                self.mark(applied.question_id.into(), applied.player_id.into(), applied.correct);
            }
            ToHost::ScoreboardUpdate(_) => {}
        }
    }

    fn enter(&mut self, update: &RoomUpdate) {
        if update.whole {
            self.room.clear();
        }
        for RoomPlayer { id, status, .. } in &update.players {
            let player = PlayerId::from(*id);
            match status {
                PlayerStatus::Gone => drop(self.room.remove(&player)),
                seated => drop(self.room.insert(player, *seated == PlayerStatus::Connected)),
            }
        }
        self.numbers = (update.total, update.connected, update.locked);
    }

    fn mark(&mut self, question: QuestionId, player: PlayerId, correct: bool) {
        self.marks.insert((question, player), correct);
    }
}

impl Reference {
    /// The types that come before and behind the phase's sync messages on a socket with the extension.
    pub fn sync_extension(&self, to: Participant) -> (Vec<&'static str>, Vec<&'static str>) {
        use Phase::{Leaderboard, Question, RoundReview};
        let host = to == Participant::Host;
        let mut before = vec!["host_status"];
        before.extend(host.then_some("room_update"));
        let playing = matches!(self.phase, Some(Question | RoundReview | Leaderboard));
        before.extend((self.phase == Some(Phase::Lobby)).then_some("game_info"));
        before.extend(playing.then_some("round_started"));
        before.extend(self.standings_held.then_some("standings_status"));
        let behind = match self.phase {
            Some(Question) if host => {
                let answered = self.released.iter().filter(|question| self.answers_to(**question).next().is_some());
                vec!["players_answered"; answered.count()]
            }
            Some(RoundReview) if host => vec!["marking_update"],
            _ => Vec::new(),
        };
        (before, behind)
    }

    pub fn says_round_started(&self, started: &RoundStarted) -> bool {
        let quiz = self.quiz.as_ref().expect("the log begins with it");
        started.round as usize == self.round + 1
            && started.rounds as usize == quiz.rounds.len()
            && started.title == quiz.rounds[self.round].title
            && started.question_count as usize == quiz.rounds[self.round].questions.len()
            && self.phase != Some(Phase::Lobby)
    }

    pub fn says_players_answered(&self, answered: &PlayersAnswered) -> bool {
        let question = QuestionId::from(answered.question_id);
        let has = |player: &uuid::Uuid| self.answer(PlayerId::from(*player), question).is_some();
        !answered.player_ids.is_empty() && answered.player_ids.iter().all(has)
    }

    pub fn says_answers_marked(&self, marked: &AnswersMarked) -> bool {
        let question = QuestionId::from(marked.question_id);
        self.phase == Some(Phase::RoundReview)
            && marked.part.is_none()
            && marked.marks.iter().all(|mark| self.counts(mark.player_id.into(), question) == mark.correct)
    }

    fn counts(&self, player: PlayerId, question: QuestionId) -> bool {
        self.answer(player, question).is_some_and(RefAnswer::correct)
    }

    pub fn is_room(&self, update: &RoomUpdate) -> bool {
        let seats = self.players.iter().filter(|player| !player.removed);
        let connected = seats.clone().filter(|player| player.connected);
        let numbers = (seats.count(), connected.count(), self.locked);
        let fits = |shown: &RoomPlayer| {
            let known = self.players.iter().find(|player| player.id == PlayerId::from(shown.id));
            known.is_some_and(|player| {
                let status = match (player.removed || !player.present, player.connected) {
                    (true, _) => PlayerStatus::Gone,
                    (_, true) => PlayerStatus::Connected,
                    _ => PlayerStatus::Disconnected,
                };
                player.name == shown.display_name && status == shown.status
            })
        };
        let whole = update.players.iter().map(|shown| PlayerId::from(shown.id));
        (update.total as usize, update.connected as usize, update.locked) == numbers
            && update.players.iter().all(fits)
            && (!update.whole || whole.eq(self.lobby().map(|player| player.id)))
    }

    /// What a host must know of the room, in the same shape as what they were told.
    fn room(&self) -> (BTreeMap<PlayerId, bool>, (u32, u32, bool)) {
        let seats = self.players.iter().filter(|player| !player.removed);
        let number = |count: usize| u32::try_from(count).expect("few players");
        let connected = number(seats.clone().filter(|player| player.connected).count());
        let room = self.lobby().map(|player| (player.id, player.connected)).collect();
        (room, (number(seats.count()), connected, self.locked))
    }
}

/// What the events of the extension need, and what they do.
impl Reference {
    pub fn check_extension(&self, change: &Change) -> Result<(), &'static str> {
        let phase_of = |wanted| (self.phase == Some(wanted)).then_some(()).ok_or("not in this phase");
        match change {
            Change::Disconnected { player } => {
                let seat = self.player(*player).filter(|player| player.connected).ok_or("is not connected")?;
                (seat.present && self.is_running()).then_some(()).ok_or("not while the game runs")
            }
            Change::Connected { player } => {
                let seat = self.player(*player).filter(|player| !player.connected).ok_or("is connected")?;
                (seat.present && self.is_running()).then_some(()).ok_or("not while the game runs")
            }
            Change::HostLeft => (self.host_here && self.phase != Some(Phase::Ended)).then_some(()).ok_or("not here"),
            Change::HostReturned => (!self.host_here && self.phase != Some(Phase::Ended)).then_some(()).ok_or("here"),
            Change::AnswersMarked { question, texts, correct } => {
                phase_of(Phase::RoundReview)?;
                let does = |text: &String| self.named(*question, text, *correct).next().is_some();
                let fits = self.released.contains(question) && !texts.is_empty() && texts.iter().all(does);
                fits.then_some(()).ok_or("a text that changes nothing")
            }
            Change::MarkingUndone => {
                phase_of(Phase::RoundReview)?;
                (!self.markings.is_empty()).then_some(()).ok_or("nothing to take back")
            }
            _ => Err("not an extension message"),
        }
    }

    pub fn take_extension(&mut self, change: &Change) {
        match change {
            Change::AnswersMarked { question, texts, correct } => {
                let named = texts.iter().flat_map(|text| self.named(*question, text, *correct));
                let before: Vec<_> = named.map(|was| (was.player, *question, Some(was.clone()))).collect();
                for (player, question, _) in &before {
                    self.overrule(*player, *question, *correct);
                }
                self.markings.push(before);
            }
            Change::MarkingUndone => self.undo(),
            Change::HostLeft => self.host_here = false,
            Change::HostReturned => self.host_here = true,
            Change::Disconnected { player } => self.set_connected(*player, false),
            Change::Connected { player } => self.set_connected(*player, true),
            _ => {}
        }
    }

    fn is_running(&self) -> bool {
        !matches!(self.phase, Some(Phase::Lobby | Phase::Ended))
    }

    /// The answers of players to a question with this text that count otherwise.
    fn named<'a>(&'a self, question: QuestionId, text: &'a str, correct: bool) -> impl Iterator<Item = &'a RefAnswer> {
        self.answers_to(question).filter(move |answer| answer.text == text && answer.correct() != correct)
    }

    fn undo(&mut self) {
        for (player, question, was) in self.markings.pop().into_iter().flatten() {
            let same = |answer: &RefAnswer| (answer.player, answer.question) == (player, question);
            let at = self.answers.iter().position(same).expect("it was marked");
            match was {
                Some(answer) => self.answers[at] = answer,
                None => drop(self.answers.remove(at)),
            }
            // One whose only answer a marking had made has no place on the board any more.
            let has = self.answers.iter().any(|answer| answer.player == player);
            for seat in self.players.iter_mut().filter(|seat| seat.id == player) {
                seat.answered = has || seat.answered_before;
            }
        }
    }

    fn set_connected(&mut self, player: PlayerId, connected: bool) {
        for player in self.players.iter_mut().filter(|other| other.id == player) {
            player.connected = connected;
        }
    }
}

impl World {
    /// No extension message is sent on a socket that did not negotiate it.
    pub fn check_dialect(&mut self, socket: usize, message: &ServerMessage) {
        if message.since() > self.sockets[socket].dialect {
            self.fail("12: an extension message on a socket that did not ask".to_owned());
        }
    }

    /// While the standings are held no player who could be told so is sent a board. A socket that is new in a step of several
    /// events is sent its sync messages behind `after` of them, and its board is the same before and behind the showing.
    pub fn check_withheld(&mut self, (reference, after): (&Reference, usize), socket: usize, message: &ServerMessage) {
        let is_board = matches!(
            message,
            ServerMessage::All(ToAll::RoundLeaderboard(_)) | ServerMessage::Player(ToPlayer::ScoreboardUpdate(_))
        );
        let at = &self.sockets[socket];
        let withheld = at.dialect == Dialect::QuizhallV1 && at.who != Participant::Host && reference.standings_held;
        if is_board && withheld && self.are_held_until(reference.clone(), after) {
            self.fail("12: a board to a player while the standings are held".to_owned());
        }
    }

    fn are_held_until(&self, mut place: Reference, after: usize) -> bool {
        while place.standings_held && place.events < after {
            place.apply(&self.store.events[place.events]).expect("the store has checked it");
        }
        place.standings_held
    }

    /// When a round ends the host knows who has answered, and when its scores come out, how every answer counts.
    pub fn check_told(&mut self, reference: &Reference, socket: usize, message: &ServerMessage) {
        let Told { answered, marks, undoable, .. } = &self.sockets[socket].said;
        let answers = reference.answers.iter().filter(|answer| reference.player(answer.player).is_some());
        let wrong = match message {
            ServerMessage::All(ToAll::RoundEnded) => {
                let wanted: BTreeSet<_> = answers.map(|answer| (answer.question, answer.player)).collect();
                let removed = |(_, player): &&(QuestionId, PlayerId)| reference.player(*player).is_none();
                answered.iter().filter(|told| !removed(told)).copied().collect::<BTreeSet<_>>() != wanted
            }
            ServerMessage::All(ToAll::RoundLeaderboard(_)) => {
                let same = |answer: &RefAnswer| marks.get(&(answer.question, answer.player)) == Some(&answer.correct());
                let ghosts =
                    marks.iter().filter(|((question, player), _)| reference.answer(*player, *question).is_none());
                !answers.into_iter().all(same)
                    || ghosts.into_iter().any(|((_, player), correct)| *correct && reference.player(*player).is_some())
            }
            _ => false,
        };
        if wrong {
            let kind = if matches!(message, ServerMessage::All(ToAll::RoundEnded)) { "answers" } else { "marks" };
            self.trace.detail(|| format!("told: {answered:?} {marks:?} {undoable}"));
            self.fail(format!("12: the host's {kind} are not those of the log"));
        }
    }

    /// At rest: every open socket with the extension knows whether the host is here and the standings are held, and the host knows the room.
    pub fn check_extension(&mut self) {
        for socket in 0..self.sockets.len() {
            let at = &self.sockets[socket];
            if !at.client_open || !at.server_open || at.dialect == Dialect::Interface {
                continue;
            }
            let (told, truth) = (&at.seen, &self.store.truth);
            let wrong_host = told.host_here != truth.host_here || told.standings_held != truth.standings_held;
            let wrong_room = at.who == Participant::Host && (told.room.clone(), told.numbers) != truth.room();
            if wrong_host || wrong_room {
                let (told, truth) = (format!("{told:?}"), format!("{:?}", truth.room()));
                return self.fail(format!("12: {:?} was told {told} of {truth}", self.sockets[socket].who));
            }
        }
    }
}
