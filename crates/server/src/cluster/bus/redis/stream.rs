//! The parsed result of a read of one stream, without copying the batches.
//!
//! Used only by `inbox`.

use redis::Value;

/// One entry of a stream, with the first of its fields.
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) field: String,
    pub(super) value: Vec<u8>,
}

/// The entries in order; none when the read found nothing. Malformed entries are left out.
pub(super) fn entries(read: Value) -> Vec<Entry> {
    // One stream was read: [[its name, [[id, [field, value, …]], …]]].
    let stream = items(read).into_iter().next().map(items);
    let listed = stream.and_then(|stream| stream.into_iter().nth(1)).map(items).unwrap_or_default();
    listed.into_iter().filter_map(entry).collect()
}

fn entry(value: Value) -> Option<Entry> {
    let mut parts = items(value).into_iter();
    let id = text(parts.next()?)?;
    let mut fields = parts.next().map(items).unwrap_or_default().into_iter();
    // An entry that was deleted while it was read has no fields.
    let field = fields.next().and_then(text).unwrap_or_default();
    let value = fields.next().and_then(bytes).unwrap_or_default();
    Some(Entry { id, field, value })
}

fn items(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

fn bytes(value: Value) -> Option<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Some(bytes),
        _ => None,
    }
}

fn text(value: Value) -> Option<String> {
    bytes(value).and_then(|bytes| String::from_utf8(bytes).ok())
}
