//! Answers from their text to their acknowledgement, through an edge, the owner, a row of the log and the edge again: the whole
//! cost of an answer, except for the sockets, the tasks and the store.

use criterion::{BatchSize, Criterion, Throughput};
use quizhall_engine::ConnectionId;

use crate::game::node::Node;
use crate::game::{FixedGame, HOST};
use crate::games::{BATCH, PLAYERS};

pub fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answers");
    group.throughput(Throughput::Elements(PLAYERS as u64));
    group.bench_function(format!("{PLAYERS} from text to acknowledgement, {BATCH} in a row"), |bencher| {
        bencher.iter_batched_ref(asking, |(node, answers)| answer(node, answers), BatchSize::PerIteration);
    });
    group.finish();
    let (mut node, answers) = asking();
    let rows = node.log.len();
    answer(&mut node, &answers);
    assert_eq!(node.log.len() - rows, PLAYERS / BATCH, "as many rows as were measured");
}

/// A game with its first question open, and the answers that all players will give.
fn asking() -> (Node, Vec<String>) {
    let (mut node, questions) = FixedGame::of(PLAYERS).begin();
    let (release, answers) = questions.into_iter().next().expect("a game has questions");
    node.say(HOST, &release);
    node.settle();
    (node, answers)
}

fn answer(node: &mut Node, answers: &[String]) {
    let answers: Vec<_> = (1..).map(ConnectionId).zip(answers).collect();
    for together in answers.chunks(BATCH) {
        for (connection, answer) in together {
            node.say(*connection, answer);
        }
        node.settle();
    }
}
