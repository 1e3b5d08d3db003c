//! Puts the solver as WebAssembly into the page, if the variable `BUILD_WASM` names the folder that `clients/wasm/build` has written.
//!
//! Without the variable, nothing is needed for WebAssembly, and the page is as it is in `web/`.

use std::env;
use std::path::{self, PathBuf};

/// The files that the page loads.
const FILES: [&str; 2] = ["superflip_wasm.js", "superflip_wasm_bg.wasm"];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(page_solves)");
    println!("cargo::rerun-if-env-changed=BUILD_WASM");
    let Some(folder) = env::var_os("BUILD_WASM").filter(|folder| !folder.is_empty()).map(PathBuf::from) else { return };
    println!("cargo::rerun-if-changed={}", folder.display());
    // A relative path begins at this file. For the compiler it would begin at the file that includes the other.
    let folder = path::absolute(&folder).unwrap_or(folder);
    if !FILES.iter().all(|file| folder.join(file).is_file()) {
        let (folder, files) = (folder.display(), FILES.join(" and "));
        println!("cargo::error=BUILD_WASM names {folder}, which lacks {files}; build them with clients/wasm/build");
        return;
    }
    println!("cargo::rustc-env=PAGE_SOLVER={}", folder.display());
    println!("cargo::rustc-cfg=page_solves");
}
