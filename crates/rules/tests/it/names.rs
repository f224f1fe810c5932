//! The display-name tables: messages.md#limits.

use proptest::prelude::{ProptestConfig, proptest};
use quizhall_rules::{DisplayName, NameError};

fn parse(name: &str) -> Result<String, NameError> {
    DisplayName::parse(name).map(|name| name.as_str().to_owned())
}

#[test]
fn names_people_have_are_taken() {
    let rows = [
        "Ann",
        "J",
        "7",
        "Jean-Luc",
        "O'Brien",
        "José",
        "Zoë",
        "Đặng Thị Mỹ",
        "李小龍",
        "山田 太郎",
        "김철수",
        "Олександр",
        "Ωμέγα",
        "مریم",
        "می\u{200C}خواهم",
        "שָׁלוֹם",
        "हिन्दी",
        "क्\u{200D}ष",
        "ශ්\u{200D}රී",
        "র\u{200D}\u{9CD}যাচেল",
        "ರ\u{200D}\u{CCD}ಯಾಂಕ್",
        "അവന്\u{200D}",
        "അവന്\u{200D} രണ്ടാമന്\u{200D}",
        "علی\u{200C}رضا",
        "England 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland",
        "Wales 🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
        "தமிழ்",
        "ที่นี่",
        "น้ำ",
        "🎉",
        "😀 Ann",
        "👩🏽\u{200D}💻",
        "👨\u{200D}👩\u{200D}👧\u{200D}👦",
        "🏳\u{FE0F}\u{200D}🌈",
        "🇨🇭",
        "1\u{FE0F}\u{20E3}",
        "❤\u{FE0F}",
        "=HYPERLINK(\"http://x\")",
        "＝1",
        "'); DROP TABLE players",
        "${jndi:ldap://x}",
        "%00",
        "<img src=x onerror=1>",
        "Bobby & Co.",
        "R2 & the 7 Dwarfs",
        "Q&A 42",
        "hosts",
        "Mr Admin",
        "quizzer",
        "€uro",
        "+1",
    ];
    for name in rows {
        assert_eq!(parse(name).as_deref(), Ok(name), "{name:?}");
    }
}

#[test]
fn white_space_and_form_are_tidied() {
    let rows = [
        ("  Ann  ", "Ann"),
        ("Ann \t\u{3000} Lee\n", "Ann Lee"),
        ("\u{A0}Ann\u{2028}Lee", "Ann Lee"),
        ("Jose\u{301}", "José"),
        ("\t=1", "=1"),
        ("\u{212B}ke", "Åke"),
    ];
    for (typed, name) in rows {
        assert_eq!(parse(typed).as_deref(), Ok(name), "{typed:?}");
    }
}

#[test]
fn names_of_the_right_size_only() {
    let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦";
    let rows = [
        (String::new(), Err(NameError::Empty)),
        (" \t\n\u{3000}".into(), Err(NameError::Empty)),
        ("x".repeat(40), Ok(())),
        ("x".repeat(41), Err(NameError::TooLong)),
        (" ".repeat(500) + "Ann", Ok(())),
        ("é".repeat(40), Ok(())),
        ("漢".repeat(40), Ok(())),
        // 11 clusters of 7 code points and 25 bytes: the 77 code points are allowed, the 275 bytes are not.
        (family.repeat(11), Err(NameError::TooLong)),
        (family.repeat(10), Ok(())),
        // 33 clusters of 3 code points: 99.
        ("x\u{323}\u{325}".repeat(33), Err(NameError::TooLong)),
        ("x\u{323}\u{325}".repeat(32), Ok(())),
        ("x".repeat(10_000), Err(NameError::TooLong)),
        (" ".repeat(10_000), Err(NameError::TooLong)),
    ];
    for (name, expected) in rows {
        assert_eq!(parse(&name).map(|_| ()), expected, "{} bytes", name.len());
    }
}

#[test]
fn characters_that_play_tricks_are_refused() {
    use NameError::{ForbiddenCharacter as Forbidden, Invisible, NothingVisible, TooManyMarks};
    let zalgo = format!("A{}", "\u{301}\u{302}\u{303}".repeat(9));
    let rows = [
        ("\u{202E}nnA", Forbidden),
        ("Ann\u{202C}", Forbidden),
        ("\u{2066}Ann\u{2069}", Forbidden),
        ("\u{200B}", Forbidden),
        ("An\u{200B}n", Forbidden),
        ("An\u{2060}n", Forbidden),
        ("\u{FEFF}Ann", Forbidden),
        ("An\u{AD}n", Forbidden),
        ("Ann\u{E0041}", Forbidden),
        ("🏴\u{E0067}\u{E0062}\u{E007F}", Forbidden),
        ("An\0n", Forbidden),
        ("An\u{1B}n", Forbidden),
        ("An\u{7F}n", Forbidden),
        ("An\u{E000}n", Forbidden),
        ("An\u{10FFFF}n", Forbidden),
        ("An\u{FDD0}n", Forbidden),
        ("An\u{378}n", Forbidden),
        ("An\u{200D}n", Forbidden),
        ("An\u{200C}n", Forbidden),
        ("\u{200D}Ann", Forbidden),
        ("Ann\u{200D}", Forbidden),
        ("🎉\u{200D}🎉", Forbidden),
        ("م\u{200C}", Forbidden),
        ("م\u{200C}a", Forbidden),
        ("م\u{200C}\u{200C}م", Forbidden),
        ("م\u{200D}क", Forbidden),
        ("\u{3164}", Invisible),
        ("\u{115F}\u{1160}", Invisible),
        ("Ann\u{FFA0}", Invisible),
        ("\u{2800}", Invisible),
        ("ក\u{17B4}", Invisible),
        ("ក\u{17B5}", Invisible),
        ("\u{180E}", Invisible),
        ("An\u{34F}n", Invisible),
        ("A\u{FE0F}nn", Invisible),
        ("葛\u{E0100}", Invisible),
        ("x\u{323}\u{325}\u{330}", TooManyMarks),
        ("A\u{20DD}\u{20DE}\u{20DF}", TooManyMarks),
        ("\u{301}Ann", TooManyMarks),
        ("Ann \u{301}", TooManyMarks),
        ("...", NothingVisible),
        ("- _ -", NothingVisible),
        ("!?", NothingVisible),
    ];
    for (name, error) in rows {
        assert_eq!(parse(name), Err(error), "{name:?}");
    }
    assert_eq!(parse(&zalgo), Err(TooManyMarks));
    let hundreds = format!("A{}", "\u{301}".repeat(500));
    assert!(matches!(parse(&hundreds), Err(NameError::TooLong | TooManyMarks)));
}

#[test]
fn no_player_name_looks_like_the_host() {
    let rows = [
        "host",
        "Host",
        "HOST",
        "h o s t",
        "hоst",
        "Нost",
        "h0st",
        "ｈｏｓｔ",
        "𝐡𝐨𝐬𝐭",
        "admin",
        "Admin",
        "аdmin",
        "admın",
        "ADMIN",
        "moderator",
        "Mоderator",
        "quiz",
        "Quiz",
        "QUIZ",
        "system",
        "SYSTEM",
        "ѕystem",
        "sуstem",
        "ADMlN",
        "ADM1N",
        "SYSTEΜ",
        "ʜost",
        "ʜᴏꜱᴛ",
        "ᴀᴅᴍɪɴ",
        "нost",
        "QUlZ",
        "H.O.S.T",
        "H-o-s-t!",
        "(host)",
        "adm1n",
        "@dmin",
        "adm!n",
        "h0st",
        "m0derat0r",
        "5ystem",
        "Админ",
        "хост",
        "Модератор",
        "Hóst",
        "ađmin",
    ];
    for name in rows {
        assert_eq!(parse(name), Err(NameError::Reserved), "{name:?}");
    }
}

#[test]
fn names_that_look_alike_clash() {
    let looks = |name: &str| DisplayName::parse(name).unwrap().looks();
    let clash = |one: &str, other: &str| looks(one).iter().any(|look| looks(other).contains(look));
    let alike = [
        ("Ann", "ann"),
        ("Ann", "Аnn"),
        ("paypal", "раураl"),
        ("Straße", "STRASSE"),
        ("Ann Lee", "AnnLee"),
        ("José", "Jose\u{301}"),
        ("ﬁn", "fin"),
        ("Bo0", "BoO"),
        ("m", "rn"),
        ("❤\u{FE0F}", "❤"),
        ("Paul", "PauI"),
        ("PAUL", "PauI"),
        ("Ali", "AIi"),
        ("Bill", "BiII"),
        ("Hans", "ʜans"),
        ("mary", "ᴍary"),
        ("Ann", "Ann\u{332}"),
        ("Ann", "An\u{323}n"),
        ("Ann", "A\u{332}n\u{332}n\u{332}"),
        ("משה", "מֹשה"),
        ("محمد", "مُحَمَّد"),
    ];
    for (one, other) in alike {
        assert!(clash(one, other) && clash(other, one), "{one} and {other}");
    }
    let different = [
        ("Ann", "Anna"),
        ("José", "Jose"),
        ("Zoë", "Zoe"),
        ("Thư", "Thu"),
        ("हिन्दी", "हिन्दि"),
        ("Ann 1", "Ann 2"),
        ("😀", "😁"),
        ("李", "林"),
        ("Bill", "Bull"),
        ("Ali", "All"),
        ("Eli", "Ell"),
        ("Нина", "Инна"),
    ];
    for (one, other) in different {
        assert!(!clash(one, other), "{one} and {other}");
    }
}

#[test]
fn no_name_holds_what_cannot_be_seen() {
    // Unicode's default-ignorable code points, and the blanks of three scripts.
    let ranges = [
        0xAD..=0xAD,
        0x34F..=0x34F,
        0x61C..=0x61C,
        0x115F..=0x1160,
        0x17B4..=0x17B5,
        0x180B..=0x180F,
        0x200B..=0x200F,
        0x202A..=0x202E,
        0x2060..=0x206F,
        0x2800..=0x2800,
        0x3164..=0x3164,
        0xFE00..=0xFE0F,
        0xFEFF..=0xFEFF,
        0xFFA0..=0xFFA0,
        0xFFF0..=0xFFF8,
        0x13441..=0x13442,
        0x16FE4..=0x16FE4,
        0x1BCA0..=0x1BCA3,
        0x1D173..=0x1D17A,
        0xE0000..=0xE0FFF,
    ];
    for invisible in ranges.into_iter().flatten().filter_map(char::from_u32) {
        for name in [format!("Ann{invisible}"), format!("A{invisible}nn"), format!("{invisible}Ann")] {
            assert!(parse(&name).is_err(), "U+{:04X}", u32::from(invisible));
        }
    }
}

#[test]
fn errors_and_debug_repeat_no_name() {
    for name in ["canary\u{202E}", "canary".repeat(9).as_str()] {
        let error = DisplayName::parse(name).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
    assert_eq!(format!("{:?}", DisplayName::parse("canary").unwrap()), "DisplayName(..)");
}

#[test]
fn a_stored_name_is_read_back_as_it_is() {
    let name = DisplayName::parse("Ann").unwrap();
    let text = serde_json::to_string(&name).unwrap();
    assert_eq!(text, "\"Ann\"");
    assert_eq!(serde_json::from_str::<DisplayName>(&text).unwrap(), name);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    /// Normalising twice gives the same result as once, a name always clashes with itself, and no input panics.
    #[test]
    fn parsing_is_idempotent(typed in "(\\PC|[a-z \u{200C}\u{200D}\u{301}\u{FE0F}\u{1F600}-\u{1F64F}\u{900}-\u{97F}]){0,12}") {
        if let Ok(name) = DisplayName::parse(&typed) {
            let again = DisplayName::parse(name.as_str()).expect("a name is a name");
            assert_eq!(again, name);
            assert_eq!(again.looks(), name.looks());
            assert!(name.looks().iter().all(|look| !look.is_empty()));
            let loud = name.as_str().to_uppercase();
            if let Ok(loud) = DisplayName::parse(&loud) {
                assert_eq!(loud.looks()[0], name.looks()[0], "{typed:?}");
            }
        }
    }
}
