//! Random sealed games: every kind of question and option, and every command that changes a mark, a point or a place.

use quizhall_engine::wire::seal::sealed;
use quizhall_rules::{
    Actor, AnswerText, Change, Command, Created, DisplayName, EnteredAnswer, Event, GameId, HostId, Join, MarkingRule,
    Moment, NewSeat, Origin, Pace, Phase, PlayOptions, PlayerId, Question, QuestionEdit, QuestionId, QuestionKind,
    Quiz, Round, State, TieQuestion, TokenHash, decide,
};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use uuid::Uuid;

/// The log of a game that has ended.
pub fn game(seed: u64) -> Vec<Event> {
    let mut evening = Evening::new(seed);
    evening.lobby();
    for round in 0..evening.state.quiz().rounds.len() {
        evening.round(round);
    }
    evening.host(&Command::EndGame);
    evening.log
}

struct Evening {
    dice: StdRng,
    state: State,
    log: Vec<Event>,
    now: u64,
    names: u32,
}

impl Evening {
    fn new(seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut ids = 0;
        let rounds = (0..dice.random_range(1..4)).map(|_| round(&mut dice, &mut ids)).collect();
        let quiz = Quiz { title: "Sealed".to_owned(), rounds };
        quiz.validate().expect("a quiz that an author may write");
        let join_secret: [u8; 32] = dice.random();
        let by_question = dice.random_bool(0.4);
        let options = PlayOptions {
            pace: if by_question { Pace::Question } else { Pace::Round },
            streaks: dice.random_bool(0.3),
            speed_points: dice.random_bool(0.3),
            answer_seconds: dice.random_bool(0.5).then_some(20),
            ..PlayOptions::default()
        };
        let created = Created {
            game: GameId::from(Uuid::from_u128(dice.random())),
            host: HostId::from(Uuid::from_u128(2)),
            code: "ABC234".to_owned(),
            sealed: Some(sealed(&join_secret, &quiz).into()),
            quiz,
            join_secret,
            created_at_ms: 1_700_000_000_000,
            options,
            rule: MarkingRule::LATEST,
        };
        let state = State::created(&created);
        Self { dice, state, log: vec![Event::new(Change::Created(created.into()), None)], now: 0, names: 0 }
    }

    /// A command that the rules refuse does nothing.
    fn send(&mut self, actor: Actor, command: &Command) {
        self.now += self.dice.random_range(1..3_000);
        let at = Moment(self.now);
        if let Ok(Some(event)) = decide(&self.state, Origin { actor, command_id: None, at }, command) {
            self.state.apply_at(&event, at);
            self.log.push(event);
        }
    }

    fn host(&mut self, command: &Command) {
        self.send(Actor::Host, command);
    }

    fn joins(&mut self) {
        self.names += 1;
        let (name, id): (String, u128) = (format!("Player {}", self.names), self.dice.random());
        let join = Join {
            player: PlayerId::from(Uuid::from_u128(id)),
            display_name: DisplayName::parse(&name).unwrap(),
            token: TokenHash(self.dice.random()),
            idempotency: None,
            player_limit: 100,
            team: None,
        };
        self.send(Actor::Service, &Command::Join(join.into()));
    }

    fn lobby(&mut self) {
        for _ in 0..self.dice.random_range(2..6) {
            self.joins();
        }
        if self.dice.random_bool(0.6) {
            self.host(&Command::AddSeat(NewSeat { name: "On paper".to_owned(), player_limit: 100 }.into()));
        }
        for player in self.players() {
            match self.dice.random_range(0..5) {
                0 => self.send(Actor::Service, &Command::Leave { player, device: quizhall_rules::Device::FIRST }),
                1 => self.send(Actor::Player(player), &Command::PlayJoker),
                _ => {}
            }
            if self.dice.random_bool(0.5) {
                self.send(Actor::Service, &Command::Return { player, device: quizhall_rules::Device::FIRST });
            }
        }
        self.maybe_edits();
        self.host(&Command::StartGame);
    }

    fn round(&mut self, round: usize) {
        if self.dice.random_bool(0.3) {
            self.joins();
        }
        for question in self.questions(round) {
            self.maybe_edits();
            self.host(&Command::ReleaseQuestion { question });
            for _ in 0..self.dice.random_range(1..3) {
                self.all_answer(question);
            }
            if self.dice.random_bool(0.3) {
                self.rules_on(question);
            }
            if self.dice.random_bool(0.1) {
                self.host(&Command::WithdrawQuestion { question });
            }
        }
        self.adjusts();
        self.host(&Command::EndRound);
        self.adjusts();
        self.reviews(round);
        self.host(&Command::ReleaseScores);
        self.after_scores();
        if self.state.has_next_round() {
            self.host(&Command::StartNextRound);
        }
    }

    fn reviews(&mut self, round: usize) {
        for question in self.questions(round) {
            for _ in 0..self.dice.random_range(0..3) {
                match self.dice.random_range(0..5) {
                    0 => self.rules_on(question),
                    1 => self.host(&Command::UndoMarking),
                    2 => {
                        let (player, correct) = (self.any_player(), self.dice.random());
                        self.host(&Command::OverrideAnswer { player, question, correct });
                    }
                    3 => self.all_answer(question),
                    _ => {
                        let (texts, correct, half) = (self.texts(question), self.dice.random(), self.dice.random());
                        let alike = self.dice.random();
                        self.host(&Command::MarkAnswers {
                            question,
                            texts: texts.into_iter().collect(),
                            correct,
                            half,
                            alike,
                        });
                    }
                }
            }
        }
        if self.players().len() > 1 && self.dice.random_bool(0.15) {
            let player = self.any_player();
            self.host(&Command::Remove { player });
        }
        if self.dice.random_bool(0.2) {
            let player = self.any_player();
            self.names += 1;
            self.host(&Command::RenamePlayer { player, name: format!("Renamed {}", self.names) });
        }
    }

    fn after_scores(&mut self) {
        for _ in 0..self.dice.random_range(0..5) {
            let question = self.any_question();
            match self.dice.random_range(0..6) {
                0 => {
                    let (player, correct, half) = (self.any_player(), self.dice.random(), self.dice.random());
                    self.host(&Command::CorrectPlayers { question, players: vec![player], correct, half });
                }
                1 => {
                    let player = self.any_player();
                    self.send(
                        Actor::Player(player),
                        &Command::Appeal { question, text: Some("I meant it".to_owned()) },
                    );
                    if self.dice.random_bool(0.5) {
                        self.host(&Command::DismissAppeal { player, question });
                    }
                }
                2 => {
                    let (texts, correct) = (self.texts(question).into_iter().collect(), self.dice.random());
                    self.host(&Command::CorrectMarks { question, texts, correct, half: false });
                }
                3 => self.host(&Command::WithdrawQuestion { question }),
                4 => {
                    let player = self.any_player();
                    self.send(Actor::Player(player), &Command::PlayJoker);
                }
                _ => self.maybe_edits(),
            }
        }
        self.adjusts();
        if self.state.phase() == Phase::Leaderboard {
            self.tie_breaks();
        }
    }

    /// Points by hand, of which some are undone, at once or later.
    fn adjusts(&mut self) {
        if self.dice.random_bool(0.3) {
            let (player, points) = (self.any_player(), [-5, 7, 250][self.dice.random_range(0..3)]);
            let reason = self.dice.random_bool(0.5).then(|| "Best name".into());
            self.host(&Command::AdjustPoints { player, points, reason });
        }
        let given: Vec<_> = self.state.adjustments().into_iter().map(|(_, given)| self.state.id_of(given)).collect();
        if !given.is_empty() && self.dice.random_bool(0.2) {
            let adjustment = given[self.dice.random_range(0..given.len())];
            self.host(&Command::UndoAdjustment { adjustment });
        }
    }

    fn tie_breaks(&mut self) {
        let standings = &self.state.board().standings;
        let scores: Vec<i64> = standings.iter().map(|standing| standing.score).collect();
        let tied =
            |score: i64| standings.iter().filter(|other| other.score == score).map(|other| other.player).collect();
        let groups: Vec<Vec<PlayerId>> = scores.iter().map(|score| tied(*score)).collect();
        let Some(players) = groups.into_iter().find(|players| players.len() > 1) else { return };
        for _ in 0..self.dice.random_range(1..3) {
            let asked = TieQuestion { players: players.clone(), text: "How many keys?".to_owned(), answer: 88 };
            self.host(&Command::TieBreak(asked.into()));
            for player in &players {
                let answer = self.dice.random_range(86..91);
                if self.dice.random_bool(0.8) {
                    self.send(Actor::Player(*player), &Command::AnswerTieBreak { answer });
                }
            }
            self.host(&Command::EndTieBreak);
        }
    }

    fn all_answer(&mut self, question: QuestionId) {
        let asked = self.state.question(question).unwrap().clone();
        for player in self.players() {
            if self.dice.random_bool(0.25) {
                continue;
            }
            let answer = AnswerText::parse(&self.thought(&asked)).unwrap();
            if self.state.player(player).is_some_and(|player| player.on_paper) {
                self.host(&Command::EnterAnswer(EnteredAnswer { player, question, answer }.into()));
            } else {
                let elapsed = Some(self.dice.random_range(0..30_000));
                self.send(Actor::Player(player), &Command::SubmitAnswer { question, answer, elapsed });
            }
        }
    }

    /// Right in some spelling, nearly right, wrong, or what stands for an erased answer.
    fn thought(&mut self, asked: &Question) -> String {
        let right = asked.shown_key();
        match self.dice.random_range(0..6) {
            0 if !right.is_empty() => right,
            1 if !right.is_empty() => format!(" {} ", right.to_uppercase()),
            2 if right.len() > 4 => right.chars().rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
            3 if !asked.choices.is_empty() => {
                let kept = asked.choices.iter().filter(|_| self.dice.random_bool(0.5)).cloned().collect::<Vec<_>>();
                if kept.is_empty() { "A".to_owned() } else { kept.join("\n") }
            }
            4 => ["A", "b, a", "1,665", "1.66e3", "−12", "C++", "Łódź", "(erased 1)"][self.dice.random_range(0..8)]
                .to_owned(),
            _ => self.dice.random_range(1_600..1_700).to_string(),
        }
    }

    fn rules_on(&mut self, question: QuestionId) {
        let (texts, correct, half) = (self.texts(question), self.dice.random(), self.dice.random());
        self.host(&Command::AcceptAnswer { question, texts: texts.into_iter().collect(), correct, half });
    }

    /// One of the answers, and a text of no player.
    fn texts(&mut self, question: QuestionId) -> Vec<String> {
        let given: Vec<String> = self.state.answers_ever(question).map(|(_, answer)| answer.text.to_string()).collect();
        let given: Vec<String> = given.into_iter().filter(|text| !text.is_empty()).collect();
        let one = (!given.is_empty()).then(|| given[self.dice.random_range(0..given.len())].clone());
        one.into_iter().chain(["another".to_owned()]).collect()
    }

    fn maybe_edits(&mut self) {
        if self.dice.random_bool(0.85) {
            return;
        }
        let question = self.any_question();
        let asked = self.state.question(question).unwrap();
        let renamed = asked.choices.iter().map(|choice| format!("{choice}!")).collect::<Vec<_>>();
        let choices = (!renamed.is_empty() && asked.kind != QuestionKind::Poll).then_some(renamed);
        let text = Some(format!("{} (edited)", asked.text));
        self.host(&Command::EditQuestion(QuestionEdit { question, text, choices, accepted: None }.into()));
    }

    fn players(&self) -> Vec<PlayerId> {
        self.state.players().map(|player| player.id).collect()
    }

    fn any_player(&mut self) -> PlayerId {
        let players = self.players();
        players[self.dice.random_range(0..players.len())]
    }

    fn any_question(&mut self) -> QuestionId {
        let all: Vec<_> =
            self.state.quiz().rounds.iter().flat_map(|round| &round.questions).map(|one| one.id).collect();
        all[self.dice.random_range(0..all.len())]
    }

    fn questions(&self, round: usize) -> Vec<QuestionId> {
        self.state.quiz().rounds[round].questions.iter().map(|question| question.id).collect()
    }
}

fn round(dice: &mut StdRng, ids: &mut u128) -> Round {
    let questions = (0..dice.random_range(2..6)).map(|_| question(dice, ids)).collect();
    Round {
        time_limit: dice.random_bool(0.2).then_some(30),
        streaks: dice.random_bool(0.4),
        speed_points: dice.random_bool(0.4),
        joker: dice.random_bool(0.5),
        wrong_points: if dice.random_bool(0.3) { -300 } else { 0 },
        half_points: dice.random_bool(0.4),
        ..Round::new("", questions)
    }
}

fn question(dice: &mut StdRng, ids: &mut u128) -> Question {
    *ids += 1;
    let kind = QuestionKind::ALL[dice.random_range(0..QuestionKind::ALL.len())];
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (choices, accepted) = match kind {
        QuestionKind::Text => (vec![], words(&["Kathmandu", "Katmandu city", "1,5"])),
        QuestionKind::MultipleChoice => (words(&["Bern", "Zürich", "C"]), words(&["Bern"])),
        QuestionKind::TrueFalse => (words(&["True", "False"]), words(&["False"])),
        QuestionKind::Numeric => (vec![], words(&["1,665", "1650"])),
        QuestionKind::MultiSelect => (words(&["red", "green", "blue", "Red wine"]), words(&["red", "blue"])),
        QuestionKind::Order => (words(&["one", "two", "three"]), words(&["two", "three", "one"])),
        QuestionKind::Poll => (words(&["tea", "coffee"]), vec![]),
        QuestionKind::WordCloud => (vec![], vec![]),
        QuestionKind::Nearest => (vec![], words(&["1665"])),
    };
    let tolerance = if kind == QuestionKind::Numeric { [0.0, 0.5, 1e-7, 12.25][dice.random_range(0..4)] } else { 0.0 };
    let points = if kind.is_marked() { [1_000, 333, 7, 0][dice.random_range(0..4)] } else { 0 };
    Question {
        choices,
        points,
        tolerance,
        time_limit: dice.random_bool(0.4).then_some(20),
        explanation: Some("not sealed".to_owned()),
        ..Question::new(
            QuestionId::from(Uuid::from_u128(*ids)),
            kind,
            format!("Question {ids} – “é”?\nAnd more"),
            &accepted,
        )
    }
}
