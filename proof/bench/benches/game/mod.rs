//! A fixed game: one full game from the first join to the last board, all in memory, exactly the same in every run.
//!
//! The program `fixed-game` plays it to have its instructions counted; the benchmarks take their games from its log. The messages
//! to the sockets are checked, so that a broken game is never measured.

pub mod node;
mod quiz;
mod sockets;

use quizhall_engine::wire::Recipient;
use quizhall_engine::{ConnectionId, Dialect, Head, Participant};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::{ServerMessage, ToAll, ToHost, ToPlayer};
use quizhall_rules::{Command, Join, State};
use serde_json::json;

use node::{Node, StoredRow};
use quiz::{QUESTIONS_PER_ROUND, ROUNDS};
use sockets::Socket;

/// The questions of both rounds.
const ALL: std::ops::Range<usize> = 0..ROUNDS * QUESTIONS_PER_ROUND;
/// Boards with more entries than the first number are cut to the second: for players with the extension, and for all others.
const CUT_FOR_PLAYERS: (usize, usize) = (20, 10);
const CUT: (usize, usize) = (200, 100);
/// The host's socket; the players' sockets are numbered from one.
pub const HOST: ConnectionId = ConnectionId(0);
/// Number of players whose answers arrive together and share an append.
const WAVE: usize = 25;

/// A game that is ready to be played: the first row of its log, and everything that will be sent.
#[derive(Debug)]
pub struct FixedGame {
    first: StoredRow,
    joins: Vec<Join>,
    questions: Vec<Asked>,
}

/// The release of a question, and every player's answer.
pub type Asked = (String, Vec<String>);

/// A game that was played.
#[derive(Debug)]
pub struct Played {
    node: Node,
    players: usize,
}

/// The result of a game, after everything was checked.
#[derive(Debug, PartialEq, Eq)]
pub struct Tally {
    /// Acknowledgements that were sent to the players who gave the answers.
    pub answers: usize,
    /// Results of a round that were sent to the right player.
    pub scores: usize,
    /// Final boards that were sent.
    pub boards: usize,
    /// Rows of the log.
    pub rows: usize,
}

impl FixedGame {
    /// A game with this many players.
    pub fn of(players: usize) -> Self {
        let questions = ALL.map(|question| {
            let answers = (0..players).map(|player| submit(player, question));
            (say("release_question", &json!({ "questionId": quiz::question_id(question).uuid() })), answers.collect())
        });
        Self {
            first: StoredRow::new(Head { seq: 0, batch: 1 }, &[quiz::created()]),
            joins: (0..players).map(quiz::join).collect(),
            questions: questions.collect(),
        }
    }

    /// Plays until all players have joined and the game has begun; also returns what will be sent.
    pub fn begin(self) -> (Node, Vec<Asked>) {
        let mut node = Node::open(self.first);
        node.attach(HOST, Participant::Host, Dialect::QuizhallV1);
        node.settle();
        for (number, join) in (1..).zip(self.joins) {
            arrive(&mut node, number, join);
        }
        host(&mut node, "start_game");
        (node, self.questions)
    }

    /// Plays the game.
    pub fn play(self) -> Played {
        let players = self.joins.len();
        let (mut node, questions) = self.begin();
        for (round, questions) in questions.chunks(QUESTIONS_PER_ROUND).enumerate() {
            if round > 0 {
                host(&mut node, "start_next_round");
            }
            for (release, answers) in questions {
                node.say(HOST, release);
                node.settle();
                answer_all(&mut node, answers);
            }
            host(&mut node, "end_round");
            host(&mut node, "release_scores");
        }
        host(&mut node, "end_game");
        Played { node, players }
    }
}

impl Played {
    /// The log as it is stored.
    pub fn log(&self) -> &[StoredRow] {
        &self.node.log
    }

    /// Checks everything that was sent and stored.
    ///
    /// # Panics
    /// When the game did not go as its players expect.
    pub fn check(&self) -> Tally {
        assert_eq!(self.node.granted, self.players, "every join is granted");
        let mut tally = Tally { answers: 0, scores: 0, boards: 0, rows: self.log().len() };
        for socket in self.node.sockets.iter() {
            self.check_socket(socket, &mut tally);
        }
        assert_eq!(tally.answers, self.players * ALL.len(), "every answer is acknowledged once");
        assert_eq!(tally.scores, self.players * ROUNDS, "every player receives the results of every round");
        assert_eq!(tally.boards, self.players + 1, "all clients receive the final board");
        let events: Vec<_> = self.log().iter().flat_map(|row| row.read().events).collect();
        let replayed = State::replay(&events).expect("the log is a game's");
        assert!(replayed == *self.node.state(), "the log makes the game that was shown");
        tally
    }

    fn check_socket(&self, socket: &Socket, tally: &mut Tally) {
        let participant = socket.participant;
        let is_cut_more = participant.recipient(socket.dialect) == Recipient::Player;
        let (mut reviewed, mut round) = (0, 0);
        for message in &socket.messages() {
            match message {
                ServerMessage::Player(ToPlayer::AnswerAccepted(_)) => tally.answers += 1,
                ServerMessage::Player(ToPlayer::RoundScores(scores)) => {
                    let Participant::Player(player) = participant else { panic!("results sent to the host") };
                    let first = round * QUESTIONS_PER_ROUND;
                    let expected = quiz::score(quiz::number_of(player), first..first + QUESTIONS_PER_ROUND);
                    assert_eq!(scores.round_total, expected, "{player} in round {round}");
                    (round, tally.scores) = (round + 1, tally.scores + 1);
                }
                ServerMessage::Host(ToHost::RoundReview(review)) => reviewed += review.answers.len(),
                ServerMessage::All(ToAll::GameEnded(board)) => {
                    self.check_board(&board.leaderboard, if is_cut_more { CUT_FOR_PLAYERS } else { CUT });
                    tally.boards += 1;
                }
                _ => {}
            }
        }
        let to_review = if participant == Participant::Host { self.players * ALL.len() } else { 0 };
        assert_eq!(reviewed, to_review, "the host reviews every answer, and no player does");
    }

    /// Checks that ranks and points are in order, and that each player has the right ones.
    fn check_board(&self, board: &[LeaderboardEntry], (whole, top): (usize, usize)) {
        let mut scores: Vec<i64> = (0..self.players).map(|player| quiz::score(player, ALL)).collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        let is_whole = self.players <= whole;
        assert_eq!(board.len(), if is_whole { self.players } else { top }, "lines of the final board");
        for (entry, score) in board.iter().zip(&scores) {
            let ahead = scores.iter().take_while(|other| *other > score).count();
            assert_eq!((entry.rank as usize, entry.score), (ahead + 1, *score), "the final board");
            let own = quiz::score(quiz::number_of(entry.player_id.into()), ALL);
            assert_eq!(entry.score, own, "{} on the final board", entry.player_id);
        }
    }
}

fn arrive(node: &mut Node, number: u64, join: Join) {
    let participant = Participant::Player(join.player);
    node.request(number, Command::Join(join.into()));
    node.settle();
    let dialect = if number.is_multiple_of(2) { Dialect::Interface } else { Dialect::QuizhallV1 };
    node.attach(ConnectionId(number), participant, dialect);
    node.settle();
}

fn answer_all(node: &mut Node, answers: &[String]) {
    let answers: Vec<_> = (1..).map(ConnectionId).zip(answers).collect();
    for wave in answers.chunks(WAVE) {
        for (connection, answer) in wave {
            node.say(*connection, answer);
        }
        node.settle();
    }
}

fn host(node: &mut Node, kind: &str) {
    node.say(HOST, &say(kind, &json!({})));
    node.settle();
}

fn submit(player: usize, question: usize) -> String {
    let question_id = quiz::question_id(question).uuid();
    say("submit_answer", &json!({ "questionId": question_id, "answer": quiz::answer(player, question) }))
}

/// A message as a client writes it.
pub fn say(kind: &str, payload: &serde_json::Value) -> String {
    json!({ "type": kind, "payload": payload }).to_string()
}
