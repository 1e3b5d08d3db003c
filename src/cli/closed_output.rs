//! Notices that standard output was closed before the program started.
//!
//! The standard library opens `/dev/null` in its place before `main`, so that no file gets its number. Then every write succeeds, and the answer
//! is lost. So this module looks earlier: the loader calls the functions of `.init_array` before the standard library starts.
#![allow(unsafe_code)] // an entry of `.init_array`, and a system call for which rustix needs an open descriptor

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns whether standard output was closed at the start. Only Linux says so.
pub(super) fn was_closed() -> bool {
    WAS_CLOSED.load(Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    // SAFETY: the call takes no pointer, and fails without effect if the descriptor is closed.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    WAS_CLOSED.store(flags == -1, Relaxed);
}

// SAFETY: the section is a list of functions in the C calling convention. This one takes none of the arguments, needs nothing that the standard
// library prepares, and cannot panic.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
