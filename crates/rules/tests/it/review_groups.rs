//! The review of a round in groups: they hold exactly the answers of the review, and a mark of a group marks each of them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quizhall_rules::{Actor, Answer, Command, Question, QuestionKind, Quiz, ReviewGroup, Reviewed, Round, State};

use crate::stage::{Game, accept, add_seat, enter, mark_all, overrule, player, question, quiz, release};

/// One question of this kind, with these answers of players 1, 2 and so on, in review.
fn reviewed(asked: Question, answers: &[&str]) -> Game {
    let mut game = Game::new(Quiz { title: "Quiz".into(), rounds: vec![Round::new("", vec![asked])] });
    for number in 1..=answers.len() {
        game.joins(u8::try_from(number).unwrap(), &format!("Player {number}"));
    }
    game.host(Command::StartGame);
    game.host(release(1));
    for (number, answer) in (1..).zip(answers) {
        game.answers(number, 1, answer);
    }
    game.host(Command::EndRound);
    game
}

fn of_kind(kind: QuestionKind, accepted: &[&str]) -> Question {
    let choices = ["Tuba", "Flute"].map(str::to_owned).to_vec();
    let choices = if kind.has_choices() { choices } else { Vec::new() };
    Question { choices, points: 100, ..Question::new(question(1), kind, "Which?", accepted) }
}

/// Each group as its spellings and its count.
fn groups<'a>(reviewed: &Reviewed<'a>) -> Vec<(Vec<&'a str>, usize)> {
    reviewed.groups.iter().map(|group| (group.texts.clone(), group.count)).collect()
}

/// `mark_answers` of all answers with the same meaning.
fn mark_alike(number: u8, text: &str, correct: bool) -> Command {
    let mut command = mark_all(number, &[text], correct);
    if let Command::MarkAnswers { alike, .. } = &mut command {
        *alike = true;
    }
    command
}

#[test]
fn spellings_of_a_text_are_a_group_and_what_waits_comes_first() {
    let answers = ["right", "no", "Tuba", "tuba!", "No", "no", "rigt", "RIGHT"];
    let game = reviewed(of_kind(QuestionKind::Text, &["right"]), &answers);
    let reviewed = game.state.reviewed(question(1));
    let expected = [(vec!["rigt"], 1), (vec!["no", "No"], 3), (vec!["right", "RIGHT"], 2), (vec!["Tuba", "tuba!"], 2)];
    assert_eq!(groups(&reviewed), expected);
    assert_eq!((reviewed.answers, reviewed.right, reviewed.waiting()), (8, 2, 1));
}

#[test]
fn questions_without_a_key_are_grouped_as_they_are_counted() {
    let cloud = reviewed(of_kind(QuestionKind::WordCloud, &[]), &["Sun", "sun!", "rain"]);
    assert_eq!(groups(&cloud.state.reviewed(question(1))), [(vec!["Sun", "sun!"], 2), (vec!["rain"], 1)]);
    let poll = reviewed(of_kind(QuestionKind::Poll, &[]), &["Tuba", "Flute", "Tuba"]);
    assert_eq!(groups(&poll.state.reviewed(question(1))), [(vec!["Tuba"], 2), (vec!["Flute"], 1)]);
    let nearest = reviewed(of_kind(QuestionKind::Nearest, &["12"]), &["10", "10.0", "about ten", "13"]);
    let reviewed = nearest.state.reviewed(question(1));
    assert_eq!(groups(&reviewed), [(vec!["about ten"], 1), (vec!["10", "10.0"], 2), (vec!["13"], 1)]);
    assert_eq!((reviewed.right, reviewed.waiting()), (1, 1));
}

#[test]
fn a_mark_of_a_group_marks_every_spelling_and_is_undone_as_one() {
    let mut game = reviewed(of_kind(QuestionKind::Text, &["right"]), &["Tuba", "tuba!", "TUBA", "flute"]);
    let before = game.state.clone();
    game.host(mark_alike(1, "tuba", true));
    let rights = |state: &State| state.reviewed(question(1)).groups.iter().map(|group| group.right).collect::<Vec<_>>();
    assert_eq!((rights(&game.state), game.state.undoable(None)), (vec![3, 0], 1));
    assert_eq!(game.ask(Actor::Host, &mark_alike(1, "Tuba", true)), Ok(None), "they count so already");
    game.host(Command::UndoMarking);
    assert!(game.state == before);
    let like: Vec<_> = game.state.answers_like(question(1), "tuba").map(|entry| entry.player.id).collect();
    assert_eq!(like, [player(1), player(2), player(3)]);
    assert_eq!(game.state.answers_like(question(1), "oboe").count(), 0);
    assert_eq!(game.state.answers_like(question(9), "tuba").count(), 0);
}

/// Single marks make a group mixed; a credit of a player without an answer is a group without a text.
#[test]
fn single_marks_and_credits_are_in_their_groups() {
    let mut game = reviewed(of_kind(QuestionKind::Text, &["right"]), &["tuba", "tuba", "flute"]);
    game.joins(9, "Late");
    game.host(overrule(1, 1, true));
    game.host(overrule(9, 1, true));
    let state = game.state.reviewed(question(1));
    let shown = |group: &ReviewGroup<'_>| (group.texts[0].to_owned(), group.count, group.right, group.ruled);
    let shown: Vec<_> = state.groups.iter().map(shown).collect();
    let text = str::to_owned;
    assert_eq!(shown, [(text("tuba"), 2, 1, false), (text("flute"), 1, 0, false), (text(""), 1, 1, true)]);
}

/// What a group must hold, from the review alone.
fn from_review(state: &State, number: u8) -> BTreeMap<String, (usize, usize, usize, u32, bool, bool)> {
    let mut groups = BTreeMap::new();
    for entry in state.review().filter(|entry| entry.question.id == question(number)) {
        let answer: &Answer = entry.answer;
        let key = state.compared(question(number), &answer.text).unwrap();
        let group = groups.entry(key).or_insert((0, 0, 0, 0, false, true));
        group.0 += 1;
        group.1 += usize::from(answer.correct());
        group.2 += usize::from(answer.partial_points() > 0);
        group.3 = answer.partial_points().max(group.3);
        group.4 |= answer.near_miss;
        group.5 &= answer.is_ruled();
    }
    groups
}

proptest! {
    /// After any marks, entered answers, removals and undos, the groups are those of the whole review.
    #[test]
    fn groups_are_those_of_the_whole_review(steps in proptest::collection::vec((0..9_u8, 1..7_u8, any::<bool>()), 1..40)) {
        const TEXTS: [&str; 6] = ["right", "rigt", "Rigt", "wrong", "other", "Wrong!"];
        let mut game = Game::new(quiz(1, 1));
        (1..=6).for_each(|number| game.joins(number, &format!("Player {number}")));
        game.host(add_seat("Paper"));
        let paper = game.state.players().last().unwrap().id;
        game.host(Command::StartGame);
        game.host(release(1));
        (1..=6).for_each(|number| drop(game.answers(number, 1, TEXTS[usize::from(number) - 1])));
        game.host(Command::EndRound);
        for (kind, number, correct) in steps {
            let text = TEXTS[usize::from(number) - 1];
            let command = match kind {
                0 => mark_all(1, &[text], correct),
                1 | 2 => mark_alike(1, text, correct),
                3 => accept(1, text, correct),
                4 => overrule(number, 1, correct),
                5 => enter(paper, 1, text),
                6 => Command::Remove { player: player(number) },
                _ => Command::UndoMarking,
            };
            drop(game.ask(Actor::Host, &command));
            let reviewed = game.state.reviewed(question(1));
            let grouped: BTreeMap<_, _> = reviewed.groups.iter().map(|group| {
                let ReviewGroup { meaning, count, right, partial, partial_points, near_miss, ruled, .. } = group;
                (meaning.clone(), (*count, *right, *partial, *partial_points, *near_miss, *ruled))
            }).collect();
            prop_assert_eq!(grouped, from_review(&game.state, 1));
            prop_assert_eq!(reviewed.answers, game.state.review().count());
        }
    }
}
