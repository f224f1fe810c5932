//! State → frames of the review for hosts: every answer, or groups of them in a round with very many.

use std::collections::BTreeSet;

use bytes::Bytes;
use quizhall_protocol::http::answers::AnswersPage;
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_host::{GroupedAnswers, ReviewGroup as Group, ReviewGroups};
use quizhall_protocol::{Dialect, ToHost, frame};
use quizhall_rules::{Question, QuestionId, QuestionKind, ReviewGroup, Reviewed, State};

use super::{count, review_answer, round_review};

/// The most answers of a round of which hosts are sent each one.
const MOST_SINGLE: usize = 5_000;
/// The most groups of a question in `review_groups`.
const MOST_GROUPS: usize = 500;
/// About how many bytes of text they may have: very long answers must not fill the queue of a host's socket.
const MOST_TEXT: usize = 96 * 1024;
/// The most groups that wait for the host and are repeated with changed ones, so that a host who decides always has more of them.
const MOST_WAITING: usize = 50;
/// The most spellings of a group after its first, and the bytes from which on no more are added.
const MOST_SPELLINGS: usize = 6;
const LONG_SPELLINGS: usize = 200;

/// Whether a host with `quizhall.v1` is sent groups instead of every answer of the round.
pub fn is_grouped(state: &State) -> bool {
    state.answers_in_round() > MOST_SINGLE
}

/// The answers of the closed round, for a host's socket.
pub fn review(state: &State, dialect: Dialect) -> Vec<Bytes> {
    if dialect != Dialect::QuizhallV1 || !is_grouped(state) {
        return round_review(state, dialect);
    }
    let parts = count(state.released().count());
    (1..).zip(state.released()).map(|(part, question)| review_groups(state, question, [part, parts])).collect()
}

fn review_groups(state: &State, question: &Question, [part, parts]: [u32; 2]) -> Bytes {
    let reviewed = state.reviewed(question.id);
    let mut text = 0;
    let is_within = |group: &&ReviewGroup<'_>| {
        text += size(group);
        text <= MOST_TEXT
    };
    let groups = reviewed.groups.iter().take(MOST_GROUPS).take_while(is_within).map(group_of).collect();
    let (grouped, part, parts) = (grouped(state, question.id, &reviewed, groups), Some(part), Some(parts));
    frame::text(&ToHost::ReviewGroups(ReviewGroups { question_id: question.id.uuid(), grouped, part, parts }))
}

/// `review_groups` to a host who has the groups of the round: those with these meanings, as they are now.
pub fn changed_groups(state: &State, question: QuestionId, meanings: &BTreeSet<String>) -> Bytes {
    let reviewed = state.reviewed(question);
    let (changed, others): (Vec<_>, Vec<_>) =
        reviewed.groups.iter().partition(|group| meanings.contains(&group.meaning));
    let has_unsent = reviewed.groups.len() > MOST_GROUPS;
    let mut text = 0;
    let is_within = |group: &&ReviewGroup<'_>| {
        text += size(group);
        text <= MOST_TEXT
    };
    let waiting = others.into_iter().filter(|group| has_unsent && group.is_waiting());
    let waiting = waiting.take(MOST_WAITING).take_while(is_within).map(group_of);
    let present: BTreeSet<&str> = changed.iter().map(|group| group.meaning.as_str()).collect();
    let gone = meanings.iter().filter(|meaning| !present.contains(meaning.as_str())).map(|meaning| no_more(meaning));
    let groups = changed.iter().copied().map(group_of).chain(gone).chain(waiting).collect();
    let grouped = grouped(state, question, &reviewed, groups);
    frame::text(&ToHost::ReviewGroups(ReviewGroups { question_id: question.uuid(), grouped, part: None, parts: None }))
}

/// At most a page of the answers to a question, after the first `skip`: all of them, or those that mean the same as a text. Also how many there are.
pub fn page(state: &State, (question, text): (QuestionId, Option<&str>), skip: usize) -> (Vec<ReviewAnswer>, u32) {
    let entries: Vec<_> = match text {
        Some(text) => state.answers_like(question, text).collect(),
        None => state.review().filter(|entry| entry.question.id == question).collect(),
    };
    let page = entries.iter().skip(skip).take(AnswersPage::MOST);
    (page.map(|entry| review_answer(entry, Dialect::QuizhallV1)).collect(), count(entries.len()))
}

fn grouped(state: &State, question: QuestionId, reviewed: &Reviewed<'_>, groups: Vec<Group>) -> GroupedAnswers {
    let asked = state.question(question).filter(|asked| asked.kind != QuestionKind::Order);
    GroupedAnswers {
        answers: count(reviewed.answers),
        right: count(reviewed.right),
        taken: asked.map_or_else(Vec::new, |asked| state.taken(asked)),
        to_check: count(reviewed.waiting()),
        total: count(reviewed.groups.len()),
        groups,
    }
}

fn group_of(group: &ReviewGroup<'_>) -> Group {
    let mut text = 0;
    let is_short = |spelling: &&&str| {
        text += spelling.len();
        text <= LONG_SPELLINGS
    };
    let others = group.texts.iter().skip(1).take(MOST_SPELLINGS).take_while(is_short);
    Group {
        key: group.meaning.clone(),
        texts: group.texts.first().into_iter().chain(others).map(|text| (*text).to_owned()).collect(),
        count: count(group.count),
        right: count(group.right),
        partial: count(group.partial),
        partial_points: group.partial_points,
        near_miss: group.near_miss,
        unread: group.unread,
        ruled: group.ruled,
    }
}

/// A group that has no answers any more.
fn no_more(meaning: &str) -> Group {
    Group {
        key: meaning.to_owned(),
        texts: Vec::new(),
        count: 0,
        right: 0,
        partial: 0,
        partial_points: 0,
        near_miss: false,
        unread: false,
        ruled: false,
    }
}

fn size(group: &ReviewGroup<'_>) -> usize {
    group.meaning.len() + group.texts.first().map_or(0, |text| text.len())
}
