//! The host of a world: plays the whole quiz from what the API shows, sometimes in a hurry and sometimes with wrong messages.

use std::time::Duration;

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, EdgeInput, Message, Participant};
use quizhall_protocol::from_host::{
    AcceptAnswer, AddTime, AutopilotPlan, CloseQuestion, CorrectMarks, DismissAppeal, LockGame, MarkAnswers, Next,
    OpenDesk, OverrideAnswer, ReleaseQuestion, RemovePlayer, RevealAnswer, SetCloseWhenAnswered, SetExtraTime,
    SetTimer, ShowTally, StartBreak, TieBreak,
};
use quizhall_rules::{Phase, QuestionId};

use super::World;
use super::agenda::HttpCommand;
use super::coverage::Kind;
use super::dice::Dice;
use super::judge::Cause;
use super::mutation::Mutation;

/// How long after the last fault a host with timers lets them close open questions.
const WAITS_FOR: Duration = Duration::from_secs(20);

/// The game as the API shows it.
pub struct View {
    pub place: (Phase, usize),
    unreleased: Vec<QuestionId>,
    pub released: Vec<QuestionId>,
    more_rounds: bool,
}

impl World {
    pub fn host_acts(&mut self, socket: usize) {
        if self.dice.chance(30) {
            // The page reads the game over HTTP, which never shows an old state.
            let node = self.sockets[socket].node;
            self.edge_step(node, EdgeInput::Refresh, Cause::Other);
        }
        let Some(view) = self.view(socket) else { return };
        let now = self.agenda.now;
        if let Some((place, until)) = self.clients[0].awaiting {
            if place == view.place && now < until {
                return;
            }
            self.clients[0].awaiting = None;
        }
        if !self.healed && self.host_strays(socket) {
            return;
        }
        let presses = if view.place.0 == Phase::Leaderboard { 250 } else { 110 };
        if self.dice.chance(if self.leaves_it_to_time() { 8 } else { presses }) && self.host_presses(socket) {
            return;
        }
        match view.place.0 {
            Phase::Lobby | Phase::RoundReview | Phase::Leaderboard if self.leaves_it_to_break() => {}
            Phase::Lobby | Phase::RoundReview | Phase::Leaderboard if self.host_pauses(socket) => {}
            Phase::RoundReview | Phase::Leaderboard if self.host_reveals(socket, &view) => {}
            Phase::Leaderboard if self.host_breaks_ties(socket) => {}
            Phase::Lobby | Phase::Question | Phase::RoundReview | Phase::Leaderboard if self.host_seats(socket) => {}
            Phase::Lobby => {
                let time_limit = now > Duration::from_millis(2_500) || self.healed;
                if self.healed && self.store.truth.players.is_empty() {
                    self.ask(0, HttpCommand::Lock(false));
                }
                let extra = self.setting.timed && self.clients[0].dialect == Dialect::QuizhallV1;
                if extra && self.dice.chance(20) && self.host_gives_extra_time(socket) {
                    return;
                }
                if time_limit && !self.store.truth.players.is_empty() && self.dice.chance(300) {
                    self.advance_game(socket, view.place, FromHost::StartGame);
                }
            }
            Phase::Question | Phase::RoundReview | Phase::Leaderboard
                if self.host_mends(socket, (&view.released, view.place.1)) => {}
            Phase::Question | Phase::RoundReview if self.host_enters(socket, &view.released) => {}
            Phase::Question if self.leaves_it_to_autopilot() => {}
            Phase::Question if !self.setting.timed && self.host_adjusts(socket) => {}
            Phase::RoundReview | Phase::Leaderboard if self.host_adjusts(socket) => {}
            Phase::Question | Phase::RoundReview | Phase::Leaderboard if self.host_shows_tally(socket, &view) => {}
            Phase::Question | Phase::RoundReview | Phase::Leaderboard if self.host_corrects(socket) => {}
            Phase::Question => self.host_asks(socket, &view),
            Phase::RoundReview => self.host_reviews(socket, &view),
            Phase::Leaderboard if self.host_shows(socket) => {}
            Phase::Leaderboard if view.more_rounds => {
                self.advance_game(socket, view.place, FromHost::StartNextRound);
            }
            Phase::Leaderboard => self.advance_game(socket, view.place, FromHost::EndGame),
            Phase::Ended => {}
        }
    }

    pub fn view(&self, socket: usize) -> Option<View> {
        let slot = self.nodes[self.sockets[socket].node].edge.as_ref()?;
        let state = slot.edge.state()?;
        let round = &state.quiz().rounds[state.round()];
        let all = round.questions.iter().map(|asked| asked.id);
        Some(View {
            place: (state.phase(), state.round()),
            unreleased: all.filter(|id| !state.is_released(*id)).collect(),
            released: state.released().map(|asked| asked.id).collect(),
            more_rounds: state.has_next_round(),
        })
    }

    /// Takes the next step, as the device that presses knows it: at rest nearly always the present one. Sometimes it presses twice, and
    /// sometimes the step before. Returns whether it knows one. At the end of a run it presses no more, so that the game comes to rest.
    pub fn host_presses(&mut self, socket: usize) -> bool {
        let is_at_rest = self.healed && self.view(socket).is_none_or(|view| view.place.0 == Phase::Ended);
        // A game whose nodes are to grow stale is not hurried to its end.
        let is_slow = self.mutation.is_some_and(Mutation::in_silence);
        let number = self.sockets[socket].seen.step_number().filter(|_| !is_at_rest && !is_slow);
        let Some(number) = number else { return false };
        if self.store.truth.step_number() > number {
            self.coverage.note(Kind::StepRaced);
        }
        let times = if self.dice.chance(300) { 2 } else { 1 };
        let number = number - u32::from(self.dice.chance(150));
        for _ in 0..times {
            self.host_says(socket, FromHost::Next(Next { number }));
        }
        true
    }

    fn host_asks(&mut self, socket: usize, view: &View) {
        let is_v1 = self.clients[0].dialect == Dialect::QuizhallV1;
        if is_v1 && self.dice.chance(80) && self.host_changes_key(socket, view) {
            return;
        }
        let timed = self.setting.timed && is_v1;
        if timed && self.dice.chance(if view.released.is_empty() { 250 } else { 20 }) {
            return self.host_sets_autopilot(socket);
        }
        if timed && self.dice.chance(60) && self.host_gives_extra_time(socket) {
            return;
        }
        if is_v1 && self.dice.chance(30) {
            let on = self.dice.chance(700);
            return self.host_says(socket, FromHost::SetCloseWhenAnswered(SetCloseWhenAnswered { on }));
        }
        if timed && self.dice.chance(120) {
            return self.host_times(socket, view);
        }
        if self.leaves_it_to_time() && !view.released.is_empty() && self.dice.chance(850) {
            return;
        }
        if !view.unreleased.is_empty() && self.dice.chance(500) {
            let question = view.unreleased[self.dice.index(view.unreleased.len())];
            return self.host_says(socket, release(question));
        }
        let enough = view.unreleased.is_empty() || (!view.released.is_empty() && self.dice.chance(50));
        if enough && self.dice.chance(110) {
            self.advance_game(socket, view.place, FromHost::EndRound);
            if !self.healed && self.dice.chance(400) {
                self.coverage.note(Kind::HostRaces);
                self.host_says(socket, FromHost::ReleaseScores);
            }
        }
    }

    fn leaves_it_to_time(&self) -> bool {
        self.setting.timed && (!self.healed || self.agenda.now < self.healed_at + WAITS_FOR)
    }

    /// Whether the host does nothing while the autopilot runs: nearly always, because a question and its break take dozens of
    /// the host's turns.
    fn leaves_it_to_autopilot(&mut self) -> bool {
        self.store.truth.autopilot.plan.is_some() && self.leaves_it_to_time() && !self.dice.chance(8)
    }

    /// Whether the host does nothing while there is a break: nearly always.
    fn leaves_it_to_break(&mut self) -> bool {
        self.store.truth.pause.is_some() && self.leaves_it_to_time() && !self.dice.chance(20)
    }

    /// Begins or ends a break; returns whether it did.
    fn host_pauses(&mut self, socket: usize) -> bool {
        let is_timed = self.leaves_it_to_time() && self.clients[0].dialect == Dialect::QuizhallV1;
        if !is_timed || !self.dice.chance(80) {
            return false;
        }
        let seconds = u32::try_from(self.dice.range(6, 10)).expect("small");
        let text = self.dice.chance(500).then(|| "Drinks".to_owned());
        let ends = self.dice.chance(200);
        self.host_says(
            socket,
            if ends { FromHost::EndBreak } else { FromHost::StartBreak(StartBreak { seconds, text }) },
        );
        true
    }

    /// Starts a tie-break with some players, waits for their answers, or ends it; returns whether it did.
    fn host_breaks_ties(&mut self, socket: usize) -> bool {
        if self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(600) {
            return false;
        }
        let is_open = self.store.truth.tie_breaks_shown().last().is_some_and(|last| last.number.is_none());
        if is_open && self.dice.chance(600) {
            return true;
        }
        let players: Vec<_> = self.store.truth.players.iter().map(|player| player.id).collect();
        if players.len() < 2 || self.dice.chance(400) {
            self.host_says(socket, FromHost::EndTieBreak);
            return true;
        }
        let player_ids = (0..3).map(|_| players[self.dice.index(players.len())]).collect();
        let answer = i64::try_from(self.dice.range(0, 2)).expect("small");
        self.host_says(socket, FromHost::TieBreak(TieBreak { player_ids, text: "How many?".to_owned(), answer }));
        true
    }

    /// Reveals the answer to a question, possibly once more; returns whether it did.
    fn host_reveals(&mut self, socket: usize, view: &View) -> bool {
        if view.released.is_empty() || self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(200) {
            return false;
        }
        let question_id = view.released[self.dice.index(view.released.len())].uuid();
        self.host_says(socket, FromHost::RevealAnswer(RevealAnswer { question_id }));
        true
    }

    /// Changes a timer: of the round, or of a question that may already be closed.
    fn host_times(&mut self, socket: usize, view: &View) {
        let chosen = self.dice.index(view.released.len() + 1);
        let question_id = view.released.get(chosen).map(|question| question.uuid());
        let seconds = u32::try_from(self.dice.range(5, 8)).expect("small");
        let question = question_id.filter(|_| self.dice.chance(300));
        if let Some(question_id) = question {
            return self.host_says(socket, FromHost::CloseQuestion(CloseQuestion { question_id }));
        }
        let message = match self.dice.range(0, 10) {
            0..4 => FromHost::SetTimer(SetTimer { question_id, seconds }),
            4..6 => FromHost::AddTime(AddTime { question_id, seconds: seconds - 4 }),
            6..9 => FromHost::PauseTimer,
            _ => FromHost::ResumeTimer,
        };
        self.host_says(socket, message);
    }

    /// Gives a player another percentage of extra time; returns whether there is one.
    fn host_gives_extra_time(&mut self, socket: usize) -> bool {
        let players = &self.store.truth.players;
        let chosen = self.dice.index(players.len() + 1);
        let Some(player_id) = players.get(chosen).map(|player| player.id) else { return false };
        let percent = [100, 125, 150, 200, 300][self.dice.index(5)];
        self.host_says(socket, FromHost::SetExtraTime(SetExtraTime { player_id, percent }));
        true
    }

    /// Starts the autopilot with short times, or stops it.
    fn host_sets_autopilot(&mut self, socket: usize) {
        let seconds = |dice: &mut Dice| u32::try_from(dice.range(5, 7)).expect("small");
        let plan = AutopilotPlan {
            answer_for: seconds(&mut self.dice),
            reveal_for: seconds(&mut self.dice),
            break_for: seconds(&mut self.dice),
            hold_without_host: self.dice.chance(500),
            standings_for: self.dice.chance(500).then_some(5),
            hold_for_marking: self.dice.chance(700).then(|| self.dice.chance(200)),
        };
        let stops = self.dice.chance(150);
        self.host_says(socket, if stops { FromHost::StopAutopilot } else { FromHost::StartAutopilot(plan) });
    }

    fn host_reviews(&mut self, socket: usize, view: &View) {
        let is_v1 = self.clients[0].dialect == Dialect::QuizhallV1;
        if is_v1 && self.dice.chance(150) && self.host_changes_key(socket, view) {
            return;
        }
        if is_v1 && self.dice.chance(600) && self.host_marks(socket, view) {
            return;
        }
        let marked: Vec<_> = view.released.iter().filter(|question| self.is_marked(**question)).copied().collect();
        if self.dice.chance(400) && !marked.is_empty() {
            let truth = &self.store.truth;
            let chosen = self.dice.index(truth.players.len() + truth.removed.len());
            if let Some(player) = truth.players.get(chosen).map(|player| player.id) {
                let question = marked[self.dice.index(marked.len())];
                let correct = self.dice.chance(500);
                let overruled = OverrideAnswer { player_id: player, question_id: question.uuid(), correct };
                return self.host_says(socket, FromHost::OverrideAnswer(overruled));
            }
        }
        if self.dice.chance(500) {
            if self.clients[0].dialect == Dialect::QuizhallV1 && self.dice.chance(600) {
                self.clients[0].awaiting = Some((view.place, self.agenda.now + Duration::from_secs(6)));
                return self.send(socket, Message::Host(FromHost::ReleaseOwnScores));
            }
            self.advance_game(socket, view.place, FromHost::ReleaseScores);
        }
    }

    /// Corrects marks of a round whose scores are released, or decides an appeal; returns whether it did.
    fn host_corrects(&mut self, socket: usize) -> bool {
        if self.clients[0].dialect != Dialect::QuizhallV1 {
            return false;
        }
        let appeals: Vec<_> = self.store.truth.open_appeals().map(|appeal| (appeal.player, appeal.question)).collect();
        if !appeals.is_empty() && self.dice.chance(950) {
            let (player_id, question_id) = appeals[self.dice.index(appeals.len())];
            let message = if self.dice.chance(900) {
                FromHost::DismissAppeal(DismissAppeal { player_id, question_id })
            } else {
                let (answers, player_ids) = (None, Some(vec![player_id].into()));
                FromHost::CorrectMarks(CorrectMarks { question_id, answers, player_ids, correct: true, half: None })
            };
            self.send(socket, Message::Host(message));
            return true;
        }
        if !self.dice.chance(60) {
            return false;
        }
        let rounds = self.store.truth.quiz.rounds.iter();
        let questions: Vec<_> = rounds.flat_map(|round| round.questions.iter().map(|asked| asked.id)).collect();
        let question_id = questions[self.dice.index(questions.len())];
        let mut answers = self.store.truth.texts_out(question_id);
        if answers.is_empty() {
            return false;
        }
        answers.retain(|_| self.dice.chance(400));
        answers.push("never given".to_owned());
        let correct = self.dice.chance(500);
        let half = self.dice.chance(300).then_some(true);
        let (answers, player_ids) = (Some(answers), None);
        let corrected = CorrectMarks { question_id, answers, player_ids, correct, half };
        self.send(socket, Message::Host(FromHost::CorrectMarks(corrected)));
        true
    }

    /// Sometimes shows the standings, held or not; returns whether it did.
    fn host_shows(&mut self, socket: usize) -> bool {
        let shows = self.clients[0].dialect == Dialect::QuizhallV1 && self.dice.chance(400);
        if shows {
            self.send(socket, Message::Host(FromHost::ShowStandings));
        }
        shows
    }

    /// Shows the tally of a question without marks, sometimes without an entry; returns whether it did.
    fn host_shows_tally(&mut self, socket: usize, view: &View) -> bool {
        let unmarked: Vec<_> = view.released.iter().filter(|question| !self.is_marked(**question)).copied().collect();
        if unmarked.is_empty() || self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(150) {
            return false;
        }
        let question_id = unmarked[self.dice.index(unmarked.len())].uuid();
        let hide = self.dice.chance(300).then(|| vec!["sea".to_owned(), "red".to_owned()]);
        self.coverage.note(Kind::TallyShown);
        self.send(socket, Message::Host(FromHost::ShowTally(ShowTally { question_id, hide })));
        true
    }

    pub fn is_marked(&self, question: QuestionId) -> bool {
        self.store.truth.quiz.question(question.uuid()).is_some_and(quizhall_oracle::Question::is_marked)
    }

    /// Marks groups of answers, or undoes the latest marking.
    pub fn host_marks(&mut self, socket: usize, view: &View) -> bool {
        if self.dice.chance(350) {
            self.send(socket, Message::Host(FromHost::UndoMarking));
            return true;
        }
        let released = view.released.get(self.dice.index(view.released.len() + 1)).filter(|id| self.is_marked(**id));
        let Some(question) = released else { return false };
        let given = self.store.truth.answers_to(question.uuid());
        let mut answers: Vec<String> = given.iter().map(|answer| answer.text.clone()).collect();
        answers.retain(|_| self.dice.chance(400));
        answers.push("never given".to_owned());
        let correct = self.dice.chance(600);
        let half = self.dice.chance(300).then_some(true);
        let alike = answers.len().is_multiple_of(3).then_some(true);
        let marked = MarkAnswers { question_id: question.uuid(), answers, correct, half, alike };
        self.send(socket, Message::Host(FromHost::MarkAnswers(marked)));
        true
    }

    /// Changes whether the key accepts an answer, or a text that no player gave, or undoes the latest marking; returns whether it
    /// did.
    pub fn host_changes_key(&mut self, socket: usize, view: &View) -> bool {
        if self.dice.chance(250) {
            self.send(socket, Message::Host(FromHost::UndoMarking));
            return true;
        }
        if self.dice.chance(300) {
            let open = self.dice.chance(800);
            self.send(socket, Message::Host(FromHost::OpenDesk(OpenDesk { open })));
            return true;
        }
        let keyed: Vec<_> = view.released.iter().filter(|question| self.has_key(**question)).copied().collect();
        if keyed.is_empty() {
            return false;
        }
        let question_id = keyed[self.dice.index(keyed.len())].uuid();
        let given = self.store.truth.answers_to(question_id);
        let mut texts: Vec<String> = given.iter().map(|answer| answer.text.clone()).collect();
        texts.retain(|text| !text.is_empty());
        texts.push("no idea 0".to_owned());
        let text = texts.swap_remove(self.dice.index(texts.len()));
        let correct = self.dice.chance(600);
        let half = self.dice.chance(300).then_some(true);
        self.send(socket, Message::Host(FromHost::AcceptAnswer(AcceptAnswer { question_id, text, correct, half })));
        true
    }

    fn has_key(&self, question: QuestionId) -> bool {
        self.store.truth.quiz.question(question.uuid()).is_some_and(quizhall_oracle::Question::has_key)
    }

    /// Sends the message once, or twice in a row as a double click does.
    fn advance_game(&mut self, socket: usize, place: (Phase, usize), message: FromHost) {
        self.clients[0].awaiting = Some((place, self.agenda.now + Duration::from_secs(6)));
        if !self.healed && self.dice.chance(80) {
            self.coverage.note(Kind::HostRepeats);
            self.host_says(socket, message.clone());
        }
        self.host_says(socket, message);
    }

    /// Messages of a host that do not belong to the course of the game, or are wrong.
    fn host_strays(&mut self, socket: usize) -> bool {
        match self.dice.range(0, 1_000) {
            0..12 => self.host_says(socket, FromHost::StartGame),
            12..22 => self.host_says(socket, FromHost::EndGame),
            22..32 => {
                let nowhere = QuestionId::from(self.dice.uuid());
                self.host_says(socket, release(nowhere));
            }
            32..40 => self.host_says(socket, FromHost::StartNextRound),
            40..55 => {
                let client = self.dice.index(self.clients.len());
                let remove = self.clients[client].joined && client > 1;
                if let (true, Some(player)) = (remove, self.clients[client].who.player()) {
                    self.coverage.note(Kind::PlayerRemoved);
                    if self.clients[0].dialect == Dialect::QuizhallV1 && self.dice.chance(500) {
                        let removed = RemovePlayer { player_id: player.uuid(), ban: None };
                        self.send(socket, Message::Host(FromHost::RemovePlayer(removed)));
                        return true;
                    }
                    self.ask(0, HttpCommand::Remove(client));
                }
                return false;
            }
            55..75 => {
                self.coverage.note(Kind::GameLocked);
                let locked = self.dice.chance(500);
                if self.clients[0].dialect == Dialect::QuizhallV1 && self.dice.chance(500) {
                    self.send(socket, Message::Host(FromHost::LockGame(LockGame { locked })));
                    return true;
                }
                self.ask(0, HttpCommand::Lock(locked));
                return false;
            }
            83..87 if self.clients[0].dialect == Dialect::QuizhallV1 => {
                self.send(socket, Message::Host(FromHost::ShowStandings));
            }
            87..97 => {
                let client = self.dice.index(self.clients.len());
                if client > 0 && self.clients[client].joined && !self.setting.mixed {
                    let number = self.dice.range(0, u64::MAX);
                    self.ask(0, HttpCommand::IssueCode(client, number));
                }
                return false;
            }
            140..155 => {
                let phones = (0..self.clients.len()).filter(|client| {
                    self.clients[*client].joined && matches!(self.clients[*client].who, Participant::Device(..))
                });
                let phones: Vec<_> = phones.filter(|_| !self.setting.mixed).collect();
                if !phones.is_empty() {
                    let client = phones[self.dice.index(phones.len())];
                    self.ask(0, HttpCommand::RemovePhone(client));
                }
                return false;
            }
            97..140
                if self.clients.iter().any(|client| matches!(client.who, Participant::CoHost(_)) && client.joined) =>
            {
                self.ask(0, HttpCommand::RemoveCoHost);
                return false;
            }
            75..83 if self.clients[0].dialect == Dialect::QuizhallV1 => {
                self.send(socket, Message::Host(FromHost::UndoMarking));
            }
            _ => return false,
        }
        true
    }

    fn host_says(&mut self, socket: usize, message: FromHost) {
        self.send(socket, Message::Host(message));
    }
}

fn release(question: QuestionId) -> FromHost {
    FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question.uuid() })
}
