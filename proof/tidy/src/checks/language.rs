//! Words of our own that have a common name: they may not come back, in code, comments, test names and documents.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::tree::{Finding, Source, has_extension};

/// Former words, and the word to use instead.
const INVENTED: &[(&[&str], &str)] = &[
    (&["additions"], "the extension `quizhall.v1`, an extension message"),
    (&["bury", "buries", "buried"], "evict, remove"),
    (&["crowd", "crowds", "swarm", "swarms"], "virtual users, many players"),
    (&["doors"], "acceptor, ports"),
    (&["gathering"], "batching delay"),
    (&["janitor"], "the sweep of abandoned games"),
    (&["keeper", "keepers"], "ownership supervisor, connection reaper"),
    (&["parcel", "parcels"], "message"),
    (&["patience", "patiently"], "timeout, time limit"),
    (&["reborn"], "rejoined under a new incarnation"),
    (&["stamp", "stamps", "stamped"], "command id"),
    (&["standing message", "standing messages"], "sync messages"),
    (&["struck off"], "evicted, removed from the list"),
    (&["is let out", "was let out", "lets out"], "release"),
    (&["wish", "wishes"], "attempt, request"),
    (&["witness", "witnesses"], "oracle"),
];

/// The same for sources, Rust and web: a sentence is about a component, which receives and sends.
const PERSONS: &[(&[&str], &str)] = &[
    (&["anybody", "everybody", "nobody", "somebody", "whoever"], "the component or the role that acts; all, no one"),
    (&["hear", "hears"], "receive"),
    (&["is gone", "are gone"], "lost, closed, deleted, left"),
    (&["news"], "what it is: an announcement, a change"),
    (&["tell", "tells", "telling", "told"], "send, publish, show"),
];

/// Names that others rely on, with such a word in them: metrics, settings, fields of stored and sent JSON, figures
/// that the load tool prints.
const KEPT: [&str; 13] = [
    "quizhall_bus_parcels_total",
    "quizhall_bus_batch_parcels",
    "bus_parcels_total",
    "suffix(\"_parcels\")",
    "quizhall_nodes_buried_total",
    "STORES_PATIENCE",
    "stores_patience",
    "rename = \"stamp\"",
    "rename = \"host_stamp\"",
    "everybody is in\"",
    "everybody has scores and boards\"",
    "everybody is back in place\"",
    "answers in the results that nobody gave so",
];

/// Texts with such a word that clients and operators receive, or that are recorded, and names of the system.
const SHOWN: [&str; 9] = [
    "Somebody in this game has this name",
    "The host lets nobody else in",
    "nobody listens",
    "who has answered is told to the host",
    "of which everybody who asked is told",
    "Nobody's",
    "\"host\", \"token\", \"nobody\"",
    "\"postgres\", \"nobody\"",
    "as `postgres` or `nobody`",
];

/// Rule `invented-word` in a Rust file, its comments included.
pub fn of_source(source: &Source) -> Vec<Finding> {
    let (path, text) = (source.path(), source.text());
    if path.starts_with("proof/tidy/") {
        return Vec::new();
    }
    found(path, text, &OF_SOURCES)
}

/// Rule `invented-word` in a source of the web app. Its sentences for people (`web/words`) have a glossary of their own, and
/// the generated types come from Rust.
pub fn of_web(path: &str, text: &str) -> Vec<Finding> {
    let is_source = ["ts", "js", "mjs", "svelte", "css", "html", "md"].iter().any(|kind| has_extension(path, kind));
    let is_ours = !path.starts_with("web/words/") && !path.contains("/generated/");
    if !is_source || !is_ours || !path.starts_with("web/") {
        return Vec::new();
    }
    found(path, text, &OF_SOURCES)
}

/// Rule `invented-word`: a thing with a common name is called by it.
pub fn invented(path: &str, text: &str) -> Vec<Finding> {
    found(path, text, &OF_DOCUMENTS)
}

/// Forms of forbidden words with the word to use instead, by the first word of the form.
type Forms = HashMap<&'static str, Vec<(&'static str, &'static str)>>;

static OF_DOCUMENTS: LazyLock<Forms> = LazyLock::new(|| by_first_word(&[INVENTED]));
static OF_SOURCES: LazyLock<Forms> = LazyLock::new(|| by_first_word(&[INVENTED, PERSONS]));

fn by_first_word(lists: &[&[(&'static [&'static str], &'static str)]]) -> Forms {
    let mut by_first = Forms::new();
    for (forms, standard) in lists.iter().copied().flatten() {
        for form in *forms {
            let first = form.split(' ').next().unwrap_or_default();
            by_first.entry(first).or_default().push((*form, *standard));
        }
    }
    by_first
}

fn found(path: &str, text: &str, forbidden: &Forms) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = KEPT.iter().chain(&SHOWN).fold(Cow::Borrowed(line), |line, kept| {
            if line.contains(kept) { Cow::Owned(line.replace(kept, "·")) } else { line }
        });
        let words = words_of(&line);
        for (place, word) in words.iter().enumerate() {
            for (form, standard) in forbidden.get(word.as_str()).into_iter().flatten() {
                let rest = words[place..].iter().map(String::as_str);
                if rest.take(form.split(' ').count()).eq(form.split(' ')) {
                    findings.push(Finding::new("invented-word", path, at + 1, format!("`{form}`: {standard}")));
                }
            }
        }
    }
    findings
}

/// The words of a line in lower case, those inside of names one by one.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for character in line.chars() {
        let ends = !character.is_alphabetic() || was_lower && character.is_uppercase();
        if ends && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
