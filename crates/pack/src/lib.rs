//! The compressed forms of a file of the web app, for the build script of the service. A crate of its own, because both libraries are
//! generic: they are compiled in the crate that calls them, with its optimisation, and a build script has none.

use std::io;
use std::num::NonZeroU64;

/// How much time packing may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For builds that are tried and tested, whose packing is not optimised: gzip becomes 1.6 % larger and brotli 10 %. Compiling
    /// and packing take 13 s of processor time together, and with [`Effort::Most`] 34 s.
    Little,
    /// For what is shipped: the smallest forms.
    Most,
}

/// The form for clients that accept brotli.
///
/// # Errors
///
/// Those of the library; none when it writes to memory.
pub fn brotli(plain: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
    let quality = match effort {
        Effort::Little => 5,
        Effort::Most => 11,
    };
    let parameters = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*plain, &mut packed, &parameters)?;
    Ok(packed)
}

/// The form for clients without brotli, and over plain http that is every browser. Compressed by zopfli, some 4 % smaller than by zlib.
///
/// # Errors
///
/// Those of the library; none when it writes to memory.
pub fn gzip(plain: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
    let options = match effort {
        Effort::Little => {
            zopfli::Options { iteration_count: NonZeroU64::MIN, maximum_block_splits: 1, ..Default::default() }
        }
        Effort::Most => zopfli::Options::default(),
    };
    let mut packed = Vec::new();
    zopfli::compress(options, zopfli::Format::Gzip, plain, &mut packed)?;
    Ok(packed)
}
