//! The first page of a table file. What is accepted encodes to a page that decodes to the same; and because no fuzzer guesses a
//! checksum, each page is also read with the right one put in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superflip_solver::tables::format::{FormatError, HEADER_BYTES, Header};
use xxhash_rust::xxh3::xxh3_64;

fn check(page: &[u8], file_bytes: u64) -> Result<(), FormatError> {
    let header = Header::decode(page, file_bytes)?;
    assert_eq!(HEADER_BYTES as u64 + header.payload_bytes(), file_bytes);
    let again = header.encode();
    assert_eq!(again.len(), HEADER_BYTES);
    assert_eq!(Header::decode(&again, file_bytes), Ok(header));
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    assert!(check(bytes, bytes.len() as u64).is_err() || bytes.len() >= HEADER_BYTES);
    let mut page = [0; HEADER_BYTES];
    let given = bytes.len().min(HEADER_BYTES - 8);
    page[..given].copy_from_slice(&bytes[..given]);
    let checksum = xxh3_64(&page[..HEADER_BYTES - 8]);
    page[HEADER_BYTES - 8..].copy_from_slice(&checksum.to_le_bytes());
    // The length that the page itself asks for, so that nothing stands between it and the rest of the checks.
    if let Err(FormatError::Length { expected, .. }) = check(&page, HEADER_BYTES as u64) {
        let _ = check(&page, expected);
    }
});
