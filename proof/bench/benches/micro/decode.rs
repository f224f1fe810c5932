//! Texts of clients as the server reads them: from the frame's text to a message for the edge, with all checks.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use quizhall_engine::Dialect;
use quizhall_protocol::Role;
use serde_json::json;

use crate::game::{node, say};
use crate::games::Games;

pub fn benchmarks(criterion: &mut Criterion, games: &Games) {
    let (asking, _) = games.asking();
    let question = asking.released().next().expect("a question is open").id.uuid();
    let texts = [
        (Role::Player, "submit_answer", json!({ "questionId": question, "answer": "The Danube, I think" })),
        (Role::Host, "release_question", json!({ "questionId": question })),
    ];
    let mut group = criterion.benchmark_group("decode");
    for (role, kind, payload) in texts {
        let text = say(kind, &payload);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(kind, |bencher| {
            bencher.iter(|| node::decode(role, Dialect::QuizhallV1, black_box(&text)));
        });
    }
    group.finish();
}
