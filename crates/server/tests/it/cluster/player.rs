//! A participant of a game on a cluster: answers repeatedly through an entry of the balancer, reconnects by the rules of the
//! interface, finds the state as it was each time, and keeps a diary.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::OptionFuture;
use quizhall_client::{Carrier, Closed, Endpoint, Event, Options, Participant, Schedule, Seat};
use quizhall_protocol::{Advice, Dialect, Role, ServerMessage, ToAll, ToPlayer};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::harness::until;
use crate::crash::ledger::Ledger;

/// After the last fault, every answer is acknowledged or its question closed within this time.
const SETTLED_WITHIN: Duration = Duration::from_secs(15);
/// Pause between an acknowledgement and the next answer, in ms: four answers a second, less than a socket may send.
pub const THINK: Range<u64> = 150..350;
/// A guest who is hurried answers within this time, in ms.
const HURRIED: Range<u64> = 0..1_000;
/// A character that marking ignores, so that each right answer can be a different text.
const IGNORED: &str = "!";

/// The place of a participant: node, entry, credentials and questions.
pub struct Chair {
    /// The node that the entry leads to while it is ready.
    pub node: usize,
    pub entry: Endpoint,
    pub credentials: Seat,
    /// The player; `None` for the host.
    pub player: Option<Uuid>,
    /// The questions, all of them open.
    pub questions: Vec<Uuid>,
    /// The pause between an acknowledgement and the next answer, in ms.
    pub think: Range<u64>,
    pub seed: u64,
}

/// What a participant experienced.
#[derive(Default)]
pub struct Diary {
    pub node: usize,
    pub ledger: Ledger,
    /// How long each answer waited for its acknowledgement.
    pub waits: Vec<Wait>,
    /// Every end of a connection.
    pub lost: Vec<Lost>,
    /// The time from each loss until the state sync was complete again.
    pub returns: Vec<Duration>,
}

/// One answer.
pub struct Wait {
    pub given: Instant,
    pub took: Duration,
}

/// One end of a connection.
#[derive(Debug)]
pub struct Lost {
    pub at: Instant,
    pub closed: Closed,
}

/// A participant during the game.
pub struct Guest {
    chair: Chair,
    participant: Participant,
    chance: StdRng,
    diary: Diary,
    /// Number of acknowledgements so far, for tasks that wait for them.
    tally: Arc<AtomicUsize>,
    /// The answer that has not been acknowledged yet.
    open: Option<(Uuid, Instant)>,
    next: Instant,
    /// Changes whenever the guest must not think for long before the next answer.
    hurry: Option<watch::Receiver<u32>>,
    /// The questions and answers that the present connection has sent so far.
    synced: Synced,
}

/// A participant whose game is played in a task of its own.
pub struct Playing {
    /// The number of acknowledgements so far.
    pub tally: Arc<AtomicUsize>,
    /// The diary, at the end.
    pub task: JoinHandle<Diary>,
}

impl Playing {
    /// Plays until `stop` is true.
    pub fn begin(chair: Chair, stop: &watch::Receiver<bool>) -> Self {
        let tally = Arc::new(AtomicUsize::new(0));
        let task = tokio::spawn(Guest::new(chair, Arc::clone(&tally)).run(stop.clone()));
        Self { tally, task }
    }

    fn count(&self) -> usize {
        self.tally.load(Ordering::Relaxed)
    }
}

/// Waits until each of these participants has `more` further acknowledgements, counted from this call on; how long it took.
pub fn acknowledged<'a>(
    players: impl Iterator<Item = &'a Playing>,
    more: usize,
    within: Duration,
) -> impl Future<Output = Duration> {
    let wanted: Vec<_> = players.map(|player| (player, player.count() + more)).collect();
    async move {
        // A player who has failed will never be acknowledged again; the end of the game shows the reason.
        let all = async || wanted.iter().all(|(player, wanted)| player.count() >= *wanted || player.task.is_finished());
        until(&format!("{more} more acknowledgements of {} players", wanted.len()), within, all).await
    }
}

#[derive(Default)]
struct Synced {
    released: BTreeSet<Uuid>,
    accepted: BTreeSet<Uuid>,
}

impl Guest {
    pub fn new(chair: Chair, tally: Arc<AtomicUsize>) -> Self {
        let participant = Participant::new(Options {
            endpoint: chair.entry.clone(),
            seat: chair.credentials.clone(),
            carrier: Carrier::Bearer,
            dialect: Dialect::Interface,
            schedule: Schedule {
                first: Duration::from_millis(200),
                base: Duration::from_millis(200),
                cap: Duration::from_secs(1),
                ..Schedule::default()
            },
            seed: Some(chair.seed),
        });
        let diary = Diary { node: chair.node, ..Diary::default() };
        let chance = StdRng::seed_from_u64(chair.seed);
        let (open, next, hurry, synced) = (None, Instant::now(), None, Synced::default());
        Self { chair, participant, chance, diary, tally, open, next, hurry, synced }
    }

    /// The same for a guest who answers soon whenever `hurry` changes.
    pub fn hurried_by(self, hurry: watch::Receiver<u32>) -> Self {
        Self { hurry: Some(hurry), ..self }
    }

    /// Answers until `stop` is true and every answer is acknowledged.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Diary {
        let mut deadline = None;
        while deadline.is_none() || self.open.is_some() || !self.participant.is_settled() {
            tokio::select! {
                event = self.participant.next() => self.take(event),
                () = sleep_until(self.next), if deadline.is_none() && self.open.is_none() && self.answers() => self.answer(),
                Some(Ok(())) = OptionFuture::from(self.hurry.as_mut().map(watch::Receiver::changed)) => self.be_quick(),
                _ = stop.wait_for(|stop| *stop), if deadline.is_none() => deadline = Some(Instant::now() + SETTLED_WITHIN),
                () = sleep_until(deadline.unwrap_or(self.next)), if deadline.is_some() => panic!(
                    "{}: neither acknowledged nor back {SETTLED_WITHIN:?} after the last fault; {:?}",
                    self.name(), self.diary.lost
                ),
            }
        }
        self.participant.leave().await;
        self.diary
    }

    fn be_quick(&mut self) {
        self.next = self.next.min(Instant::now() + Duration::from_millis(self.chance.random_range(HURRIED)));
    }

    fn answers(&self) -> bool {
        self.chair.player.is_some()
    }

    fn name(&self) -> String {
        format!("{:?} on node {}", self.chair.credentials.role, self.chair.node)
    }

    fn answer(&mut self) {
        let Some(player) = self.chair.player else { return };
        let question = self.chair.questions[self.chance.random_range(0..self.chair.questions.len())];
        let number = self.diary.waits.len();
        let text = if self.chance.random_bool(0.5) {
            format!("right{}", IGNORED.repeat(number))
        } else {
            format!("wrong {number}")
        };
        self.diary.ledger.sent((player, question), &text);
        self.open = Some((question, Instant::now()));
        self.participant.answer(question, text);
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Connected => self.synced = Synced::default(),
            Event::Message(message) => self.receive(&message),
            Event::Settled { .. } => self.settled(),
            Event::Acknowledged(answer) => self.acknowledged(answer.question),
            Event::Lost { closed, .. } => {
                assert_ne!(closed.advice(), Advice::Reconnect, "{}: refused: {closed:?}", self.name());
                self.diary.lost.push(Lost { at: Instant::now(), closed });
            }
            // No node was ready at that moment.
            Event::Refused { .. } => {}
            other => panic!("{}: {other:?}", self.name()),
        }
    }

    fn receive(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                self.synced.released.insert(released.question.id);
            }
            ServerMessage::Player(ToPlayer::AnswerAccepted(accepted)) => {
                self.synced.accepted.insert(accepted.question_id);
            }
            ServerMessage::Host(_) => {}
            other => panic!("{}: not of the question phase: {other:?}", self.name()),
        }
    }

    /// Promise 8: a player who comes back finds the state they left.
    fn settled(&mut self) {
        let questions: BTreeSet<Uuid> = self.chair.questions.iter().copied().collect();
        assert_eq!(self.synced.released, questions, "{}: not every open question was sent", self.name());
        for (_, question) in self.diary.ledger.stored() {
            assert!(self.synced.accepted.contains(&question), "{}: an acknowledged answer was not sent", self.name());
        }
        if self.diary.returns.len() < self.diary.lost.len() {
            let since = self.diary.lost[self.diary.returns.len()].at;
            let all = self.diary.lost.len() - self.diary.returns.len();
            // The connection was lost again before it had synchronized: that is one absence.
            self.diary.returns.extend(std::iter::repeat_n(since.elapsed(), all));
        }
    }

    fn acknowledged(&mut self, question: Uuid) {
        let Some((open, given)) = self.open.take() else { panic!("{}: acknowledged twice", self.name()) };
        assert_eq!(open, question, "{}: another answer is acknowledged", self.name());
        if let Some(player) = self.chair.player {
            self.diary.ledger.acknowledged((player, question));
        }
        self.diary.waits.push(Wait { given, took: given.elapsed() });
        self.tally.fetch_add(1, Ordering::Relaxed);
        self.next = Instant::now() + Duration::from_millis(self.chance.random_range(self.chair.think.clone()));
    }
}

/// Whether marking accepts an answer as right.
pub fn is_right(text: &str) -> bool {
    text.trim_end_matches(IGNORED) == "right"
}

/// The credentials of a participant of a game.
pub fn credentials(code: &str, token: &str, role: Role) -> Seat {
    Seat { code: code.to_owned(), token: quizhall_client::Token::new(token), role }
}
