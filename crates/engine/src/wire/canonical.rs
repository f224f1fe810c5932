//! JSON in the canonical form of RFC 8785: names in order, no white space, numbers as ECMAScript writes them.
//!
//! Called by `seal`. `serde_json` already escapes texts as the form asks.

use serde::Serialize;
use serde_json::{Number, Value};

/// The canonical form of a value whose names are ASCII and whose numbers are finite.
pub(super) fn canonical(value: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::new();
    let value = serde_json::to_value(value).expect("texts and finite numbers are always JSON");
    write(&value, &mut out);
    out
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            out.push(b'{');
            for (place, (name, value)) in fields.into_iter().enumerate() {
                out.extend((place > 0).then_some(b','));
                plain(name, out);
                out.push(b':');
                write(value, out);
            }
            out.push(b'}');
        }
        Value::Array(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                out.extend((place > 0).then_some(b','));
                write(item, out);
            }
            out.push(b']');
        }
        Value::Number(number) => number_of(number, out),
        Value::String(_) | Value::Bool(_) | Value::Null => plain(value, out),
    }
}

/// Every number is a double, as in ECMAScript.
fn number_of(number: &Number, out: &mut Vec<u8>) {
    let number = number.as_f64().unwrap_or_default();
    out.extend(ryu_js::Buffer::new().format(number).bytes());
}

fn plain(value: &(impl Serialize + ?Sized), out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("texts are always JSON");
}
