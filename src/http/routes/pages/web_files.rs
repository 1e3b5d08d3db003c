//! The files of the page: their version, and the HTML pages that name it.
//!
//! A page names its files as `/web/@VERSION/...`, so caches may keep them for ever. Files with a version have no comments, and the
//! modules that a page loads together are one file: they take half the time to transfer.
//!
//! A build with the variable `BUILD_WASM` also has the solver as WebAssembly: two files more, and a line in the page that names them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;

use crate::http::routes::pages::joined_modules::join;
use crate::http::static_file::StaticFile;
use superflip_solver::tables::format::fingerprint;

/// Extensions of the files that are served, with their media types. Other files, such as type declarations, are for development.
const TYPES: [(&str, &str); 9] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
];

/// Where files write the address of another file.
const FOLDER: &str = "\"/web/";

/// The solver as WebAssembly: paths of its files, and their contents. `build.rs` decides whether there is one.
#[cfg(page_solves)]
const SOLVER: [(&str, &[u8]); 2] = [
    ("local/superflip_wasm.js", include_bytes!(concat!(env!("PAGE_SOLVER"), "/superflip_wasm.js"))),
    ("local/superflip_wasm_bg.wasm", include_bytes!(concat!(env!("PAGE_SOLVER"), "/superflip_wasm_bg.wasm"))),
];
#[cfg(not(page_solves))]
const SOLVER: [(&str, &[u8]); 0] = [];

/// What tells the page that it has a solver, and the address of the script that runs it.
const HAS_SOLVER: &str = "<meta name=\"solver\" content=\"/web/local/worker.js\" />";

/// All files that are served.
pub(super) struct WebFiles {
    files: HashMap<String, Arc<StaticFile>>,
    /// The same for addresses with a version: without comments, with joined modules, and with versions in the addresses of files.
    versioned: HashMap<String, Arc<StaticFile>>,
    /// Fingerprint of all files, in hexadecimal digits.
    version: String,
}

impl WebFiles {
    /// Creates all forms of the files from their texts and their paths in the folder.
    fn new(mut files: HashMap<String, Bytes>) -> Self {
        if let Some(page) = files.get_mut("index.html").filter(|_| !SOLVER.is_empty()) {
            let text = String::from_utf8_lossy(page).replacen("</head>", &format!("{HAS_SOLVER}</head>"), 1);
            *page = Bytes::from(text);
        }
        files.extend(SOLVER.map(|(path, bytes)| (path.to_owned(), Bytes::from_static(bytes))));
        let texts = files.iter().filter_map(|(path, bytes)| Some((path, std::str::from_utf8(bytes).ok()?)));
        let texts = texts.map(|(path, text)| match extension(path) {
            Some("js" | "css") => (path.clone(), without_comments(text)),
            _ => (path.clone(), text.to_owned()),
        });
        let mut texts: HashMap<_, _> = texts.collect();
        let joined = join(&texts, &texts.values().filter_map(|text| script(text)).collect::<Vec<_>>());
        texts.extend(joined);
        let mut paths: Vec<_> = files.keys().collect();
        paths.sort();
        let bytes = |path| texts.get(path).map_or(&files[path][..], |text| text.as_bytes());
        let prints = paths.into_iter().flat_map(|path| [path.as_bytes(), bytes(path)].map(fingerprint));
        let version = format!("{:016x}", fingerprint(&prints.flat_map(u64::to_le_bytes).collect::<Vec<_>>()));
        let texts = texts.into_iter().map(|(path, text)| (path, text.replace(FOLDER, &format!("{FOLDER}@{version}/"))));
        let changed: HashMap<_, _> = texts.map(|(path, text)| (path, Bytes::from(text))).collect();
        let versioned = files.clone().into_iter().chain(changed);
        let [files, versioned] = [files, versioned.collect()]
            .map(|files| files.into_iter().map(|(path, bytes)| (path.clone(), file(&path, bytes))).collect());
        Self { files, versioned, version }
    }

    /// Finds a page by the path of its file.
    pub(super) fn page(&self, path: &str) -> Option<Arc<StaticFile>> {
        self.versioned.get(path).cloned()
    }

    /// Finds a file by its path, which may begin with a version. Returns also whether the version is the current one. After an update,
    /// pages that are still open get the new files.
    pub(super) fn file(&self, path: &str) -> Option<(Arc<StaticFile>, bool)> {
        match path.strip_prefix('@').and_then(|path| path.split_once('/')) {
            Some((version, path)) => Some((self.versioned.get(path)?.clone(), version == self.version)),
            None => Some((self.files.get(path)?.clone(), false)),
        }
    }
}

/// Creates a file whose media type is known.
fn file(path: &str, bytes: Bytes) -> Arc<StaticFile> {
    Arc::new(StaticFile::new(media_type(path).unwrap_or("application/octet-stream"), bytes))
}

/// Returns the media type of a file, if files of this kind are served.
fn media_type(path: &str) -> Option<&'static str> {
    let extension = extension(path)?;
    TYPES.into_iter().find_map(|(own, media_type)| (own == extension).then_some(media_type))
}

/// Returns the extension of a file, without the dot.
fn extension(path: &str) -> Option<&str> {
    Some(path.rsplit_once('.')?.1)
}

/// Returns the path of the script of a page.
fn script(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<script type=\"module\" src=\"/web/")?;
    Some(rest.split_once('"')?.0)
}

/// Returns a script or a style sheet without the lines that are comments.
fn without_comments(text: &str) -> String {
    let mut is_comment = false;
    let lines = text.lines().filter(|line| {
        let line = line.trim();
        if is_comment || line.starts_with("/*") {
            // Code may follow a comment on its line.
            let begins = !is_comment;
            is_comment = !line.contains("*/");
            return begins && !is_comment && !line.ends_with("*/");
        }
        !line.starts_with("//")
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the files in the program.
#[cfg(not(debug_assertions))]
pub(super) fn web_files() -> &'static WebFiles {
    use std::sync::LazyLock;

    use include_dir::{Dir, include_dir};

    // A new file alone does not trigger a rebuild of the crate. A change of a file that refers to it does.
    static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");
    static FILES: LazyLock<WebFiles> = LazyLock::new(|| {
        let mut folders = vec![&FOLDER];
        let mut sources = HashMap::new();
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            let files = folder.files().filter_map(|file| Some((file.path().to_str()?, file.contents())));
            let served = files.filter(|(path, _)| media_type(path).is_some());
            sources.extend(served.map(|(path, bytes)| (path.to_owned(), Bytes::from_static(bytes))));
        }
        WebFiles::new(sources)
    });
    &FILES
}

/// Reads the files of the folder, so that an edit needs no compilation. Keeps them for a second, because a page has many.
#[cfg(debug_assertions)]
pub(super) fn web_files() -> Arc<WebFiles> {
    use std::path::Path;
    use std::sync::{Mutex, PoisonError};
    use std::time::{Duration, Instant};

    static LAST: Mutex<Option<(Instant, Arc<WebFiles>)>> = Mutex::new(None);

    fn read(root: &Path, folder: &Path, sources: &mut HashMap<String, Bytes>) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                read(root, &path, sources)?;
            } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str)
                && media_type(name).is_some()
            {
                sources.insert(name.to_owned(), Bytes::from(std::fs::read(&path)?));
            }
        }
        Ok(())
    }
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((at, files)) = &*last
        && at.elapsed() < Duration::from_secs(1)
    {
        return files.clone();
    }
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web"));
    let mut sources = HashMap::new();
    // A file that cannot be read is answered with 404.
    let _ = read(root, root, &mut sources);
    let files = Arc::new(WebFiles::new(sources));
    *last = Some((Instant::now(), files.clone()));
    files
}
