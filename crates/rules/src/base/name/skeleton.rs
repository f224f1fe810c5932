//! The look of a name (UTS #39), for comparing names and for reserving words for the service.
//!
//! A reserved word is also recognised where a name does not look like it but is read as it: with points between its letters, with
//! digits for letters, in Cyrillic. Called by `name` for the reserved words and by the roster for names that are taken. Never
//! changes a name.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use crate::base::fold;

/// Names that no player may take, whatever letters they are written in.
const RESERVED: [&str; 5] = ["host", "admin", "moderator", "quiz", "system"];

/// Letters, digits and signs that are read as letters of the reserved words. Each line begins with the letter that the others are
/// read as. No reserved word contains `l`.
const READ_AS: [&str; 14] =
    ["aаα@4", "dд", "eеэε3", "hх", "iиіι1l|!", "mмμ", "nн", "oоοø0", "qк", "rрρ", "sсσ5$", "tтτ7", "uуυ", "zзζ2"];

/// Letters with the size of small ones and the shape of capitals. The table of UTS #39 maps none of them to a capital.
const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ";
/// The letters that they look like, in the same order. There is no small capital X.
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWYZ";

/// Both looks of every reserved word: in small letters, in capitals, and with a capital first.
static RESERVED_LOOKS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut looks = Vec::new();
    for word in RESERVED {
        let capitals = word.to_uppercase();
        looks.extend(
            [word.to_owned(), format!("{}{}", &capitals[..1], &word[1..]), capitals].iter().flat_map(|form| of(form)),
        );
    }
    looks
});

/// The capital letter for the skeleton of each small capital.
static SHAPES: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let pairs = SMALL_CAPITALS.chars().zip(CAPITALS.chars());
    let shapes = pairs.filter_map(|(small, capital)| {
        let mut skeleton = unicode_security::skeleton(small.encode_utf8(&mut [0; 4])).collect::<String>();
        let only = skeleton.pop().filter(|_| skeleton.is_empty())?;
        (!only.is_ascii()).then_some((only, capital))
    });
    shapes.collect()
});

/// The look of each ASCII character. ASCII characters do not combine, so the look of a text is the sequence of the looks of its
/// characters. With this table, a fixed game with 200 joins takes 6.6 % fewer instructions.
static ASCII_LOOKS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..=127_u8).map(|letter| looks_of_any(char::from(letter).encode_utf8(&mut [0; 4]))).collect());

/// The two looks of a name, ignoring white space: with case folded before shapes are compared, and as written. Both are needed:
/// `Paul` and `PauI` look alike as written, and `Ann` and `ANN` sound the same.
pub(super) fn of(name: &str) -> [String; 2] {
    let (folded, composed) = if name.is_ascii() {
        (name.to_ascii_lowercase(), name.to_owned())
    } else {
        (plain(name.nfkc().flat_map(fold::case).nfc().collect()), plain(name.nfkc().collect()))
    };
    // Two passes: the first may give a capital (zero gives O), whose small letter has a shape of its own.
    [looks(&looks(&folded)), looks(&composed)]
}

/// Whether the name can be taken for a reserved word.
pub(super) fn is_reserved(name: &str) -> bool {
    of(name).iter().any(|look| RESERVED_LOOKS.contains(look))
        || [char::is_alphanumeric, is_readable].into_iter().any(|counts| RESERVED.contains(&&*read(name, counts)))
}

/// The text without accents that are separate characters, and without those of letters for transliteration. An accent that is
/// part of a letter of some language makes another name: Zoë is not Zoe.
fn plain(composed: String) -> String {
    let letters = composed.chars().filter(|c| !fold::is_diacritic(*c)).map(|c| {
        let is_transliterated = ('\u{1E00}'..='\u{1E9F}').contains(&c);
        if is_transliterated { std::iter::once(c).nfd().next().unwrap_or(c) } else { c }
    });
    let plain: String = letters.collect();
    // A name of accents only would look like every other such name.
    if plain.trim().is_empty() { composed } else { plain }
}

/// The name as it can be read: in letters without accents, and only with the characters that count.
fn read(name: &str, counts: fn(char) -> bool) -> String {
    let letters = fold::alike(name).into_iter().filter(|c| counts(*c));
    let read_as =
        |c: char| READ_AS.iter().find(|line| line.contains(c)).and_then(|line| line.chars().next()).unwrap_or(c);
    letters.map(read_as).collect()
}

fn is_readable(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '@' | '!' | '|' | '$')
}

fn looks(text: &str) -> String {
    if text.is_ascii() {
        return text.bytes().map(|letter| ASCII_LOOKS[usize::from(letter)].as_str()).collect();
    }
    looks_of_any(text)
}

fn looks_of_any(text: &str) -> String {
    let shapes = unicode_security::skeleton(text).map(|c| if c.is_ascii() { c } else { shape(c) });
    shapes.flat_map(fold::case).filter(|c| !c.is_whitespace()).collect()
}

fn shape(c: char) -> char {
    SHAPES.iter().find(|(skeleton, _)| *skeleton == c).map_or(c, |(_, capital)| *capital)
}
