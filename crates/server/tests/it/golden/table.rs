//! A game with its host and three players, played in fixed steps: the answers are always the same, so two versions of the
//! service must give the same results.

use std::time::Duration;

use quizhall_client::{Api, Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::http::results::Results;
use quizhall_protocol::{FromHost, FromPlayer, QuestionKind, Role, ServerMessage, ToAll, ToPlayer};
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// The longest that a step may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Pause between two requests for the state of the game.
const LOOK: Duration = Duration::from_millis(5);

const NAMES: [&str; 3] = ["Ann", "Bob", "Čeněk & Dóra"];
/// The answers by round, question and player; an empty one is not given.
const ANSWERS: [[[&str; 3]; 2]; 2] =
    [[["earth", "the globe", "Mars"], ["8", "08", "9"]], [["blue", "", "red"], ["Brontë", "bronte", "Austen"]]];

/// The phase in which a game is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Lobby,
    /// One of two questions is released, and answered by two players.
    Question,
    /// One answer was overridden.
    RoundReview,
    Leaderboard,
    Ended,
    /// Deleted by its host during the leaderboard.
    Closed,
}

impl Stage {
    pub const ALL: [Self; 6] =
        [Self::Lobby, Self::Question, Self::RoundReview, Self::Leaderboard, Self::Ended, Self::Closed];
}

/// One game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    pub stage: Stage,
    pub game: Uuid,
    pub code: String,
    /// The ids of the players and their tokens.
    pub players: Vec<(Uuid, String)>,
}

impl Table {
    /// A new game of this quiz, played up to `stage`.
    pub async fn open(api: &Api, quiz: Uuid, stage: Stage) -> Self {
        let game = api.create_game(quiz).await.unwrap();
        let mut table = Self { stage, game: game.id, code: game.game_code, players: Vec::new() };
        for name in NAMES {
            let request = JoinRequest::new(table.code.clone(), name.to_owned());
            let joined = api.join(&request, None).await.unwrap();
            table.players.push((joined.player_id, joined.session_token));
        }
        table.play(api, stage).await;
        table
    }

    /// Plays to the end; the results that the host then reads.
    pub async fn play_on(&self, api: &Api) -> Results {
        // The code of a game that has ended stops working after a day.
        if self.stage != Stage::Ended {
            self.play(api, Stage::Ended).await;
        }
        self.results(api).await
    }

    /// The game as its host sees it; `None` when it can no longer be found.
    pub async fn state(&self, api: &Api) -> Option<Game> {
        match api.game(self.game).await {
            Ok(game) => Some(game),
            Err(error) if error.status() == Some(404) => None,
            Err(error) => panic!("{error}"),
        }
    }

    pub async fn results(&self, api: &Api) -> Results {
        api.results(self.game).await.unwrap()
    }

    async fn play(&self, api: &Api, to: Stage) {
        if to == Stage::Lobby {
            return;
        }
        let mut host = self.socket(api, (api.token().unwrap().clone(), Role::Host)).await;
        let mut players = Vec::new();
        for (_, token) in &self.players {
            players.push(self.socket(api, (Token::new(token), Role::Player)).await);
        }
        loop {
            let game = self.state(api).await.unwrap();
            let round = game.current_round as usize;
            match game.phase.as_str() {
                "lobby" => self.leave(api, &mut host, ("lobby", FromHost::StartGame)).await,
                "question" => {
                    self.questions(&game, (&mut host, &mut players), to == Stage::Question).await;
                    if to == Stage::Question {
                        return;
                    }
                    self.leave(api, &mut host, ("question", FromHost::EndRound)).await;
                }
                "round_review" => {
                    self.overrule(api, &mut host, &game).await;
                    if to == Stage::RoundReview {
                        return;
                    }
                    self.leave(api, &mut host, ("round_review", FromHost::ReleaseScores)).await;
                }
                "leaderboard" if to == Stage::Leaderboard => return,
                "leaderboard" if to == Stage::Closed => return api.delete_game(self.game).await.unwrap(),
                "leaderboard" if round < ANSWERS.len() => {
                    self.leave(api, &mut host, ("leaderboard", FromHost::StartNextRound)).await;
                }
                "leaderboard" => self.leave(api, &mut host, ("leaderboard", FromHost::EndGame)).await,
                _ => return,
            }
        }
    }

    /// Releases the questions that are not released yet and gives all answers of the round; only some of them for
    /// [`Stage::Question`].
    async fn questions(&self, game: &Game, (host, players): (&mut Socket, &mut [Socket]), in_part: bool) {
        let round = game.current_round as usize - 1;
        for (question, answers) in
            game.rounds[round].questions.iter().zip(ANSWERS[round]).take(if in_part { 1 } else { 2 })
        {
            let question_id = question.id.unwrap();
            if !game.released.contains(&question_id) {
                host.send_host(&FromHost::ReleaseQuestion(ReleaseQuestion { question_id })).await.unwrap();
            }
            for (player, answer) in players.iter_mut().zip(answers).take(if in_part { 2 } else { 3 }) {
                if !answer.is_empty() {
                    give(player, question_id, answer).await;
                }
            }
        }
    }

    /// The host marks Bob's first answer as right, whatever the automatic marking was.
    async fn overrule(&self, api: &Api, host: &mut Socket, game: &Game) {
        let round = game.current_round as usize - 1;
        let (player_id, question_id) = (self.players[1].0, game.released[0]);
        if ANSWERS[round][0][1].is_empty() {
            return;
        }
        let order = OverrideAnswer { player_id, question_id, correct: true };
        host.send_host(&FromHost::OverrideAnswer(order)).await.unwrap();
        let is_done = async {
            let counts = |results: Results| {
                let answers = results.rounds[round].questions[0].answers.iter();
                answers.clone().any(|answer| answer.player_id == player_id && answer.overridden)
            };
            while !counts(self.results(api).await) {
                sleep(LOOK).await;
            }
        };
        timeout(TIMEOUT, is_done).await.expect("the override is confirmed");
    }

    /// Sends the message, and waits until the game is in another phase.
    async fn leave(&self, api: &Api, host: &mut Socket, (phase, order): (&str, FromHost)) {
        host.send_host(&order).await.unwrap();
        let has_left = async {
            while self.state(api).await.unwrap().phase == phase {
                sleep(LOOK).await;
            }
        };
        timeout(TIMEOUT, has_left).await.unwrap_or_else(|_| panic!("still in {phase}"));
    }

    async fn socket(&self, api: &Api, (token, role): (Token, Role)) -> Socket {
        let credentials = Seat { code: self.code.clone(), token, role };
        Socket::connect(api.endpoint(), &credentials, Carrier::Bearer).await.unwrap()
    }
}

/// Gives an answer as soon as the question is open, and waits until it is acknowledged.
async fn give(player: &mut Socket, question_id: Uuid, answer: &str) {
    let mut is_sent = false;
    let acknowledged = async {
        loop {
            match player.next().await.unwrap() {
                Incoming::Message(ServerMessage::Player(ToPlayer::AnswerAccepted(done)))
                    if done.question_id == question_id =>
                {
                    return;
                }
                Incoming::Message(ServerMessage::All(ToAll::QuestionReleased(released)))
                    if released.question.id == question_id && !is_sent =>
                {
                    let submit = SubmitAnswer { question_id, answer: answer.to_owned() };
                    player.send_player(&FromPlayer::SubmitAnswer(submit)).await.unwrap();
                    is_sent = true;
                }
                Incoming::Message(_) => {}
                Incoming::Closed(closed) => panic!("closed: {closed:?}"),
            }
        }
    };
    timeout(TIMEOUT, acknowledged).await.expect("an acknowledgement");
}

/// The quiz of all these games.
pub fn quiz() -> QuizBody {
    let question = |text: &str, kind: QuestionKind, correct: &[&str]| QuestionBody {
        choices: (kind == QuestionKind::MultipleChoice).then(|| ["red", "blue", "green"].map(str::to_owned).to_vec()),
        points: Some(500),
        ..QuestionBody::new(kind, text, correct)
    };
    let round = |title: &str, questions: Vec<QuestionBody>| RoundBody::new(title, questions);
    QuizBody {
        title: "Golden".to_owned(),
        rounds: vec![
            round(
                "First",
                vec![
                    question("Which planet do we live on?", QuestionKind::Text, &["Earth", "The Earth"]),
                    question("How many legs has a spider?", QuestionKind::Numeric, &["8"]),
                ],
            ),
            round(
                "Second",
                vec![
                    question("Which colour has the sky?", QuestionKind::MultipleChoice, &["blue"]),
                    question("Who wrote Jane Eyre?", QuestionKind::Text, &["Charlotte Brontë", "Brontë"]),
                ],
            ),
        ],
    }
}
