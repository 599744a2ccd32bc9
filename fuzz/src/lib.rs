//! What the fuzz targets share. Each file of `fuzz_targets/` is one target, and says what has
//! to hold.
//!
//! An input is a recording or a fixture, as the command line takes it. So the fixtures are the
//! corpus as they stand, and what a target has found can be looked at with `agent-contracts
//! check`. Whatever else is drawn, such as the profile, the bounds and the cuts, follows from
//! the bytes of the input.

pub mod canary;
pub mod check;
pub mod draw;
pub mod mutate;
pub mod places;
pub mod recording;

/// A target that takes recordings, and changes them event by event as well as byte by byte.
/// `$folder` is the folder of fixtures that further events are taken from; empty for all.
#[macro_export]
macro_rules! recordings {
    ($folder:literal, |$data:ident| $body:expr) => {
        libfuzzer_sys::fuzz_target!(|$data: &[u8]| $body);
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate::mutate($folder, data, size, max_size, seed)
        });
    };
}
