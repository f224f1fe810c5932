//! Promise 1 after a loss of power: the folder gets the contents that a disk could have, and the ledger of acknowledged answers
//! is compared with the state after the next start.
//!
//! A kill cannot show this, because the page cache survives it. Here `.ci/powercut/shim.c` is placed between the server and its
//! files: only what a successful sync covered is certain to remain, and any part of the rest, torn at sectors; some syncs fail.
//! Twelve cuts per run; `make powercut CUTS=1000` for the long one. A failing cut prints its seed; `QUIZHALL_POWER_SEED` plays
//! only that game, with the same random choices of the test.

pub mod disk;
pub mod record;

use std::env;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::crash::full_game::FullGame;
use crate::small_bundles;
use disk::{Control, Disk};
use record::{Fate, Toll};

/// Number of cuts by default; each game has two.
const CUTS: u64 = 12;
const CUTS_PER_GAME: u64 = 2;

/// Number of full games on one disk, so that a database with a history is cut too and none grows without end.
const GAMES_PER_DISK: u64 = 20;

/// The cut comes before a call on a file, between the first and about the 256th (2 to the power of this), and as often among
/// the first 16 as after them: the answers of a full game make some hundred calls, fewer on a slow machine.
const CALLS_LOG: f64 = 8.0;

/// In half of the games, this many of 1,000 syncs fail while players answer.
const FAILING_SYNCS: u32 = 150;

/// Settings of every server here: a checkpoint, which writes to the file itself, after every eight rows of the log.
const ENVIRONMENT: &[(&str, &str)] = &[("CHECKPOINT_AFTER", "64KiB")];

/// The sums over all games.
#[derive(Default)]
struct Sum {
    cuts: u64,
    acknowledged: usize,
    /// Rows of the log with bundles of answers.
    bundles: i64,
    toll: Toll,
}

impl Sum {
    fn add(&mut self, toll: Toll) {
        self.cuts += 1;
        self.toll.writes += toll.writes;
        self.toll.in_place += toll.in_place;
        self.toll.dropped += toll.dropped;
        self.toll.torn += toll.torn;
        self.toll.failed_syncs += toll.failed_syncs;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loss_of_power_loses_no_acknowledged_answer() {
    let (seeds, mut sum) = (seeds(), Sum::default());
    for games in seeds.chunks(usize::try_from(GAMES_PER_DISK).unwrap()) {
        let mut disk = Disk::new();
        for seed in games {
            println!("powercut game with seed {seed} (replay: QUIZHALL_POWER_SEED={seed})");
            play(&mut disk, *seed, &mut sum).await;
        }
        sum.bundles += disk.bundles().await;
    }
    let Sum { cuts, acknowledged, bundles, toll } = sum;
    small_bundles::check(&seeds, bundles);
    println!(
        "{cuts} cuts, {acknowledged} answers acknowledged, 0 lost; {} writes ({} to the database file), of them {} not on \
         the disk as a whole and {} of these perhaps in part; {} syncs failed",
        toll.writes, toll.in_place, toll.dropped, toll.torn, toll.failed_syncs
    );
}

/// A game with one cut while players answer, and one while the scores are released.
async fn play(disk: &mut Disk, seed: u64, sum: &mut Sum) {
    let mut chance = StdRng::seed_from_u64(seed);
    let settings = [ENVIRONMENT, &small_bundles::settings_of(seed)].concat();
    let mut server = disk.start(&settings);
    let mut game = FullGame::open(&server, seed).await;
    disk.set(Control::CallsLeft, calls(&mut chance));
    disk.set(Control::FailPerMille, if chance.random_bool(0.5) { FAILING_SYNCS } else { 0 });
    game.answer_until_killed(&mut server).await;
    sum.add(disk.cut(&mut server, fate(&mut chance), &mut chance));
    assert_eq!(disk.integrity().await, "ok");
    server = disk.start(&settings);
    game.return_and_send_again(&server).await;
    game.end_round_and_check_review(&server).await;
    game.release_scores_and_kill(&mut server).await;
    sum.add(disk.cut(&mut server, fate(&mut chance), &mut chance));
    assert_eq!(disk.integrity().await, "ok");
    server = disk.start(&settings);
    sum.acknowledged += game.finish_and_check_results(&server).await;
}

/// The layer is useful only if it exposes a disk that loses what it reported as synced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_lies_about_syncs_is_found_out() {
    let mut disk = Disk::new();
    let mut server = disk.start(ENVIRONMENT);
    let mut game = FullGame::open(&server, 18).await;
    disk.set(Control::Lie, 1);
    game.answer_until_killed(&mut server).await;
    let toll = disk.cut(&mut server, Fate { kept: 0.0, torn: None }, &mut StdRng::seed_from_u64(18));
    assert!(toll.dropped > 0, "no write depended on a sync");
    disk.set(Control::Lie, 0);
    let server = disk.start(ENVIRONMENT);
    let checked = AssertUnwindSafe(game.end_round_and_check_review(&server)).catch_unwind().await;
    let problem = checked.expect_err("answers were acknowledged and are not on the disk");
    let sentence = problem.downcast_ref::<&str>().copied().unwrap_or_default();
    assert!(sentence.contains("an acknowledged answer is lost"), "another problem: {sentence}");
}

fn calls(chance: &mut StdRng) -> u32 {
    // Between 1 and 256, which a u32 holds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 256")]
    let calls = chance.random_range(0.0..=CALLS_LOG).exp2() as u32;
    calls
}

/// After a quarter of the cuts, nothing that was not synced remains; after another quarter, everything; otherwise a part.
fn fate(chance: &mut StdRng) -> Fate {
    let kept = [0.0, 0.3, 0.8, 1.0][chance.random_range(0..4)];
    Fate { kept, torn: [None, Some(512), Some(4_096)][chance.random_range(0..3)] }
}

fn seeds() -> Vec<u64> {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    if let Some(seed) = number("QUIZHALL_POWER_SEED") {
        return vec![seed];
    }
    let first: u64 = rand::random_range(0..1 << 40);
    (first..first + number("QUIZHALL_POWER_CUTS").unwrap_or(CUTS).div_ceil(CUTS_PER_GAME)).collect()
}
