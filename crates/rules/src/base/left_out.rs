//! The values that serde leaves out of logs and snapshots, for its `skip_serializing_if`.

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_zero(number: &u32) -> bool {
    *number == 0
}
