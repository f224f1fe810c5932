//! Replaces the values that differ from run to run (ids, tokens, codes, times) by placeholders, numbered by first appearance.

/// The length of the value at the beginning of the text, if it has the shape.
type Shape = fn(&str) -> Option<usize>;

/// The shapes that are recognised anywhere in a text; the longer comes first when two begin alike.
const SHAPES: [(&str, Shape); 3] = [("id", id), ("token", token), ("time", time)];

/// Prefixes of tokens: of a player, of a host's session, of a set-up link.
const TOKENS: [&str; 3] = ["qp_", "qh_", "qs_"];
/// A token is longer than this.
const SHORTEST_TOKEN: usize = 40;

/// The values replaced so far.
#[derive(Default)]
pub struct Placeholders {
    /// Values with their placeholders.
    known: Vec<(String, String)>,
}

impl Placeholders {
    /// The text with every id, token, time and known value replaced.
    pub fn apply(&mut self, text: &str) -> String {
        let mut applied = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (length, placeholder) =
                self.at(rest).unwrap_or((first.len_utf8(), rest[..first.len_utf8()].to_owned()));
            applied.push_str(&placeholder);
            rest = &rest[length..];
        }
        applied
    }

    /// From now on replaces a value that cannot be recognised by its shape, such as a game's code.
    pub fn learn(&mut self, kind: &str, value: &str) {
        self.number(kind, value);
    }

    fn at(&mut self, text: &str) -> Option<(usize, String)> {
        let found = SHAPES.iter().find_map(|(kind, length)| Some((*kind, length(text)?)));
        match found {
            // Two times may or may not be in the same millisecond, so all get the same placeholder.
            Some(("time", length)) => Some((length, "<time>".to_owned())),
            Some((kind, length)) => Some((length, self.number(kind, &text[..length]))),
            None => {
                let (value, placeholder) = self.known.iter().find(|(value, _)| text.starts_with(value.as_str()))?;
                Some((value.len(), placeholder.clone()))
            }
        }
    }

    fn number(&mut self, kind: &str, value: &str) -> String {
        if let Some((_, placeholder)) = self.known.iter().find(|(known, _)| known == value) {
            return placeholder.clone();
        }
        let number = self.known.iter().filter(|(_, known)| known.starts_with(&format!("<{kind} "))).count() + 1;
        let placeholder = format!("<{kind} {number}>");
        self.known.push((value.to_owned(), placeholder.clone()));
        placeholder
    }
}

/// The length of the UUID that the text begins with.
fn id(text: &str) -> Option<usize> {
    fits(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

/// The length of the token that the text begins with.
fn token(text: &str) -> Option<usize> {
    TOKENS.iter().find(|prefix| text.starts_with(**prefix))?;
    let is_of_token = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let length = text.find(|character| !is_of_token(character)).unwrap_or(text.len());
    (length > SHORTEST_TOKEN).then_some(length)
}

/// The length of the RFC 3339 time in UTC that the text begins with.
fn time(text: &str) -> Option<usize> {
    let seconds = fits(text, "dddd-dd-ddTdd:dd:dd")?;
    let rest = &text[seconds..];
    let fraction = rest
        .strip_prefix('.')
        .map_or(0, |digits| digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len()) + 1);
    rest[fraction..].starts_with('Z').then_some(seconds + fraction + 1)
}

/// The length of `pattern` when the text begins with such a value: `x` is a hexadecimal digit, `d` a decimal one.
fn fits(text: &str, pattern: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(..pattern.len())?;
    let fits = bytes.iter().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
        b'x' => byte.is_ascii_hexdigit(),
        b'd' => byte.is_ascii_digit(),
        literal => *byte == literal,
    });
    fits.then_some(pattern.len())
}

#[test]
fn values_are_replaced_by_shape_and_by_name() {
    let mut placeholders = Placeholders::default();
    placeholders.learn("code", "ABC234");
    let [first, second] = ["01995c2e-0a10-7000-8000-000000000a11", "01995c2e-0a10-7000-8000-000000000be1"];
    let text = format!(r#"["{second}","{first}","{second}",1,"Zoë"] /ws/ABC234 2026-01-02T03:04:05.678Z qp_short"#);
    let expected = r#"["<id 1>","<id 2>","<id 1>",1,"Zoë"] /ws/<code 1> <time> qp_short"#;
    assert_eq!(placeholders.apply(&text), expected);
    assert_eq!(placeholders.apply(&format!("qh_{} {first}", "A".repeat(43))), "<token 1> <id 2>");
}
