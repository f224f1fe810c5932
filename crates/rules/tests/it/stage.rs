//! A game for tests: small ids, a small quiz, and short functions for commands.

use quizhall_rules::{
    Actor, AdjustmentId, AnswerText, Change, Command, CommandId, Created, DisplayName, EnteredAnswer, Event, Expiry,
    GameId, HostId, Join, MarkingRule, Moment, NewSeat, Origin, Phase, PlayOptions, PlayerId, Question, QuestionEdit,
    QuestionId, QuestionKind, Quiz, Refusal, Round, State, Teams, TokenHash, decide,
};
use uuid::Uuid;

pub fn player(number: u8) -> PlayerId {
    Uuid::from_u128(0x0100_0000 + u128::from(number)).into()
}

/// Questions are numbered through the whole quiz, from 1.
pub fn question(number: u8) -> QuestionId {
    Uuid::from_u128(0x0200_0000 + u128::from(number)).into()
}

pub fn token(number: u8) -> TokenHash {
    TokenHash([number; 32])
}

pub fn command_id(session: u64, number: u64) -> CommandId {
    CommandId { session, number }
}

pub fn text_question(number: u8, points: u32) -> Question {
    Question {
        points,
        ..Question::new(
            question(number),
            QuestionKind::Text,
            format!("Question {number}?"),
            &["right".to_owned(), format!("right {number}")],
        )
    }
}

/// Question `n` is worth `n * 100` points; its key is "right".
pub fn quiz(rounds: u8, per_round: u8) -> Quiz {
    let questions = |round: u8| (1..=per_round).map(move |at| round * per_round + at);
    let round = |round: u8| {
        let questions = questions(round).map(|number| text_question(number, u32::from(number) * 100));
        Round::new(format!("Round {round}"), questions.collect())
    };
    Quiz { title: "Quiz".into(), rounds: (0..rounds).map(round).collect() }
}

pub fn created(quiz: Quiz) -> Created {
    Created {
        game: GameId::from(Uuid::from_u128(1)),
        host: HostId::from(Uuid::from_u128(2)),
        code: "ABC234".into(),
        quiz,
        join_secret: [7; 32],
        created_at_ms: 1_700_000_000_000,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    }
}

pub fn join(number: u8, name: &str) -> Join {
    Join {
        player: player(number),
        display_name: DisplayName::parse(name).unwrap(),
        token: token(number),
        idempotency: None,
        player_limit: 100,
        team: None,
    }
}

/// A command without an id, at the first moment.
pub fn from(actor: Actor) -> Origin {
    Origin { actor, command_id: None, at: Moment::default() }
}

pub fn submit(number: u8, answer: &str) -> Command {
    Command::SubmitAnswer { question: question(number), answer: AnswerText::parse(answer).unwrap(), elapsed: None }
}

pub fn release(number: u8) -> Command {
    Command::ReleaseQuestion { question: question(number) }
}

/// `edit_question` of the text.
pub fn edit(number: u8, text: &str) -> Command {
    Command::EditQuestion(
        QuestionEdit { question: question(number), text: Some(text.to_owned()), choices: None, accepted: None }.into(),
    )
}

pub fn overrule(who: u8, number: u8, correct: bool) -> Command {
    Command::OverrideAnswer { player: player(who), question: question(number), correct }
}

/// `correct_marks` of several texts.
pub fn correct_marks(number: u8, texts: &[&str], correct: bool) -> Command {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    Command::CorrectMarks { question: question(number), texts, correct, half: false }
}

/// `correct_marks` of several players.
pub fn credit(number: u8, players: &[u8], correct: bool) -> Command {
    let players = players.iter().map(|number| player(*number)).collect();
    Command::CorrectPlayers { question: question(number), players, correct, half: false }
}

/// `adjust_points` without a reason.
pub fn adjust(who: PlayerId, points: i32) -> Command {
    Command::AdjustPoints { player: who, points, reason: None }
}

/// `undo_adjustment` of the points by hand with a number in the game.
pub fn undo_adjustment(number: u32) -> Command {
    let game = GameId::from(Uuid::from_u128(1));
    Command::UndoAdjustment { adjustment: AdjustmentId::of(game, number) }
}

/// The same marking or correction, with half of the points for answers that it does not mark as right.
pub fn halved(mut command: Command) -> Command {
    match &mut command {
        Command::MarkAnswers { half, .. }
        | Command::CorrectMarks { half, .. }
        | Command::CorrectPlayers { half, .. } => {
            *half = true;
        }
        other => panic!("{other:?} gives no half"),
    }
    command
}

pub fn mark_all(number: u8, texts: &[&str], correct: bool) -> Command {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    Command::MarkAnswers { question: question(number), texts, correct, half: false, alike: false }
}

pub fn halve(number: u8, texts: &[&str]) -> Command {
    halved(mark_all(number, texts, false))
}

pub fn accept(number: u8, text: &str, correct: bool) -> Command {
    Command::AcceptAnswer {
        question: question(number),
        texts: [text.to_owned()].into_iter().collect(),
        correct,
        half: false,
    }
}

/// `add_seat` to a game that holds 100.
pub fn add_seat(name: &str) -> Command {
    Command::AddSeat(NewSeat { name: name.to_owned(), player_limit: 100 }.into())
}

pub fn enter(player: PlayerId, number: u8, answer: &str) -> Command {
    let answer = AnswerText::parse(answer).unwrap();
    Command::EnterAnswer(EnteredAnswer { player, question: question(number), answer }.into())
}

/// A game with its log; as in the engine, an event is stored before it takes effect.
pub struct Game {
    pub state: State,
    pub log: Vec<Event>,
    /// The time at which commands are decided and applied.
    pub now: Moment,
}

impl Game {
    pub fn new(quiz: Quiz) -> Self {
        Self::with_teams(quiz, None)
    }

    pub fn with_teams(quiz: Quiz, teams: Option<Teams>) -> Self {
        Self::with(quiz, PlayOptions { teams, ..PlayOptions::default() })
    }

    pub fn with(quiz: Quiz, options: PlayOptions) -> Self {
        let created = Created { options, ..created(quiz) };
        let state = State::created(&created);
        let log = vec![Event::new(Change::Created(created.into()), None)];
        Self { state, log, now: Moment::default() }
    }

    /// Two rounds of two questions; players 1 "Ann" and 2 "Bob" in the lobby.
    pub fn of_two() -> Self {
        let mut game = Self::new(quiz(2, 2));
        game.joins(1, "Ann");
        game.joins(2, "Bob");
        game
    }

    /// A game of one round that has ended; player 1, Ann, gave these answers, one per question; an empty one is not given.
    pub fn answered(quiz: Quiz, answers: &[&str]) -> Self {
        let mut game = Self::new(quiz);
        game.joins(1, "Ann");
        game.joins(2, "Bob");
        game.host(Command::StartGame);
        for (number, answer) in (1..).zip(answers) {
            game.host(release(number));
            if !answer.is_empty() {
                game.answers(1, number, answer);
            }
        }
        game.host(Command::EndRound);
        game
    }

    /// A game of two players in this phase of the first round; question 1 was released and answered by both, and Ann is right.
    pub fn in_phase(phase: Phase) -> Self {
        let mut game = Self::of_two();
        if phase == Phase::Lobby {
            return game;
        }
        game.host(Command::StartGame);
        game.host(release(1));
        game.answers(1, 1, "right");
        game.answers(2, 1, "wrong");
        let steps = [Command::EndRound, Command::ReleaseScores, Command::EndGame];
        for step in steps {
            if game.state.phase() == phase {
                return game;
            }
            game.host(step);
        }
        game
    }

    pub fn decided_with_id(
        &mut self,
        actor: Actor,
        command_id: Option<CommandId>,
        command: &Command,
    ) -> Result<Option<Event>, Refusal> {
        let verdict = decide(&self.state, Origin { actor, command_id, at: self.now }, command);
        if let Ok(Some(event)) = &verdict {
            self.state.apply_at(event, self.now);
            self.log.push(event.clone());
        }
        verdict
    }

    pub fn ask(&mut self, actor: Actor, command: &Command) -> Result<Option<Event>, Refusal> {
        self.decided_with_id(actor, None, command)
    }

    /// Sends a command that must change something.
    pub fn must(&mut self, actor: Actor, command: &Command) -> Change {
        let verdict = self.ask(actor, command);
        verdict
            .unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
            .expect("the command changes something")
            .change
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better at every call")]
    pub fn host(&mut self, command: Command) -> Change {
        self.must(Actor::Host, &command)
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better at every call")]
    pub fn service(&mut self, command: Command) -> Change {
        self.must(Actor::Service, &command)
    }

    /// What runs out first, and when.
    pub fn next_expiry(&self) -> (Moment, Expiry) {
        self.state.expiries().min_by_key(|(at, _)| *at).expect("a timer or step is running")
    }

    /// Lets time pass until something runs out; returns the change.
    pub fn run(&mut self) -> Change {
        let (at, expiry) = self.next_expiry();
        self.now = self.now.max(at);
        self.service(Command::Expire(expiry))
    }

    pub fn joins(&mut self, number: u8, name: &str) {
        self.service(Command::Join(join(number, name).into()));
    }

    pub fn answers(&mut self, who: u8, number: u8, answer: &str) -> Change {
        self.must(Actor::Player(player(who)), &submit(number, answer))
    }

    /// The board as (name, score, score of the round, rank).
    pub fn board(&self) -> Vec<(String, i64, i64, u32)> {
        let line = |standing: &quizhall_rules::Standing| {
            (standing.display_name.to_string(), standing.score, standing.round_score, standing.rank)
        };
        self.state.board().standings.iter().map(line).collect()
    }

    /// The review as (name, question text, answer, correct).
    pub fn review(&self) -> Vec<(&str, &str, &str, bool)> {
        let entries = self.state.review();
        entries
            .map(|entry| {
                let name = entry.player.display_name.as_str();
                (name, entry.question.text.as_str(), &*entry.answer.text, entry.answer.correct())
            })
            .collect()
    }
}
