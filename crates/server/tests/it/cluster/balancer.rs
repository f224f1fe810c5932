//! The simplest load balancer: each entry port leads to one node while that is ready, and otherwise to the next ready one.
//!
//! It checks `/readyz` as any balancer does, so that clients reconnect through it as they would in production.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quizhall_client::Endpoint;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Pause between two checks of a node.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A node that takes longer to answer counts as not ready.
const LOOK: Duration = Duration::from_millis(500);

/// One entry port per node.
pub struct Balancer {
    entries: Vec<SocketAddr>,
    tasks: Vec<JoinHandle<()>>,
}

/// A node as the balancer sees it.
struct Behind {
    address: SocketAddr,
    ready: AtomicBool,
}

impl Balancer {
    /// Opens the entry ports.
    pub async fn before(nodes: &[SocketAddr]) -> Self {
        let behind: Arc<[Behind]> =
            nodes.iter().map(|address| Behind { address: *address, ready: AtomicBool::new(true) }).collect();
        let (mut entries, mut tasks) = (Vec::new(), Vec::new());
        for number in 0..nodes.len() {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            entries.push(listener.local_addr().unwrap());
            tasks.push(tokio::spawn(look(Arc::clone(&behind), number)));
            tasks.push(tokio::spawn(accept(listener, Arc::clone(&behind), number)));
        }
        Self { entries, tasks }
    }

    /// The entry that leads to this node first.
    pub fn entry(&self, node: usize) -> Endpoint {
        Endpoint::parse(&format!("http://{}", self.entries[node])).unwrap()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn look(behind: Arc<[Behind]>, number: usize) {
    let client = reqwest::Client::builder().timeout(LOOK).build().unwrap();
    let url = format!("http://{}/readyz", behind[number].address);
    loop {
        let ready = client.get(&url).send().await.is_ok_and(|response| response.status() == 200);
        behind[number].ready.store(ready, Ordering::Relaxed);
        sleep(LOOK_EVERY).await;
    }
}

async fn accept(listener: TcpListener, behind: Arc<[Behind]>, first: usize) {
    while let Ok((client, _)) = listener.accept().await {
        tokio::spawn(carry(client, Arc::clone(&behind), first));
    }
}

/// When no node accepts, the client sees its connection end.
async fn carry(mut client: TcpStream, behind: Arc<[Behind]>, first: usize) {
    let order = behind[first..].iter().chain(&behind[..first]);
    for node in order.filter(|node| node.ready.load(Ordering::Relaxed)) {
        if let Ok(mut server) = TcpStream::connect(node.address).await {
            let _ = (client.set_nodelay(true), server.set_nodelay(true));
            // Either side may close at any time; the other sees its connection end.
            let _ = copy_bidirectional(&mut client, &mut server).await;
            return;
        }
    }
}
