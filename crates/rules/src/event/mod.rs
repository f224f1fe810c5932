//! The entries of a game's log: what happened in the game. Replaying them gives the state.
//!
//! Events are stored as JSON, so names are short and **may never change their meaning**. Unknown fields are ignored; new fields
//! need a default. An event looks like `{"c":{"t":"answered","p":"<player>","q":"<question>","a":"Bern","ok":true}, "s":[7,3]}`:
//! `c` the change, `t` its kind, `p` player, `q` question, `a` answer, `ok` correct, `near` near miss, `pt` partial points, `r`
//! round, `el` milliseconds until an answer, `as` texts of answers, `rw` rows of answers, `ms` milliseconds left of a timer, `of` its whole time, `ts`
//! timers, `st` milliseconds left of a step, `tx` text of a break, an appeal, a tie-break, a question or points by hand, `ch` choices, `no` a
//! number as an answer, `ps` players, `pl` places, `n` display name, `sc` screen, `cid` co-host, `ro` role of a co-host, `h`
//! device of the host, `nx` taken as the next step, `ban` banned, `pts` points by hand, `adj` their number, `d` number of a device, `di` its id, `tc` code of a team, `k` hash of a token or a seat
//! code, `i` idempotency hash, `e` epoch, `s` the command id (session, number). Flags that are false and options that are none
//! are left out.

mod bundle;
mod change;
mod created;
mod entry;
mod expand;
mod json;
mod kinds;
mod reading;

pub use self::bundle::{Bundle, BundleRow, MarkedText, SentRow};
pub use self::change::Change;
pub use self::created::Created;
pub use self::entry::Event;
