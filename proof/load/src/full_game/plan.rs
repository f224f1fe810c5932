//! The quiz a full game plays: its questions with their keys, right and wrong answers to them, and the reference marking.
//!
//! An invented quiz has canary keys: words and numbers that appear nowhere else, so that one in a player's message before
//! the scores are released can only be a leak.

use std::sync::Arc;

use quizhall_oracle::{Mark, Question, Quiz, Round};
use quizhall_protocol::QuestionKind;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use rand::seq::{IndexedRandom as _, IteratorRandom as _, SliceRandom as _};
use rand::{Rng, RngExt as _};
use uuid::Uuid;

/// The rounds to be played, with everything the host knows.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The whole quiz.
    pub quiz: Arc<Quiz>,
    /// The questions played of each round, in the author's order.
    pub rounds: Vec<Vec<Question>>,
    /// Texts that no message to a player may hold before the scores of their round, and then only in `round_scores`.
    pub canaries: Vec<String>,
}

/// How much of a quiz is played.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Rounds at most.
    pub rounds: usize,
    /// Questions per round at most.
    pub questions: usize,
}

impl Plan {
    /// The plan of a game with this quiz; `canaries` come from [`invented`].
    pub fn of(quiz: Quiz, extent: Extent, canaries: Vec<String>) -> Result<Self, &'static str> {
        let played = |round: &Round| round.questions.iter().take(extent.questions).cloned().collect();
        let rounds: Vec<Vec<Question>> = quiz.rounds.iter().take(extent.rounds).map(played).collect();
        if rounds.is_empty() || rounds.iter().any(Vec::is_empty) {
            return Err("the quiz has no questions to play");
        }
        Ok(Self { quiz: quiz.into(), rounds, canaries })
    }

    /// The question with this id.
    pub fn question(&self, id: Uuid) -> Option<&Question> {
        self.quiz.question(id)
    }

    /// The round (from 0) the question belongs to.
    pub fn round_of(&self, id: Uuid) -> Option<usize> {
        self.rounds.iter().position(|round| round.iter().any(|question| question.id == id))
    }
}

/// Answers to a question, each known to be right or wrong.
pub trait Answering {
    /// A right answer as people write it: another accepted one, other letters, stray blanks, a number within tolerance.
    fn right(&self, chance: &mut impl Rng) -> String;
    /// A wrong answer, for `text` sometimes a near miss; `None` when every choice is right.
    fn wrong(&self, chance: &mut impl Rng) -> Option<String>;
    /// The reference marking, exact for the answers that [`Answering::right`] and [`Answering::wrong`] make. Of no use for
    /// `nearest` questions, whose answers are marked together.
    fn marks(&self, answer: &str) -> bool;
}

impl Answering for Question {
    fn right(&self, chance: &mut impl Rng) -> String {
        let accepted = self.accepted.choose(chance).cloned().unwrap_or_default();
        match self.kind.or_text() {
            QuestionKind::MultiSelect | QuestionKind::Order => self.by_text_or_letters(&self.accepted, chance),
            QuestionKind::Poll => self.choices.iter().flatten().choose(chance).cloned().unwrap_or_default(),
            QuestionKind::WordCloud => format!("word {}", chance.random_range(0..100)),
            QuestionKind::Numeric | QuestionKind::Nearest => match accepted.parse::<f64>() {
                Ok(number) if self.tolerance >= 1.0 && chance.random_bool(0.5) => {
                    format!("{}", number + self.tolerance.floor())
                }
                _ => accepted,
            },
            QuestionKind::Text if accepted.is_ascii() => match chance.random_range(0..4) {
                0 => accepted.to_uppercase(),
                1 => accepted.to_lowercase(),
                2 => format!("  {} ", accepted.replace(' ', "   ")),
                _ => accepted,
            },
            QuestionKind::Text | QuestionKind::MultipleChoice | QuestionKind::TrueFalse => accepted,
        }
    }

    fn wrong(&self, chance: &mut impl Rng) -> Option<String> {
        match self.kind.or_text() {
            QuestionKind::MultiSelect | QuestionKind::Order => {
                let mut named = self.choices.clone().unwrap_or_default();
                named.shuffle(chance);
                named.truncate(chance.random_range(1..=named.len().max(1)));
                Some(self.by_text_or_letters(&named, chance)).filter(|answer| !self.marks(answer))
            }
            QuestionKind::Poll | QuestionKind::WordCloud => None,
            QuestionKind::Numeric | QuestionKind::Nearest => {
                let off = 1e6 + self.tolerance * 3.0 + f64::from(chance.random_range(0..1_000_u32));
                let number = self.accepted.first()?.parse::<f64>().ok()?;
                Some(format!("{}", (number + off).round())).filter(|answer| !self.marks(answer))
            }
            QuestionKind::Text => match self.accepted.choose(chance).and_then(|accepted| near_miss(accepted)) {
                Some(near) if chance.random_bool(0.3) && !self.marks(&near) => Some(near),
                _ => Some(format!("no idea at all {}", chance.random_range(0..100))),
            },
            QuestionKind::MultipleChoice | QuestionKind::TrueFalse => {
                let wrong: Vec<&String> = self.choices.iter().flatten().filter(|choice| !self.marks(choice)).collect();
                wrong.choose(chance).map(|choice| (*choice).clone())
            }
        }
    }

    fn marks(&self, answer: &str) -> bool {
        match self.kind.or_text() {
            QuestionKind::MultiSelect | QuestionKind::Order => self.mark_of_choices(answer) == Some(Mark::RIGHT),
            QuestionKind::Poll | QuestionKind::WordCloud => false,
            QuestionKind::Numeric | QuestionKind::Nearest => self.accepted.iter().any(|accepted| {
                let numbers = accepted.trim().parse::<f64>().ok().zip(answer.trim().parse::<f64>().ok());
                numbers.is_some_and(|(accepted, answer)| (accepted - answer).abs() <= self.tolerance)
            }),
            QuestionKind::Text => self.accepted.iter().any(|accepted| fold(accepted) == fold(answer)),
            QuestionKind::MultipleChoice | QuestionKind::TrueFalse => {
                self.accepted.iter().any(|accepted| accepted.trim() == answer.trim())
            }
        }
    }
}

/// Writes choices as an answer.
trait Naming {
    fn by_text_or_letters(&self, named: &[String], chance: &mut impl Rng) -> String;
}

impl Naming for Question {
    fn by_text_or_letters(&self, named: &[String], chance: &mut impl Rng) -> String {
        if chance.random_bool(0.5) {
            return named.join("\n");
        }
        let choices = self.choices.as_deref().unwrap_or_default();
        let letter = |name: &String| ('A'..).zip(choices).find(|(_, choice)| *choice == name).map(|(letter, _)| letter);
        named.iter().filter_map(letter).map(String::from).collect::<Vec<_>>().join(", ")
    }
}

fn fold(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same with its last letter exchanged; only of a long plain text, where that is clearly near and clearly wrong.
fn near_miss(text: &str) -> Option<String> {
    let long = text.is_ascii() && text.len() >= 12;
    let (stem, last) = text.split_at_checked(text.len().checked_sub(1)?)?;
    (long && last.chars().all(char::is_alphabetic)).then(|| format!("{stem}{}", if last == "k" { "t" } else { "k" }))
}

/// Makes up a quiz with canary keys, and lists the canaries.
pub fn invented(extent: Extent, chance: &mut impl Rng) -> (QuizBody, Vec<String>) {
    let word: String = (0..10).map(|_| char::from(chance.random_range(b'a'..=b'z'))).collect();
    let mut canaries = vec![word.clone()];
    let mut rounds = Vec::new();
    for round in 0..extent.rounds {
        let questions = (0..extent.questions).map(|at| {
            let label = format!("{}.{}", round + 1, at + 1);
            let mut question = match at % 6 {
                0 => text_question(&label, &word),
                1 => choice_question(&label, chance),
                2 => number_question(&label, chance),
                3 => statement(&label, chance),
                4 => several_choices(QuestionKind::MultiSelect, &label, chance),
                _ => several_choices(QuestionKind::Order, &label, chance),
            };
            question.points = [None, Some(500), Some(1_500), Some(500), Some(700), Some(100)][at % 6];
            if question.kind == QuestionKind::Numeric {
                canaries.push(question.correct_answers[0].clone());
            }
            question
        });
        rounds.push(RoundBody::new(format!("Round {}", round + 1), questions.collect()));
    }
    (QuizBody { title: "A trial quiz".to_owned(), rounds }, canaries)
}

fn text_question(label: &str, word: &str) -> QuestionBody {
    let accepted = [format!("Lantern {word} {label} moon"), format!("{word} {label} of the lanterns")];
    QuestionBody::new(QuestionKind::Text, format!("Question {label}: what is the password?"), &accepted)
}

fn choice_question(label: &str, chance: &mut impl Rng) -> QuestionBody {
    let choices: Vec<String> = ["Otter", "Teapot", "Comet", "Fern"].map(|name| format!("{name} {label}")).to_vec();
    let right: Vec<String> = choices.choose(chance).cloned().into_iter().collect();
    QuestionBody {
        choices: Some(choices),
        ..QuestionBody::new(QuestionKind::MultipleChoice, format!("Question {label}: which one?"), &right)
    }
}

fn several_choices(kind: QuestionKind, label: &str, chance: &mut impl Rng) -> QuestionBody {
    let choices: Vec<String> = ["Kite", "Harbour", "Anvil", "Meadow"].map(|name| format!("{name} {label}")).to_vec();
    let mut right = choices.clone();
    right.shuffle(chance);
    if kind == QuestionKind::MultiSelect {
        right.truncate(2);
    }
    let text = format!("Question {label}: which ones, or in which order?");
    QuestionBody { choices: Some(choices), ..QuestionBody::new(kind, text, &right) }
}

/// Twelve digits: exact in a double, and nothing that turns up by chance.
fn number_question(label: &str, chance: &mut impl Rng) -> QuestionBody {
    let number = chance.random_range(200_000_000_000_u64..900_000_000_000);
    QuestionBody {
        tolerance: chance.random_bool(0.5).then_some(5.0),
        ..QuestionBody::new(QuestionKind::Numeric, format!("Question {label}: how many?"), &[number.to_string()])
    }
}

fn statement(label: &str, chance: &mut impl Rng) -> QuestionBody {
    let right = if chance.random_bool(0.5) { "True" } else { "False" };
    QuestionBody::new(QuestionKind::TrueFalse, format!("Question {label}: true or false?"), &[right])
}
