//! Folds the messages that a socket with the extension received, and compares the result with the log (invariant 12).

use std::collections::{BTreeMap, BTreeSet};

use quizhall_engine::{Dialect, Participant};
use quizhall_oracle::Phase;
use quizhall_protocol::shapes::AppealOutcome;
use quizhall_protocol::to_host::{PlayerStatus, RoomPlayer, RoomUpdate};
use quizhall_protocol::to_player::{AppealStatus, TeamSheet};
use quizhall_protocol::{ServerMessage, ToAll, ToHost, ToPlayer};
use uuid::Uuid;

use super::World;
use super::node::EdgeSlot;
use super::reference::Reference;

/// The fold of a client: the connected participants, the players who have answered, and how answers count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Received {
    host_here: bool,
    room: BTreeMap<Uuid, bool>,
    numbers: (u32, u32, bool),
    answered: BTreeSet<(Uuid, Uuid)>,
    /// Whether each answer counts as right, and the points of those that are partly right.
    marks: BTreeMap<(Uuid, Uuid), (bool, u32)>,
    undoable: u32,
    /// The texts that were entered while questions were open, by question and player.
    entered: BTreeMap<(Uuid, Uuid), String>,
    standings_held: bool,
    tally: Option<ServerMessage>,
    /// By question.
    revealed: BTreeMap<Uuid, ServerMessage>,
    has_break: bool,
    /// The round for which a joker can be played, and the one for which the player's is played.
    jokers: [Option<u32>; 2],
    /// The open appeals that the host knows, by player and question.
    appeals: BTreeSet<(Uuid, Uuid)>,
    own_appeals: Option<ServerMessage>,
    /// The points by hand, for a host.
    adjustments: Option<ServerMessage>,
    ties: Option<ServerMessage>,
    /// The latest messages about the edited text and the withdrawal of each question.
    mended: BTreeMap<(Uuid, bool), ServerMessage>,
    names: BTreeMap<Uuid, String>,
    /// The phones of the team.
    team: Option<ServerMessage>,
    /// The next step of the game, for a host.
    step: Option<ServerMessage>,
    sheet: TeamSheet,
}

impl Received {
    /// The number of the next step, for a host.
    pub fn step_number(&self) -> Option<u32> {
        let Some(ServerMessage::Host(ToHost::StepUpdate(update))) = &self.step else { return None };
        Some(update.number)
    }

    /// The phones of the participant's own team.
    pub fn team(&self) -> Option<&ServerMessage> {
        self.team.as_ref()
    }

    /// Whether the socket was sent this sheet of its team, as a whole or line by line.
    pub fn knows_sheet(&self, sheet: &TeamSheet) -> bool {
        let lines = |sheet: &TeamSheet| {
            let mut answers = sheet.answers.clone();
            answers.sort_by_key(|answer| answer.question_id);
            (answers, sheet.suggestions.clone())
        };
        lines(&self.sheet) == lines(sheet)
    }

    pub fn apply(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::All(ToAll::HostStatus(status)) => self.host_here = status.connected,
            ServerMessage::All(ToAll::RoundStarted(_)) => {
                self.answered.clear();
                self.marks.clear();
                self.entered.clear();
                self.standings_held = false;
                (self.tally, self.ties) = (None, None);
                self.sheet = TeamSheet::default();
                self.revealed.clear();
                self.mended.clear();
            }
            ServerMessage::All(ToAll::StandingsStatus(status)) => self.standings_held = status.held,
            ServerMessage::All(ToAll::GameEnded(_)) => {
                (self.standings_held, self.tally, self.has_break) = (false, None, false);
                self.revealed.clear();
                self.mended.clear();
            }
            ServerMessage::All(ToAll::QuestionEdited(edited)) => {
                self.mended.insert((edited.question_id, false), message.clone());
            }
            ServerMessage::All(ToAll::QuestionWithdrawn(withdrawn)) => {
                self.mended.insert((withdrawn.question_id, true), message.clone());
            }
            ServerMessage::All(ToAll::PlayerRenamed(player)) => {
                self.names.insert(player.id, player.display_name.clone());
            }
            ServerMessage::All(ToAll::AnswerRevealed(answer)) => {
                self.revealed.insert(answer.question_id, message.clone());
            }
            ServerMessage::All(ToAll::BreakUpdate(update)) => self.has_break = update.remaining_ms.is_some(),
            ServerMessage::All(ToAll::JokerRound(update)) => self.jokers[0] = update.round,
            ServerMessage::Player(ToPlayer::JokerUpdate(update)) => self.jokers[1] = update.round,
            ServerMessage::Player(ToPlayer::TeamUpdate(_)) => self.team = Some(message.clone()),
            ServerMessage::Player(ToPlayer::TeamSheet(sheet)) => self.sheet.take(sheet),
            ServerMessage::Player(ToPlayer::AppealStatus(_)) => self.own_appeals = Some(message.clone()),
            ServerMessage::All(ToAll::TieBreaks(ties)) => {
                self.ties = (!ties.tie_breaks.is_empty()).then(|| message.clone());
            }
            ServerMessage::All(ToAll::Tally(_)) => self.tally = Some(message.clone()),
            ServerMessage::Host(ToHost::AdjustmentsUpdate(_)) => self.adjustments = Some(message.clone()),
            ServerMessage::Host(ToHost::StepUpdate(_)) => self.step = Some(message.clone()),
            ServerMessage::Host(message) => self.apply_of_host(message),
            _ => {}
        }
    }

    fn apply_of_host(&mut self, message: &ToHost) {
        match message {
            ToHost::RoomUpdate(update) => self.enter(update),
            ToHost::PlayersAnswered(answered) => {
                let question = answered.question_id;
                self.answered.extend(answered.player_ids.iter().map(|player| (question, *player)));
            }
            ToHost::AnswersMarked(marked) => {
                let marks = marked.marks.iter();
                self.marks.extend(
                    marks.map(|mark| ((marked.question_id, mark.player_id), (mark.correct, mark.partial_points))),
                );
            }
            ToHost::AnswersEntered(entered) => {
                for entry in &entered.answers {
                    let key = (entry.question_id, entry.player_id);
                    self.marks.insert(key, (entry.correct, entry.partial_points));
                    self.entered.insert(key, entry.answer.clone());
                }
            }
            ToHost::MarkingUpdate(update) => self.undoable = update.undoable,
            ToHost::RoundReview(review) => {
                let answers = review.answers.iter();
                self.marks = answers
                    .map(|entry| ((entry.question_id, entry.player_id), (entry.correct, entry.partial_points)))
                    .collect();
            }
            ToHost::OverrideApplied(applied) => {
                self.marks.insert((applied.question_id, applied.player_id), (applied.correct, 0));
            }
            ToHost::AppealsUpdate(update) => {
                for appeal in &update.appeals {
                    let key = (appeal.player_id, appeal.question_id);
                    match appeal.outcome {
                        AppealOutcome::Open => drop(self.appeals.insert(key)),
                        _ => drop(self.appeals.remove(&key)),
                    }
                }
            }
            // The step and the points by hand are kept above.
            ToHost::ScoreboardUpdate(_)
            | ToHost::AnswersUpdate(_)
            | ToHost::BoardUpdate(_)
            | ToHost::StepUpdate(_)
            | ToHost::AdjustmentsUpdate(_)
            | ToHost::ReviewGroups(_)
            | ToHost::GameOptions(_) => {}
        }
    }

    /// Whether a participant who received these messages knows the right state of appeals.
    fn knows_appeals(&self, truth: &Reference, who: Participant) -> bool {
        match who.player() {
            None => {
                let open = truth.open_appeals().map(|appeal| (appeal.player, appeal.question));
                let known = self.appeals.iter().copied().filter(|(player, _)| truth.player(*player).is_some());
                open.collect::<BTreeSet<_>>() == known.collect()
            }
            Some(player) => {
                let none = ServerMessage::Player(ToPlayer::AppealStatus(AppealStatus { appeals: Vec::new() }));
                *self.own_appeals.as_ref().unwrap_or(&none) == truth.appeal_status(player.uuid())
            }
        }
    }

    /// Whether a host knows the points by hand; without a message there are none.
    fn knows_adjustments(&self, truth: &Reference) -> bool {
        let known = self.adjustments.as_ref();
        known.map_or_else(|| truth.adjustments().is_empty(), |known| *known == truth.adjustments_update())
    }

    /// Whether a participant knows which questions of the round were edited or withdrawn, and a player the own name. The host knows
    /// more.
    fn knows_what_is_mended(&self, truth: &Reference, who: Participant) -> bool {
        let mended = truth.questions_mended();
        let knows = |message: &ServerMessage| self.mended.values().any(|known| known == message);
        let name = who.player().and_then(|player| truth.player(player.uuid())).filter(|player| player.renamed);
        let has_name = name.is_none_or(|player| self.names.get(&player.id) == Some(&player.name));
        has_name && mended.iter().all(knows) && (who.as_host().is_some() || mended.len() == self.mended.len())
    }

    /// Whether the host knows, while questions are open, the answers that were entered for players on paper.
    fn knows_paper(&self, truth: &Reference) -> bool {
        let is_on_paper = |player: Uuid| truth.player(player).is_some_and(|player| player.on_paper);
        let given = truth.released.iter().flat_map(|question| truth.answers_to(*question));
        let mut entered = given.filter(|answer| is_on_paper(answer.player) && !answer.text.is_empty());
        let knows = |answer: &quizhall_oracle::Answer| {
            self.entered.get(&(answer.question, answer.player)) == Some(&answer.text)
        };
        truth.phase != Phase::Question || entered.all(knows)
    }

    /// The first fact, of those that are sent without a pause, that these messages have not given to the participant.
    fn lacks(&self, place: &Reference, who: Participant) -> Option<&'static str> {
        let (is_host, is_over) = (who.as_host().is_some(), place.phase == Phase::Ended);
        let ties = place.tie_breaks_message().filter(|_| !place.tie_breaks_shown().is_empty());
        let revealed = place.answers_revealed();
        let has_revealed = |message: &ServerMessage| self.revealed.values().any(|known| known == message);
        let knows_revealed = revealed.len() == self.revealed.len() && revealed.iter().all(has_revealed);
        let known = [
            ("standings", self.standings_held == place.standings_held),
            ("tally", self.tally == place.shown_tally()),
            ("tie-breaks", self.ties == ties),
            ("break", self.has_break == place.pause.is_some()),
            ("revealed answers", knows_revealed),
            ("jokers", is_over || self.jokers == jokers_of(place, who)),
            ("appeals", is_over || self.knows_appeals(place, who)),
            ("points by hand", is_over || !is_host || self.knows_adjustments(place)),
            ("words", is_over || self.knows_what_is_mended(place, who)),
            ("answers on paper", who != Participant::Host || self.knows_paper(place)),
        ];
        known.into_iter().find(|(_, is_known)| !is_known).map(|(what, _)| what)
    }

    fn enter(&mut self, update: &RoomUpdate) {
        if update.whole {
            self.room.clear();
        }
        for RoomPlayer { id, status, .. } in &update.players {
            match status {
                PlayerStatus::Gone => {
                    self.room.remove(id);
                    self.appeals.retain(|(player, _)| player != id);
                }
                present => drop(self.room.insert(*id, *present == PlayerStatus::Connected)),
            }
        }
        self.numbers = (update.total, update.connected, update.locked);
    }
}

impl World {
    /// No extension message is sent on a socket that did not negotiate it.
    pub fn check_dialect(&mut self, socket: usize, message: &ServerMessage) {
        if message.since() > self.sockets[socket].dialect {
            self.fail("12: an extension message on a socket that did not ask".to_owned());
        }
        let mut of_dialect = self.store.truth.in_dialect(message, self.sockets[socket].dialect);
        // The question's text is compared by the edge's state: the log may have a newer text by now.
        if let (ServerMessage::All(ToAll::QuestionReleased(of)), ServerMessage::All(ToAll::QuestionReleased(sent))) =
            (&mut of_dialect, message)
        {
            of.question.text.clone_from(&sent.question.text);
        }
        if of_dialect != *message {
            self.fail("12: a message of the other dialect".to_owned());
        }
    }

    /// While the standings are held, no player with the extension is sent a board, and no scores where phones wait. A socket that is
    /// new in a step of several events is sent its sync messages after `after` of them; its board is the same before and after the
    /// standings are shown.
    pub fn check_withheld(&mut self, (reference, after): (&Reference, usize), socket: usize, message: &ServerMessage) {
        let is_board = match message {
            ServerMessage::All(ToAll::RoundLeaderboard(_)) | ServerMessage::Player(ToPlayer::ScoreboardUpdate(_)) => {
                true
            }
            ServerMessage::Player(ToPlayer::RoundScores(_)) => reference.phones_after_screen,
            _ => false,
        };
        let at = &self.sockets[socket];
        let withheld = at.dialect == Dialect::QuizhallV1 && at.who.as_host().is_none() && reference.standings_held;
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

    /// When a round ends the host knows who has answered, and when its scores are released, how every answer counts.
    pub fn check_received(&mut self, reference: &Reference, socket: usize, message: &ServerMessage) {
        let Received { answered, marks, undoable, .. } = &self.sockets[socket].said;
        let mut answers = reference.released.iter().flat_map(|question| reference.answers_to(*question));
        let known = |player: Uuid| reference.player(player).is_some();
        let wrong = match message {
            ServerMessage::All(ToAll::RoundEnded) => {
                let wanted: BTreeSet<_> = answers.map(|answer| (answer.question, answer.player)).collect();
                answered.iter().filter(|(_, player)| known(*player)).copied().collect::<BTreeSet<_>>() != wanted
            }
            ServerMessage::All(ToAll::RoundLeaderboard(_)) => {
                let mut ghosts = marks.iter().filter(|((question, player), correct)| {
                    correct.0 && known(*player) && reference.answer(*player, *question).is_none()
                });
                answers.any(|answer| {
                    marks.get(&(answer.question, answer.player)) != Some(&(answer.correct(), answer.partial_points()))
                }) || ghosts.next().is_some()
            }
            _ => false,
        };
        if wrong {
            let kind = if matches!(message, ServerMessage::All(ToAll::RoundEnded)) { "answers" } else { "marks" };
            self.trace.detail(|| format!("received: {answered:?} {marks:?} {undoable}"));
            self.fail(format!("12: the host's {kind} are not those of the log"));
        }
    }

    /// When a round ends its players know for which round their jokers are played, and that none can be played now.
    pub fn check_jokers(&mut self, reference: &Reference, socket: usize, message: &ServerMessage) {
        let (said, who) = (&self.sockets[socket].said, self.sockets[socket].who);
        if matches!(message, ServerMessage::All(ToAll::RoundEnded)) && said.jokers != jokers_of(reference, who) {
            self.fail(format!("12: {who:?} does not know the joker of the log"));
        }
    }

    /// After a step in which an edge was given a whole state: every socket with the extension that was shown the game knows what is so.
    pub fn check_caught_up(&mut self, slot: &EdgeSlot) {
        for socket in self.attached(slot) {
            let at = &self.sockets[socket];
            let is_due = at.shown && at.dialect == Dialect::QuizhallV1 && slot.reference.knows(at.who);
            if let Some(what) = is_due.then(|| at.said.lacks(&slot.reference, at.who)).flatten() {
                let who = at.who;
                return self.fail(format!("12: {who:?} does not know the {what} of the state that was read"));
            }
        }
    }

    /// At rest: every open socket with the extension knows what is so, also whether the host is connected, and the host knows the room.
    pub fn check_extension(&mut self) {
        for socket in 0..self.sockets.len() {
            let at = &self.sockets[socket];
            if !at.client_open || !at.server_open || at.dialect == Dialect::Interface {
                continue;
            }
            let (seen, truth) = (&at.seen, &self.store.truth);
            let mut whole = Received::default();
            whole.apply(&truth.whole_room());
            let is_host = at.who.as_host().is_some();
            let wrong = [
                (seen.host_here != truth.host_here).then_some("host"),
                (is_host && (&seen.room, seen.numbers) != (&whole.room, whole.numbers)).then_some("room"),
                (is_host && seen.step.as_ref() != Some(&truth.step_update())).then_some("next step"),
                self.is_wrong_of_team(socket).then_some("team"),
                seen.lacks(truth, at.who),
            ];
            if let Some(what) = wrong.into_iter().flatten().next() {
                let (seen, truth) = (format!("{seen:?}"), format!("{whole:?}"));
                return self
                    .fail(format!("12: {:?} does not know the {what}: {seen} of {truth}", self.sockets[socket].who));
            }
        }
    }
}

/// What a participant must know about jokers: the round for which one can be played, and the round of the own.
fn jokers_of(truth: &Reference, who: Participant) -> [Option<u32>; 2] {
    let own = who.player().and_then(|player| truth.player(player.uuid())?.joker);
    [truth.joker_round(), own].map(|round| round.map(|round| u32::try_from(round + 1).expect("few rounds")))
}
