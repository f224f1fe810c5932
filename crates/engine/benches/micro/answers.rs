//! Answers from their text to their acknowledgement, through an edge, the owner, a row of the log and the edge again: all
//! that an answer costs beside the sockets, the tasks and the store.

use criterion::{BatchSize, Criterion, Throughput};
use quizhall_engine::ConnectionId;

use crate::evening::hall::Hall;
use crate::evening::{Evening, HOST};
use crate::games::{BATCH, PLAYERS};

pub fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answers");
    group.throughput(Throughput::Elements(PLAYERS as u64));
    group.bench_function(format!("{PLAYERS} from text to acknowledgement, {BATCH} in a row"), |bencher| {
        bencher.iter_batched_ref(asking, |(hall, answers)| answer(hall, answers), BatchSize::PerIteration);
    });
    group.finish();
    let (mut hall, answers) = asking();
    let rows = hall.log.len();
    answer(&mut hall, &answers);
    assert_eq!(hall.log.len() - rows, PLAYERS / BATCH, "as many rows as were measured");
}

/// A game with its first question open, and what everybody is about to answer.
fn asking() -> (Hall, Vec<String>) {
    let (mut hall, questions) = Evening::of(PLAYERS).begin();
    let (release, answers) = questions.into_iter().next().expect("an evening has questions");
    hall.say(HOST, &release);
    hall.settle();
    (hall, answers)
}

fn answer(hall: &mut Hall, answers: &[String]) {
    let answers: Vec<_> = (1..).map(ConnectionId).zip(answers).collect();
    for together in answers.chunks(BATCH) {
        for (connection, answer) in together {
            hall.say(*connection, answer);
        }
        hall.settle();
    }
}
