//! A second, naive fold of a game's log, written from the interface: what the state must be after each event, whether an
//! event may stand where it stands, and which messages are true there. Shares no code with `rules` but its types.

use quizhall_rules::{Change, Event, Phase, PlayerId, QuestionId, Quiz, Setting};

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct RefPlayer {
    pub id: PlayerId,
    pub name: String,
    pub present: bool,
    pub connected: bool,
    pub removed: bool,
    score: u64,
    round_score: u64,
    pub answered: bool,
    /// In an earlier round.
    pub answered_before: bool,
    /// The session of the last answer.
    session: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RefAnswer {
    pub player: PlayerId,
    pub question: QuestionId,
    pub text: String,
    marked: bool,
    overruled: Option<bool>,
    pub near_miss: bool,
}

impl RefAnswer {
    pub fn correct(&self) -> bool {
        self.overruled.unwrap_or(self.marked)
    }

    pub fn is_overruled(&self, to: bool) -> bool {
        self.overruled == Some(to) || self.marked == to
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefStanding {
    pub player: PlayerId,
    pub name: String,
    pub score: u64,
    pub round_score: u64,
    pub rank: u32,
}

#[derive(Debug, Clone, Default)]
pub struct Reference {
    pub events: usize,
    pub epoch: u64,
    pub quiz: Option<std::sync::Arc<Quiz>>,
    pub phase: Option<Phase>,
    pub round: usize,
    pub players: Vec<RefPlayer>,
    /// Of the current round, in order of release.
    pub released: Vec<QuestionId>,
    /// Of the current round, in order of arrival.
    pub answers: Vec<RefAnswer>,
    pub board: Vec<RefStanding>,
    pub host_here: bool,
    pub standings_held: bool,
    pub locked: bool,
    /// Of the current round: whose answer to what was touched, and what it was before, if there was one.
    pub markings: Vec<Vec<(PlayerId, QuestionId, Option<RefAnswer>)>>,
    pub last: Option<&'static str>,
}

impl Reference {
    pub fn player(&self, id: PlayerId) -> Option<&RefPlayer> {
        self.players.iter().find(|player| player.id == id && !player.removed)
    }

    pub fn lobby(&self) -> impl Iterator<Item = &RefPlayer> {
        self.players.iter().filter(|player| player.present && !player.removed)
    }

    pub fn answer(&self, player: PlayerId, question: QuestionId) -> Option<&RefAnswer> {
        self.answers.iter().find(|answer| (answer.player, answer.question) == (player, question))
    }

    /// Answers of one question, removed players left out.
    pub fn answers_to(&self, question: QuestionId) -> impl Iterator<Item = &RefAnswer> {
        self.answers.iter().filter(move |answer| answer.question == question && self.player(answer.player).is_some())
    }

    pub fn points(&self, question: QuestionId) -> u32 {
        let all = self.quiz.iter().flat_map(|quiz| &quiz.rounds).flat_map(|round| &round.questions);
        all.into_iter().find(|asked| asked.id == question).map_or(0, |asked| asked.points)
    }

    pub fn is_in_round(&self, question: QuestionId) -> bool {
        let round = self.quiz.as_ref().and_then(|quiz| quiz.rounds.get(self.round));
        round.is_some_and(|round| round.questions.iter().any(|asked| asked.id == question))
    }

    /// Takes the next event of the log.
    ///
    /// # Errors
    /// When the event may not stand here.
    pub fn apply(&mut self, event: &Event) -> Result<(), String> {
        self.check(event).map_err(|what| format!("event {} ({}): {what}", self.events, event.change.kind()))?;
        self.take(&event.change);
        if let (Change::Answered { player, .. }, Some(command_id)) = (&event.change, event.command_id) {
            for player in self.players.iter_mut().filter(|other| other.id == *player) {
                player.session = Some(command_id.session);
            }
        }
        self.last = Some(event.change.kind());
        self.events += 1;
        Ok(())
    }

    fn check(&self, event: &Event) -> Result<(), &'static str> {
        let change = &event.change;
        let phase_of = |wanted| (self.phase == Some(wanted)).then_some(()).ok_or("not in this phase");
        match change {
            Change::Created(_) => self.phase.is_none().then_some(()).ok_or("a second creation"),
            Change::Claimed { epoch, .. } => {
                (*epoch == self.epoch + 1).then_some(()).ok_or("the epoch does not follow")
            }
            Change::Joined { player, display_name, .. } => {
                let known = self.players.iter().any(|other| other.id == *player);
                let taken = self.players.iter().any(|other| !other.removed && other.name == display_name.as_str());
                if known || taken { Err("the seat or the name is taken") } else { Ok(()) }
            }
            Change::Left { player } => {
                phase_of(Phase::Lobby)?;
                self.player(*player).filter(|player| player.present).map(|_| ()).ok_or("is not there")
            }
            Change::Returned { player } => {
                self.player(*player).filter(|player| !player.present).map(|_| ()).ok_or("is not away")
            }
            Change::Started => phase_of(Phase::Lobby),
            Change::QuestionReleased { question } => {
                phase_of(Phase::Question)?;
                let fresh = self.is_in_round(*question) && !self.released.contains(question);
                fresh.then_some(()).ok_or("not a question to release")
            }
            Change::Answered { player, question, answer, .. } => {
                phase_of(Phase::Question)?;
                let open = self.released.contains(question) && self.player(*player).is_some();
                open.then_some(()).ok_or("not an open question, or not a player")?;
                let same = self.answer(*player, *question).is_some_and(|given| *given.text == **answer);
                // The same again has a place in the log when another socket says it: what it says is newer now.
                let told = self.player(*player).and_then(|player| player.session);
                let elsewhere =
                    event.command_id.is_some_and(|command_id| told.is_some_and(|told| told < command_id.session));
                (!same || elsewhere).then_some(()).ok_or("nothing changes")
            }
            Change::RoundEnded => phase_of(Phase::Question),
            Change::AnswerOverridden { player, question, .. } => {
                phase_of(Phase::RoundReview)?;
                let fits = self.released.contains(question) && self.player(*player).is_some();
                fits.then_some(()).ok_or("not a released question, or not a player")
            }
            Change::ScoresReleased { held: false } if self.standings_held => phase_of(Phase::Leaderboard),
            Change::ScoresReleased { .. } => phase_of(Phase::RoundReview),
            Change::NextRoundStarted => {
                phase_of(Phase::Leaderboard)?;
                let rounds = self.quiz.as_ref().map_or(0, |quiz| quiz.rounds.len());
                (self.round + 1 < rounds).then_some(()).ok_or("no round left")
            }
            Change::Ended => phase_of(Phase::Leaderboard),
            Change::PlayerRemoved { player } => self.player(*player).map(|_| ()).ok_or("not a player"),
            Change::Set(Setting::Locked(_)) | Change::Closed => Ok(()),
            extension_message => self.check_extension(extension_message),
        }
    }

    fn take(&mut self, change: &Change) {
        match change {
            Change::Created(created) => {
                self.quiz = Some(std::sync::Arc::new(created.quiz.clone()));
                self.phase = Some(Phase::Lobby);
            }
            Change::Claimed { epoch, .. } => self.epoch = *epoch,
            Change::Joined { player, display_name, .. } => self.players.push(RefPlayer {
                id: *player,
                name: display_name.as_str().to_owned(),
                present: true,
                connected: true,
                removed: false,
                score: 0,
                round_score: 0,
                answered: false,
                answered_before: false,
                session: None,
            }),
            Change::Left { player } => self.set_present(*player, false),
            Change::Returned { player } => self.set_present(*player, true),
            Change::Started => self.phase = Some(Phase::Question),
            Change::QuestionReleased { question } => self.released.push(*question),
            Change::Answered { player, question, answer, correct, near_miss } => {
                let new = RefAnswer {
                    player: *player,
                    question: *question,
                    text: answer.as_ref().to_owned(),
                    marked: *correct,
                    overruled: None,
                    near_miss: *near_miss,
                };
                self.put(new);
            }
            Change::RoundEnded => self.phase = Some(Phase::RoundReview),
            Change::AnswerOverridden { player, question, correct } => {
                self.markings.push(vec![(*player, *question, self.answer(*player, *question).cloned())]);
                self.overrule(*player, *question, *correct);
            }
            Change::ScoresReleased { .. } if self.standings_held => self.standings_held = false,
            Change::ScoresReleased { held } => {
                self.standings_held = *held;
                self.markings.clear();
                self.phase = Some(Phase::Leaderboard);
                self.score();
                self.make_board();
            }
            Change::NextRoundStarted => {
                self.phase = Some(Phase::Question);
                self.standings_held = false;
                self.round += 1;
                for player in &mut self.players {
                    player.answered_before = player.answered;
                }
                self.released.clear();
                self.answers.clear();
            }
            Change::Ended => {
                self.phase = Some(Phase::Ended);
                self.standings_held = false;
                self.make_board();
            }
            Change::PlayerRemoved { player } => self.remove(*player),
            Change::Set(Setting::Locked(locked)) => self.locked = *locked,
            Change::Closed => {}
            extension_message => self.take_extension(extension_message),
        }
    }

    fn remove(&mut self, player: PlayerId) {
        for gone in self.players.iter_mut().filter(|other| other.id == player) {
            gone.removed = true;
        }
        self.markings.iter_mut().for_each(|marking| marking.retain(|(whose, ..)| *whose != player));
        self.markings.retain(|marking| !marking.is_empty());
        self.board.retain(|standing| standing.player != player);
        rank(&mut self.board);
    }

    fn set_present(&mut self, player: PlayerId, present: bool) {
        for player in self.players.iter_mut().filter(|other| other.id == player) {
            (player.present, player.connected) = (present, present);
        }
    }

    /// A changed answer keeps its place in the order of arrival.
    fn put(&mut self, new: RefAnswer) {
        for player in self.players.iter_mut().filter(|player| player.id == new.player) {
            player.answered = true;
        }
        let same = |answer: &&mut RefAnswer| (answer.player, answer.question) == (new.player, new.question);
        match self.answers.iter_mut().find(same) {
            Some(answer) => *answer = new,
            None => self.answers.push(new),
        }
    }

    pub fn overrule(&mut self, player: PlayerId, question: QuestionId, correct: bool) {
        if self.answer(player, question).is_none() {
            let text = String::new();
            self.put(RefAnswer { player, question, text, marked: false, overruled: None, near_miss: false });
        }
        for answer in &mut self.answers {
            if (answer.player, answer.question) == (player, question) {
                answer.overruled = Some(correct);
            }
        }
    }

    fn score(&mut self) {
        let earned: Vec<(PlayerId, u64)> = self
            .answers
            .iter()
            .filter(|answer| answer.correct())
            .map(|answer| (answer.player, u64::from(self.points(answer.question))))
            .collect();
        for player in &mut self.players {
            player.round_score = earned.iter().filter(|(id, _)| *id == player.id).map(|(_, points)| points).sum();
            player.score += player.round_score;
        }
    }

    fn make_board(&mut self) {
        let listed = self.players.iter().filter(|player| !player.removed && (player.present || player.answered));
        self.board = listed
            .map(|player| RefStanding {
                player: player.id,
                name: player.name.clone(),
                score: player.score,
                round_score: player.round_score,
                rank: 0,
            })
            .collect();
        self.board.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
        rank(&mut self.board);
    }
}

fn rank(board: &mut [RefStanding]) {
    let scores: Vec<u64> = board.iter().map(|standing| standing.score).collect();
    for standing in board {
        let better = scores.iter().filter(|score| **score > standing.score).count();
        standing.rank = u32::try_from(better).expect("few players") + 1;
    }
}
