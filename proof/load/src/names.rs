//! Nicknames for bots: invented, pleasant, unique among any number of players, at most 24 characters.

use rand::seq::SliceRandom as _;
use rand::{Rng, RngExt as _};

const MOODS: [&str; 40] = [
    "Amber", "Brisk", "Bright", "Calm", "Cheery", "Clever", "Cosy", "Curious", "Dapper", "Eager", "Fancy", "Gentle",
    "Golden", "Happy", "Jolly", "Kindly", "Lively", "Lucky", "Mellow", "Merry", "Mighty", "Misty", "Nimble", "Noble",
    "Patient", "Plucky", "Polite", "Proud", "Quick", "Quiet", "Rosy", "Silver", "Snowy", "Speedy", "Starry", "Sunny",
    "Swift", "Tidy", "Velvet", "Witty",
];
const CREATURES: [&str; 40] = [
    "Acorn", "Alpaca", "Badger", "Beetle", "Bison", "Cello", "Clover", "Comet", "Dolphin", "Falcon", "Fern", "Finch",
    "Gecko", "Heron", "Ibex", "Jackdaw", "Kettle", "Koala", "Lantern", "Lemur", "Lynx", "Maple", "Marmot", "Moose",
    "Newt", "Otter", "Panda", "Pebble", "Pelican", "Puffin", "Quail", "Raven", "Robin", "Sparrow", "Teapot", "Tulip",
    "Walrus", "Wombat", "Yak", "Zebra",
];

/// `count` different names, in a random order.
pub fn nicknames(count: usize, chance: &mut impl Rng) -> Vec<String> {
    let mut pairs: Vec<(&str, &str)> =
        MOODS.iter().flat_map(|mood| CREATURES.iter().map(move |creature| (*mood, *creature))).collect();
    pairs.shuffle(chance);
    (0..count)
        .map(|index| {
            let (mood, creature) = pairs[index % pairs.len()];
            match index / pairs.len() {
                0 => format!("{mood} {creature}"),
                lap => format!("{mood} {creature} {}", lap + 1),
            }
        })
        .collect()
}

/// Another name for a bot when its name is taken.
pub fn another(taken: &str, chance: &mut impl Rng) -> String {
    let stem: Vec<&str> = taken.split(' ').take(2).collect();
    format!("{} {}", stem.join(" "), chance.random_range(100..100_000))
}
