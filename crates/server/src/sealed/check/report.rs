//! What a reader of a proof should know beside its points: everything that the host decided otherwise than the key, and what the file
//! cannot show.

use super::course::Course;

/// A sentence for each such thing.
pub(super) fn of(course: &Course<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let changed: Vec<(usize, usize)> = (1..)
        .zip(&course.questions)
        .map(|(number, asked)| (number, asked.answers.values().filter(|given| given.counts() != given.key).count()))
        .filter(|(_, marks)| *marks > 0)
        .collect();
    let total: usize = changed.iter().map(|(_, marks)| marks).sum();
    let several = |number: usize, one: &str, more: &str| {
        if number == 1 { format!("1 {one}") } else { format!("{number} {more}") }
    };
    if total > 0 {
        let places: Vec<String> =
            changed.iter().map(|(number, marks)| format!("{marks} of question {number}")).collect();
        said.push(format!("{} changed by the host: {}.", several(total, "mark was", "marks were"), places.join(", ")));
    }
    for (number, asked) in (1..).zip(&course.questions) {
        let rulings: usize = asked.rulings.iter().map(|ruling| ruling.texts.len()).sum();
        if rulings > 0 {
            said.push(format!("The host ruled on {} to question {number}.", several(rulings, "text", "texts")));
        }
        if course.noted.edited.contains(&number) {
            said.push(format!("Question {number} was edited after it was sealed."));
        }
        if asked.withdrawn {
            said.push(format!("Question {number} was withdrawn."));
        }
    }
    let noted = &course.noted;
    let unchecked =
        course.questions.iter().flat_map(|asked| asked.answers.values()).filter(|given| given.text.is_none());
    for (number, one, more) in [
        (noted.removed, "player was removed by the host", "players were removed by the host"),
        (noted.entered, "answer was entered by the host", "answers were entered by the host"),
        (noted.appeals, "appeal was made", "appeals were made"),
        (noted.dismissed, "appeal was dismissed", "appeals were dismissed"),
        (
            noted.adjusted,
            "time the host gave points by hand, or took some",
            "times the host gave points by hand, or took some",
        ),
        (noted.tie_breaks, "tie-break put players in order", "tie-breaks put players in order"),
        (
            unchecked.count(),
            "answer was erased, so its mark is as the file says",
            "answers were erased, so their marks are as the file says",
        ),
    ] {
        if number > 0 {
            said.push(format!("{}.", several(number, one, more)));
        }
    }
    said
}
