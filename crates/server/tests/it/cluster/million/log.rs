//! The log after a ghost run, read as the service reads it: row by row, chained, into a state.

use quizhall_engine::{Reading, Wanted};
use quizhall_rules::QuestionId;
use uuid::Uuid;

use super::books::Digest;
use super::stage::Stage;
use quizhall::store::is_last_page;

/// What the log holds.
#[derive(Default)]
pub struct Log {
    /// The answers to the question in the state after the whole log.
    pub answers: Digest,
    /// The rows after the roster, their events and bytes.
    pub rows: u64,
    pub events: u64,
    pub bytes: u64,
}

/// Reads all rows, and no snapshot.
pub async fn read(stage: &Stage, question: Uuid) -> Log {
    let (mut log, mut reading) = (Log::default(), Reading::new());
    let (game, question) = (stage.roster.game, QuestionId::from(question));
    reading.heads(Vec::new());
    let mut counted = stage.begin;
    while let Wanted::Page { from } = reading.wanted() {
        let page = stage.store.read_log_page(game, from).await.unwrap();
        // A page begins with the last row of the one before it.
        for row in page.iter().filter(|row| row.seq >= counted) {
            log.rows += 1;
            log.events += u64::from(row.count);
            log.bytes += row.body.len() as u64;
        }
        counted = page.last().map_or(counted, |last| counted.max(last.seq + 1));
        reading.page(&page, is_last_page(&page));
    }
    let claim = reading.finish().unwrap();
    for (player, answer) in claim.state().answers_ever(question) {
        log.answers.add(player, &answer.text);
    }
    log
}
