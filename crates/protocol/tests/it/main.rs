//! Tests of the decoders, through the public interface.

mod decode;
mod plain;
