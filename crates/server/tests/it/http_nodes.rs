//! The list of nodes over HTTP: only for hosts; a process that runs without others lists itself.

use serde_json::json;

use crate::http_stage::{Ask, SCRIPT, Stage};

#[tokio::test]
async fn a_process_without_other_nodes_lists_itself() {
    let stage = Stage::with(&[("NODE_NAME", "the only one")]).await;
    let path = "/api/v1/nodes";
    assert_eq!(stage.send(Ask::get(path)).await.kind(), (401, "unauthorized".to_owned()));
    let (_, code) = stage.game().await;
    assert_eq!(stage.join(&code, "Ann").await.status, 201);
    let reply = stage.send(Ask::get(path).bearer(SCRIPT)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let mut list = reply.json();
    let node = list["nodes"][0].as_object_mut().unwrap();
    assert_eq!(node.remove("id").unwrap(), json!(stage.app.cluster.id()));
    assert!(node.remove("upSeconds").unwrap().as_u64().unwrap() < 60);
    let expected = json!({"nodes": [{
        "name": "the only one", "version": env!("CARGO_PKG_VERSION"), "lastSeenMs": 0,
        "games": 1, "sockets": 0, "draining": false, "self": true,
    }]});
    assert_eq!(list, expected);
    stage.app.health.drain();
    assert_eq!(stage.send(Ask::get(path).bearer(SCRIPT)).await.json()["nodes"][0]["draining"], json!(true));
}
