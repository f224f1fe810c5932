//! The pictures of a full game: what each question must show, the encrypted copies as they were loaded, and where each key was seen.
//!
//! Filled by the readers and the loaders of all participants. A copy is checked when its first load ends: nothing of any picture
//! can be read in it. A key may be in `question_released` of its own question and in no other message, at any time.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quizhall_protocol::http::quizzes::RoundBody;
use quizhall_protocol::shapes::{Question, ReleasedMedia};
use uuid::Uuid;

use super::violations::Violations;
use crate::media;

/// Bytes of a picture that no copy may hold in a row.
const READABLE: usize = 16;
/// Shorter words of a message are no part of a key worth looking for: half of it.
const WORD: usize = 32;

/// What a question must show.
#[derive(Debug, Clone)]
struct Planned {
    /// Its description.
    alt: String,
    /// Its length in bytes, as the service stored it.
    bytes: Option<u32>,
    /// Its media type, likewise.
    media_type: Option<String>,
    /// The uploaded content; absent when the quiz already had the file.
    content: Option<Arc<Vec<u8>>>,
}

/// All pictures of a game.
#[derive(Debug, Default)]
pub struct Pictures {
    planned: HashMap<Uuid, Planned>,
    /// Every [`READABLE`] bytes of the contents.
    readable: HashSet<[u8; READABLE]>,
    copies: Mutex<HashMap<String, Arc<Vec<u8>>>>,
    seen: Mutex<Seen>,
}

/// The pictures that messages named.
#[derive(Debug, Default)]
struct Seen {
    /// The keys of the questions released so far.
    keys: HashSet<String>,
    /// Everything that could be a key or half of one, but for a key in its own question.
    words: HashSet<String>,
}

impl Pictures {
    /// The pictures of these rounds, as the host API shows them; `contents` by the id of the file.
    pub fn of(rounds: &[RoundBody], contents: &HashMap<Uuid, Arc<Vec<u8>>, impl BuildHasher>) -> Self {
        let questions = rounds.iter().flat_map(|round| &round.questions);
        let planned = questions.filter_map(|question| {
            let media = question.media.as_ref()?;
            let content = contents.get(&media.id).cloned();
            let (alt, media_type) = (media.alt.clone(), media.media_type.clone());
            Some((question.id?, Planned { alt, bytes: media.bytes, media_type, content }))
        });
        let chunks = contents.values().flat_map(|content| content.as_chunks::<READABLE>().0);
        Self { planned: planned.collect(), readable: chunks.copied().collect(), ..Self::default() }
    }

    /// How many of these questions have a picture.
    pub fn count(&self, questions: impl Iterator<Item = Uuid>) -> usize {
        questions.filter(|question| self.planned.contains_key(question)).count()
    }

    /// Takes a message as one participant received it; `released` when it is a released question.
    pub fn message(&self, text: &str, released: Option<&Question>, violations: &Violations) {
        if self.planned.is_empty() {
            return;
        }
        let key = released.and_then(|question| question.media.as_ref()).map(|media| media.key.as_str());
        let words = text.split(|symbol: char| !symbol.is_ascii_alphanumeric());
        let words = words.filter(|word| word.len() >= WORD && Some(*word) != key);
        let mut guard = self.seen();
        let seen = &mut *guard;
        seen.words.extend(words.map(str::to_owned));
        seen.keys.extend(key.map(str::to_owned));
        let is_part = |key: &String| seen.words.iter().any(|word| word.contains(key) || key.contains(word));
        violations.check(!seen.keys.iter().any(is_part), "picture_key_leaked", || {
            format!("in {}", text.chars().take(40).collect::<String>())
        });
    }

    /// Compares the picture of a released question with the one planned.
    pub fn check(&self, question: &Question, violations: &Violations) {
        let fits = match (self.planned.get(&question.id), &question.media) {
            (None, None) => true,
            (Some(planned), Some(shown)) => {
                let (bytes, media_type) = (Some(shown.bytes), Some(&shown.media_type));
                (&planned.alt, planned.bytes, planned.media_type.as_ref()) == (&shown.alt, bytes, media_type)
            }
            _ => false,
        };
        violations.check(fits, "picture_contents", || format!("question {}", question.id));
    }

    /// Takes a copy that a player loaded: all loads of a name bring the same bytes, and none that can be read.
    pub fn loaded(&self, name: &str, copy: Vec<u8>, violations: &Violations) {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = copies.get(name) {
            return violations.check(**known == copy, "copy_differs", || format!("copy {name}"));
        }
        let copy = Arc::new(copy);
        copies.insert(name.to_owned(), Arc::clone(&copy));
        drop(copies);
        let is_readable = copy.array_windows().any(|window| self.readable.contains(window));
        violations.check(!is_readable, "copy_readable", || format!("copy {name}"));
    }

    /// Opens a loaded copy with the key of its question, and compares it with what was uploaded.
    pub fn open(&self, question: Uuid, shown: &ReleasedMedia, violations: &Violations) {
        let copy = self.copies.lock().unwrap_or_else(PoisonError::into_inner).get(&shown.name).cloned();
        let opened = copy.map(|copy| media::open(&copy, shown));
        match opened {
            None => violations.note("copy_missing", format!("question {question}")),
            Some(Err(what)) => violations.note("picture_not_opened", format!("question {question}: {what}")),
            Some(Ok(file)) => {
                let uploaded = self.planned.get(&question).and_then(|planned| planned.content.as_ref());
                let same = uploaded.is_none_or(|uploaded| **uploaded == file);
                violations.check(same, "picture_differs", || format!("question {question}"));
            }
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
