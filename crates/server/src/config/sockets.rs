//! Limits and timeouts of sockets (messages.md#limits). Values without a variable need no tuning.

use std::time::Duration;

use clap::Args;

use super::Problems;

/// How many sockets there may be, how much each may send and hold, and how long anything may take.
#[derive(Debug, Clone)]
pub struct SocketLimits {
    /// Sockets of this process; `None`: descriptors − 512.
    pub max_sockets: Option<usize>,
    /// New sockets per second, of all games.
    pub upgrades_per_second: u32,
    /// New sockets per second of one game.
    pub upgrades_per_second_per_game: u32,
    /// Upgrades with a refused token per second from one address (IPv6: one /64); five times as many at once.
    pub refused_upgrades_per_second: u32,
    /// Sockets that one player may open in 10 s; a host five times as many.
    pub reconnects_per_seat: u32,
    /// The longest time between two pings; each is up to a fifth earlier, at random.
    pub ping_interval: Duration,
    /// How soon after a ping some frame of the client must arrive (4103).
    pub pong_timeout: Duration,
    /// How long a socket may accept no bytes while some wait (4101).
    pub write_timeout: Duration,
    /// How long a message may take from its first byte to its last (4100).
    pub message_timeout: Duration,
    /// How long a close handshake may take before TCP is dropped.
    pub close_timeout: Duration,
    /// Bytes waiting for all sockets together; `None`: a quarter of the memory limit.
    pub outbound_budget: Option<usize>,
    /// Bytes waiting for one player (4101).
    pub player_queue_bytes: usize,
    /// Messages waiting for one player (4101).
    pub player_queue_messages: usize,
    /// Bytes waiting for one host (4101).
    pub host_queue_bytes: usize,
    /// Messages waiting for one host (4101).
    pub host_queue_messages: usize,
    /// Bytes of one message of a player, reassembled (1009).
    pub player_message_bytes: usize,
    /// Bytes of one message of a host, reassembled (1009).
    pub host_message_bytes: usize,
    /// Fragments of one message (1009).
    pub fragments: u32,
    /// Messages of a player (4008).
    pub player_messages: SocketRates,
    /// Messages of a host (4008).
    pub host_messages: SocketRates,
    /// Control frames of any participant (4008).
    pub control_frames: SocketRates,
}

/// A rate, and how much may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SocketRates {
    /// Per second, in the long run.
    pub per_second: u32,
    /// At once.
    pub burst: u32,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sockets")]
pub(super) struct SocketArgs {
    /// Sockets of this process [default: as many as descriptors allow].
    #[arg(long, env = "MAX_SOCKETS", value_name = "N", global = true)]
    max_sockets: Option<String>,
    /// New sockets per second of all games.
    #[arg(long, env = "UPGRADES_PER_SECOND", default_value = "4000", value_name = "N", global = true)]
    upgrades_per_second: String,
    /// New sockets per second of one game.
    #[arg(long, env = "UPGRADES_PER_SECOND_PER_GAME", default_value = "2000", value_name = "N", global = true)]
    upgrades_per_second_per_game: String,
    /// Sockets and requests per second that are refused for their token, from one address (IPv6: one /64) [five times as many at once].
    #[arg(long, env = "REFUSED_UPGRADES_PER_SECOND", default_value = "20", value_name = "N", global = true)]
    refused_upgrades_per_second: String,
    /// Sockets that one player may open within 10 s; a host five times as many (4008 with a growing wait).
    #[arg(long, env = "RECONNECTS_PER_SEAT", default_value = "6", value_name = "N", global = true)]
    reconnects_per_seat: String,
    /// The longest time between two pings.
    #[arg(long, env = "PING_INTERVAL", default_value = "25s", value_name = "DURATION", global = true)]
    ping_interval: String,
    /// How soon after a ping a sign of life has to arrive.
    #[arg(long, env = "PONG_TIMEOUT", default_value = "20s", value_name = "DURATION", global = true)]
    pong_timeout: String,
    /// How long a socket may take no byte while some wait.
    #[arg(long, env = "WRITE_TIMEOUT", default_value = "10s", value_name = "DURATION", global = true)]
    write_timeout: String,
    /// How long a message may take from its first byte to its last.
    #[arg(long, env = "MESSAGE_TIMEOUT", default_value = "10s", value_name = "DURATION", global = true)]
    message_timeout: String,
    /// How long a close handshake may take.
    #[arg(long, env = "CLOSE_TIMEOUT", default_value = "5s", value_name = "DURATION", global = true)]
    close_timeout: String,
    /// Bytes waiting for all sockets together [default: a quarter of the memory limit].
    #[arg(long, env = "OUTBOUND_BUDGET", value_name = "SIZE", global = true)]
    outbound_budget: Option<String>,
}

impl SocketArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> SocketLimits {
        let rate = 1..=1_000_000;
        let timeout = Duration::from_millis(20)..=Duration::from_secs(600);
        let max_sockets = given(self.max_sockets.as_deref())
            .map(|text| problems.number("MAX_SOCKETS", text, 1..=10_000_000))
            .map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let outbound_budget = given(self.outbound_budget.as_deref())
            .map(|text| problems.bytes("OUTBOUND_BUDGET", text, 1 << 20..=1 << 40));
        let ping_interval = problems.duration("PING_INTERVAL", &self.ping_interval, timeout.clone());
        SocketLimits {
            max_sockets,
            upgrades_per_second: problems.number("UPGRADES_PER_SECOND", &self.upgrades_per_second, rate.clone()),
            upgrades_per_second_per_game: problems.number(
                "UPGRADES_PER_SECOND_PER_GAME",
                &self.upgrades_per_second_per_game,
                rate.clone(),
            ),
            refused_upgrades_per_second: problems.number(
                "REFUSED_UPGRADES_PER_SECOND",
                &self.refused_upgrades_per_second,
                rate.clone(),
            ),
            reconnects_per_seat: problems.number("RECONNECTS_PER_SEAT", &self.reconnects_per_seat, rate),
            ping_interval,
            pong_timeout: problems.duration("PONG_TIMEOUT", &self.pong_timeout, timeout.clone()),
            write_timeout: problems.duration("WRITE_TIMEOUT", &self.write_timeout, timeout.clone()),
            message_timeout: problems.duration("MESSAGE_TIMEOUT", &self.message_timeout, timeout.clone()),
            close_timeout: problems.duration("CLOSE_TIMEOUT", &self.close_timeout, timeout),
            outbound_budget,
            control_frames: control_frames(ping_interval),
            ..SocketLimits::fixed()
        }
    }
}

impl SocketLimits {
    /// The limits without a variable; the other values are placeholders.
    fn fixed() -> Self {
        let (zero, none) = (Duration::ZERO, None);
        Self {
            max_sockets: none,
            upgrades_per_second: 0,
            upgrades_per_second_per_game: 0,
            refused_upgrades_per_second: 0,
            reconnects_per_seat: 0,
            ping_interval: zero,
            pong_timeout: zero,
            write_timeout: zero,
            message_timeout: zero,
            close_timeout: zero,
            outbound_budget: none,
            player_queue_bytes: 256 << 10,
            player_queue_messages: 64,
            // A `round_review` of 20,000 players is megabytes; the count only stops a flood of tiny frames.
            host_queue_bytes: 16 << 20,
            host_queue_messages: 16_384,
            // The longest legal answer, 1,000 code points as \uXXXX\uXXXX, is 12 KB.
            player_message_bytes: 16 << 10,
            host_message_bytes: 64 << 10,
            fragments: 32,
            // The burst allows a pub-quiz player to send a whole sheet.
            player_messages: SocketRates { per_second: 5, burst: 20 },
            host_messages: SocketRates { per_second: 20, burst: 100 },
            control_frames: SocketRates { per_second: 0, burst: 0 },
        }
    }
}

/// Ten a second, or twice our own pings when those are frequent: a pong is a control frame too.
fn control_frames(ping_interval: Duration) -> SocketRates {
    let pings = Duration::from_secs(2).as_millis() / ping_interval.as_millis().max(1);
    SocketRates { per_second: u32::try_from(pings).unwrap_or(u32::MAX).max(10), burst: 20 }
}

fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}
