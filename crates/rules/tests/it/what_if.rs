//! What corrections would do: the board that the server shows before them is the board after them, and the board of a game that was
//! marked so from the start.
//!
//! A failure prints its seed; `QUIZHALL_SEED=<seed>` plays that one game again, `QUIZHALL_GAMES=<count>` plays more.

use std::sync::Arc;

use quizhall_rules::{
    Actor, Command, Named, Outcome, Phase, PlayOptions, PlayerId, QuestionId, QuestionKind, Quiz, Refusal, Standing,
    State, Supposed, Teams, what_if,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt, SeedableRng};

use crate::stage::{Game, player, question, quiz, release};

const PLAYERS: u8 = 6;
const ROUNDS: u8 = 3;
const PER_ROUND: u8 = 3;
const TEXTS: [&str; 4] = ["right", "wrong", "other", "12"];

/// Where the game is when the host asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    /// The last round is under review.
    Review,
    /// Its scores are out.
    Board,
    /// The game has ended.
    Ended,
}

/// A random game: everything that happens in it without corrections.
struct Story {
    quiz: Quiz,
    options: PlayOptions,
    /// The text of each player's answer to each question, as an index into `TEXTS`; an index after the last means no answer.
    given: Vec<Vec<usize>>,
    /// How long each answer took, milliseconds.
    elapsed: Vec<Vec<u32>>,
    /// The player who plays a joker in the first round.
    joker: Option<u8>,
    removed: Option<u8>,
    rounds: u8,
    now: Now,
}

#[test]
fn the_board_that_is_shown_before_is_the_board_after() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().expect(name));
    let only = number("QUIZHALL_SEED");
    let games = number("QUIZHALL_GAMES").unwrap_or(if only.is_some() { 1 } else { 100 });
    let first = only.unwrap_or(0);
    let mut seen = (0, 0, 0);
    for seed in first..first + games {
        let mut random = StdRng::seed_from_u64(seed);
        let story = Story::random(&mut random);
        let supposed = story.corrections(&mut random);
        let outcome = check(&story, &supposed, seed);
        seen.0 += usize::from(outcome.changes().next().is_some());
        seen.1 += usize::from(story.now == Now::Review && outcome.before != outcome.after);
        seen.2 += usize::from(outcome.changes().any(|(before, _)| before.is_none_or(|line| line.place == 1)));
    }
    assert!(games < 100 || (seen.0 > 30 && seen.1 > 10 && seen.2 > 10), "changed, in review, at the top: {seen:?}");
}

fn check(story: &Story, supposed: &[Supposed], seed: u64) -> Outcome {
    let about = || format!("QUIZHALL_SEED={seed} with {supposed:?} in {:?}", story.now);
    let mut game = story.played(&[]);
    let outcome = what_if(game.state.clone(), supposed).unwrap_or_else(|unfit| panic!("{unfit:?}: {}", about()));
    let is_of_last_round = |one| question_of(one).is_none_or(|question| story.is_of_last_round(question));
    let is_counted = story.now == Now::Review && supposed.iter().any(is_of_last_round);
    let shown = |game: &Game| {
        let mut game = Game { state: game.state.clone(), log: Vec::new(), now: game.now };
        if is_counted {
            game.host(Command::ReleaseScores);
        }
        Arc::clone(game.state.board())
    };
    assert_eq!(outcome.before, shown(&game), "before: {}", about());
    if story.now != Now::Ended {
        for one in supposed {
            make(&mut game, one);
        }
        assert_eq!(outcome.after, shown(&game), "the host does it: {}", about());
    }
    let so_from_the_start = story.played(supposed);
    assert_eq!(outcome.after, shown(&so_from_the_start), "marked so from the start: {}", about());
    for (before, after) in outcome.changes() {
        assert!(before.map(line_of) != after.map(line_of), "{}", about());
    }
    let unchanged = |line: &&Standing| outcome.after.standing_of(line.player).map(line_of) == Some(line_of(line));
    let same = outcome.before.standings.iter().filter(unchanged).count();
    let changed = outcome.changes().filter(|(before, _)| before.is_some()).count();
    assert_eq!(same + changed, outcome.before.standings.len(), "{}", about());
    outcome
}

fn line_of(line: &Standing) -> (PlayerId, i64, u32) {
    (line.player, line.score, line.place)
}

/// None for points by hand, which belong to the last round.
fn question_of(supposed: &Supposed) -> Option<QuestionId> {
    match supposed {
        Supposed::Mark { question, .. } | Supposed::Withdraw(question) => Some(*question),
        Supposed::Adjust { .. } => None,
    }
}

/// The host makes the correction: in the review of its round by marks, later by `correct_marks`.
fn make(game: &mut Game, supposed: &Supposed) {
    let is_of_round = question_of(supposed).is_some_and(|question| game.state.is_released(question));
    let is_review = game.state.phase() == Phase::RoundReview && is_of_round;
    let commands = match supposed.clone() {
        Supposed::Adjust { player, points } => vec![Command::AdjustPoints { player, points, reason: None }],
        Supposed::Withdraw(question) => vec![Command::WithdrawQuestion { question }],
        Supposed::Mark { question, named: Named::Answers(texts), correct, half } if is_review => {
            vec![Command::MarkAnswers { question, texts, correct, half, alike: false }]
        }
        Supposed::Mark { question, named: Named::Players(players), correct, .. } if is_review => {
            let is_new = |player: &PlayerId| correct || game.state.answer_of(*player, question).is_some();
            let named = players.into_iter().filter(is_new);
            named.map(|player| Command::OverrideAnswer { player, question, correct }).collect()
        }
        Supposed::Mark { question, named: Named::Answers(texts), correct, half } => {
            vec![Command::CorrectMarks { question, texts, correct, half }]
        }
        Supposed::Mark { question, named: Named::Players(players), correct, half } => {
            vec![Command::CorrectPlayers { question, players, correct, half }]
        }
    };
    for command in commands {
        game.ask(Actor::Host, &command).unwrap();
    }
}

impl Story {
    fn random(random: &mut StdRng) -> Self {
        let mut quiz = quiz(ROUNDS, PER_ROUND);
        let (streaks, speed_points, joker) =
            (random.random_bool(0.4), random.random_bool(0.4), random.random_bool(0.3));
        let (half_points, wrong) = (random.random_bool(0.3), if random.random_bool(0.4) { -30 } else { 0 });
        for round in &mut quiz.rounds {
            (round.streaks, round.speed_points, round.joker) = (streaks, speed_points, joker);
            (round.half_points, round.wrong_points) = (half_points, wrong);
            for asked in &mut round.questions {
                asked.time_limit = speed_points.then_some(30);
                if random.random_bool(0.2) {
                    (asked.kind, asked.accepted) = (QuestionKind::Nearest, vec!["10".to_owned()]);
                }
            }
        }
        let teams = random.random_bool(0.3).then_some(Teams { devices: 3, captain_only: false });
        let all = || usize::from(ROUNDS * PER_ROUND);
        let given = |random: &mut StdRng| (0..all()).map(|_| random.random_range(0..=TEXTS.len())).collect();
        let elapsed = |random: &mut StdRng| (0..all()).map(|_| random.random_range(0..30_000)).collect();
        let one = |random: &mut StdRng| random.random_range(1..=PLAYERS);
        Self {
            options: PlayOptions { teams, ..PlayOptions::default() },
            given: (0..PLAYERS).map(|_| given(random)).collect(),
            elapsed: (0..PLAYERS).map(|_| elapsed(random)).collect(),
            joker: joker.then(|| one(random)),
            removed: random.random_bool(0.2).then(|| one(random)),
            rounds: random.random_range(1..=ROUNDS),
            now: *[Now::Review, Now::Board, Now::Ended].choose(random).unwrap(),
            quiz,
        }
    }

    fn is_of_last_round(&self, id: QuestionId) -> bool {
        self.quiz.rounds[usize::from(self.rounds) - 1].questions.iter().any(|asked| asked.id == id)
    }

    /// Up to four corrections, each for other answers than the ones before, so that their order in the evening is of no importance;
    /// or points by hand, with or without corrections.
    fn corrections(&self, random: &mut StdRng) -> Vec<Supposed> {
        let points = if random.random_bool(0.3) { random.random_range(1..=3) } else { 0 };
        let least = usize::from(points == 0);
        let mut corrections = self.marks(random, least);
        let there: Vec<u8> = (1..=PLAYERS).filter(|number| Some(*number) != self.removed).collect();
        corrections.extend((0..points).map(|_| {
            let number = *there.choose(random).unwrap();
            Supposed::Adjust { player: player(number), points: *[-250, -100, -5, 1, 100, 120].choose(random).unwrap() }
        }));
        corrections
    }

    fn marks(&self, random: &mut StdRng, least: usize) -> Vec<Supposed> {
        let mut asked: Vec<u8> = (1..=self.rounds * PER_ROUND).collect();
        let take = |random: &mut StdRng, asked: &mut Vec<u8>| asked.remove(random.random_range(0..asked.len()));
        (0..random.random_range(least..=4_usize.min(asked.len())))
            .map(|_| {
                let number = take(random, &mut asked);
                let (correct, half) = (random.random_bool(0.6), random.random_bool(0.3));
                let question = question(number);
                match random.random_range(0..10) {
                    0 | 1 => Supposed::Withdraw(question),
                    2..=6 => {
                        let texts = TEXTS.choose(random).map(|text| (*text).to_owned());
                        Supposed::Mark { question, named: Named::Answers(texts.into_iter().collect()), correct, half }
                    }
                    _ => {
                        let players = (1..=PLAYERS).filter(|number| Some(*number) != self.removed);
                        let players = players.filter(|_| random.random_bool(0.4)).map(player).collect();
                        Supposed::Mark { question, named: Named::Players(players), correct, half: false }
                    }
                }
            })
            .collect()
    }

    /// Plays the game; the corrections are made in the review of their round.
    fn played(&self, corrections: &[Supposed]) -> Game {
        let mut game = Game::with(self.quiz.clone(), self.options);
        for number in 1..=PLAYERS {
            game.joins(number, &format!("Player {}", ["C", "B", "A", "F", "E", "D"][usize::from(number) - 1]));
        }
        if let Some(number) = self.joker {
            game.ask(Actor::Player(player(number)), &Command::PlayJoker).unwrap();
        }
        game.host(Command::StartGame);
        for round in 0..self.rounds {
            for asked in round * PER_ROUND + 1..=(round + 1) * PER_ROUND {
                game.host(release(asked));
                self.answer(&mut game, asked);
            }
            if let Some(number) = self.removed.filter(|_| round == 0) {
                game.host(Command::Remove { player: player(number) });
            }
            game.host(Command::EndRound);
            let is_last = round + 1 == self.rounds;
            let of_round =
                |one: &&Supposed| question_of(one).map_or(is_last, |question| game.state.is_released(question));
            for one in corrections.iter().filter(of_round).cloned().collect::<Vec<_>>() {
                make(&mut game, &one);
            }
            if !is_last || self.now != Now::Review {
                game.host(Command::ReleaseScores);
            }
            if !is_last {
                game.host(Command::StartNextRound);
            }
        }
        if self.now == Now::Ended {
            game.host(Command::EndGame);
        }
        game
    }

    fn answer(&self, game: &mut Game, asked: u8) {
        for number in 1..=PLAYERS {
            let at = (usize::from(number) - 1, usize::from(asked) - 1);
            let text = TEXTS.get(self.given[at.0][at.1]).filter(|_| game.state.player(player(number)).is_some());
            let Some(text) = text else { continue };
            let mut command = crate::stage::submit(asked, text);
            if let Command::SubmitAnswer { elapsed, .. } = &mut command {
                *elapsed = Some(self.elapsed[at.0][at.1]);
            }
            game.ask(Actor::Player(player(number)), &command).unwrap();
        }
    }
}

fn right(number: u8, named: Named) -> Supposed {
    Supposed::Mark { question: question(number), named, correct: true, half: false }
}

fn wrong_ones() -> Named {
    Named::Answers(["wrong".to_owned()].into_iter().collect())
}

/// Two rounds of two questions: the first is scored, and of the second the first question was asked. Ann is right, Bob is wrong.
fn second_round() -> Game {
    let mut game = Game::of_two();
    game.host(Command::StartGame);
    for number in 1..=2 {
        game.host(release(number));
        game.answers(1, number, "right");
        game.answers(2, number, "wrong");
    }
    for command in [Command::EndRound, Command::ReleaseScores, Command::StartNextRound, release(3)] {
        game.host(command);
    }
    game.answers(2, 3, "wrong");
    game
}

fn refusal(state: &State, supposed: &[Supposed]) -> (usize, Refusal) {
    let unfit = what_if(state.clone(), supposed).unwrap_err();
    (unfit.at, unfit.refusal)
}

#[test]
fn only_questions_with_scores_and_those_under_review_can_be_asked_about() {
    let mut game = second_round();
    let known = right(1, wrong_ones());
    let unknown = |number| [known.clone(), right(number, wrong_ones())];
    assert_eq!(refusal(&game.state, &unknown(3)), (1, Refusal::UnknownQuestion), "it is open");
    assert_eq!(refusal(&game.state, &[Supposed::Withdraw(question(3))]), (0, Refusal::UnknownQuestion), "it is open");
    assert_eq!(refusal(&game.state, &unknown(4)), (1, Refusal::UnknownQuestion), "it was not asked");
    assert_eq!(refusal(&game.state, &unknown(9)), (1, Refusal::UnknownQuestion), "it is in no quiz");
    let stranger = [known.clone(), right(2, Named::Players(vec![player(2), player(7)]))];
    assert_eq!(refusal(&game.state, &stranger), (1, Refusal::UnknownPlayer));
    let lobby = Game::of_two();
    assert_eq!(refusal(&lobby.state, &[known]), (0, Refusal::UnknownQuestion));
    game.host(Command::EndRound);
    let outcome = what_if(game.state.clone(), &[right(3, wrong_ones())]).unwrap();
    let places: Vec<_> =
        outcome.changes().map(|(before, after)| (before.unwrap().place, after.unwrap().place)).collect();
    assert_eq!(places, [(2, 1)], "Bob leads now as well");
    assert_eq!(refusal(&game.state, &[right(4, wrong_ones())]), (0, Refusal::UnknownQuestion), "it was not asked");
}

#[test]
fn points_by_hand_need_a_player_and_a_game_that_has_started() {
    let points = |number| Supposed::Adjust { player: player(number), points: 150 };
    let mut game = second_round();
    let open = what_if(game.state.clone(), &[points(2)]).unwrap();
    assert_eq!(open.changes().count(), 0, "they count with the round that is played");
    assert_eq!(refusal(&game.state, &[points(2), points(7)]), (1, Refusal::UnknownPlayer));
    assert_eq!(refusal(&Game::of_two().state, &[points(1)]), (0, Refusal::WrongPhase));
    game.host(Command::EndRound);
    let in_review = what_if(game.state.clone(), &[points(2)]).unwrap();
    let scores = |outcome: &Outcome| outcome.after.standings.iter().map(line_of).collect::<Vec<_>>();
    assert_eq!(scores(&in_review), [(player(1), 300, 1), (player(2), 150, 2)]);
    assert_eq!(
        scores(&what_if(game.state.clone(), &[points(2), points(2), points(2)]).unwrap())[0],
        (player(2), 450, 1)
    );
}
