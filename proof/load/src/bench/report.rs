//! The report: one page of HTML that needs nothing else, with the document inside and plots drawn from it. Called with
//! what a bench has found; never measures or judges anything itself.

use anyhow::Context as _;

use super::document::Document;

const PAGE: &str = include_str!("report.html");
/// Where the document goes.
const PLACE: &str = "\"DOCUMENT\"";

/// The page of a document.
///
/// # Errors
/// When the document cannot be written as JSON.
pub fn page(document: &Document) -> anyhow::Result<String> {
    let json = serde_json::to_string(document).context("the report")?;
    // In JSON a `<` occurs in strings only. None is left: `</script` would end the script, and `<!--` followed by
    // `<script` would keep it from ending.
    Ok(PAGE.replacen(PLACE, &json.replace('<', "\\u003c"), 1))
}

#[cfg(test)]
mod tests {
    use super::super::document::Machine;
    use super::super::outcome::Outcome;
    use super::super::table::Pass;
    use super::*;

    const START: &str = "<script>const bench = ";
    const END: &str = ";</script>";
    const SVG: &str = "http://www.w3.org/2000/svg";

    /// A document with names that try to end the script.
    fn document() -> Document {
        let mut spread = crate::users::Spread::default();
        spread.record(1_500);
        let mut outcome = Outcome::of("<!--<script>", 1, 3);
        outcome.figure("</script><b>", 1.5, "µs");
        outcome.latency("</SCRIPT >", &spread);
        outcome.check("\"; alert(1); \"DOCUMENT\"", 3, 3);
        Document {
            at: 0,
            commit: "unknown".to_owned(),
            machine: Machine::default(),
            players: 3,
            passes: vec![Pass { outcomes: vec![outcome] }],
            table: Vec::new(),
        }
    }

    /// The literal that the page's first script begins with.
    fn literal(page: &str) -> &str {
        let (_, rest) = page.split_once(START).expect("the script of the document");
        rest.split_once(END).expect("its end").0
    }

    #[test]
    fn the_page_holds_the_document_in_its_place() {
        assert_eq!((PAGE.matches(PLACE).count(), literal(PAGE)), (1, PLACE));
        let document = document();
        let page = page(&document).expect("a document of numbers and names");
        let back: Document = serde_json::from_str(literal(&page)).expect("the document and nothing else");
        assert_eq!(back, document);
        assert!(!literal(&page).starts_with(PLACE), "the place itself is replaced");
    }

    #[test]
    fn no_name_gets_out_of_the_script() {
        let page = page(&document()).expect("a document of numbers and names");
        assert!(!literal(&page).contains('<'));
        for tag in ["<script", "</script", "<!--"] {
            assert_eq!(page.to_lowercase().matches(tag).count(), PAGE.matches(tag).count(), "{tag}");
        }
    }

    #[test]
    fn the_page_makes_no_request() {
        let page = page(&document()).expect("a document of numbers and names").replace(SVG, "");
        for reference in ["http://", "https://", "src=", "url(", "@import", "import(", "fetch("] {
            assert!(!page.contains(reference), "{reference}");
        }
        assert!(PAGE.contains("default-src 'none'"), "and the browser would not let it");
        assert!(PAGE.len() < 40_000, "{} bytes", PAGE.len());
    }

    #[test]
    fn names_become_text_and_never_markup() {
        for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!PAGE.contains(sink), "{sink}");
        }
    }
}
