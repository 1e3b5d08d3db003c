//! The files of the page: their version, and the HTML pages that name it.
//!
//! A page names its files as `/web/@VERSION/...`, so caches may keep them for ever. Modules import each other by relative addresses,
//! which have the same version. A page also lists the modules that it will import, so that a browser requests all of them at once.
//! Files with a version have no comments: they take a quarter less time to transfer.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;

use crate::http::static_file::StaticFile;
use superflip_solver::tables::format::fingerprint;

/// Extensions of the files that are served, with their media types. Other files, such as type declarations, are for development.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("webmanifest", "application/manifest+json"),
];

/// The tag before which the list of modules stands.
const SCRIPT: &str = "<script type=\"module\" src=\"/web/";

/// All files that are served.
pub(super) struct WebFiles {
    files: HashMap<String, Arc<StaticFile>>,
    /// The same without comments.
    compact: HashMap<String, Arc<StaticFile>>,
    /// HTML pages with versioned addresses, by the path of the file.
    pages: HashMap<String, Arc<StaticFile>>,
    /// Fingerprint of all files, in hexadecimal digits.
    version: String,
}

impl WebFiles {
    /// Creates the pages from files and their paths in the folder.
    fn new(sources: HashMap<String, Bytes>) -> Self {
        let mut paths: Vec<_> = sources.keys().collect();
        paths.sort();
        let prints = paths.iter().flat_map(|path| [fingerprint(path.as_bytes()), fingerprint(&sources[*path])]);
        let version = format!("{:016x}", fingerprint(&prints.flat_map(u64::to_le_bytes).collect::<Vec<_>>()));
        let pages = sources.keys().filter(|path| extension(path) == Some("html"));
        let pages = pages.map(|path| (path.clone(), file(path, versioned(path, &sources, &version).into())));
        let pages = pages.collect();
        let compact = sources.iter().map(|(path, bytes)| (path.clone(), file(path, compact(path, bytes)))).collect();
        let files = sources.into_iter().map(|(path, bytes)| (path.clone(), file(&path, bytes))).collect();
        Self { files, compact, pages, version }
    }

    /// Finds a page by the path of its file.
    pub(super) fn page(&self, path: &str) -> Option<Arc<StaticFile>> {
        self.pages.get(path).cloned()
    }

    /// Finds a file by its path, which may begin with a version. Returns also whether the version is the current one. After an update,
    /// pages that are still open get the new files.
    pub(super) fn file(&self, path: &str) -> Option<(Arc<StaticFile>, bool)> {
        match path.strip_prefix('@').and_then(|path| path.split_once('/')) {
            Some((version, path)) => Some((self.compact.get(path)?.clone(), version == self.version)),
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

/// Returns a script or a style sheet without the lines that are comments, and other files as they are.
fn compact(path: &str, bytes: &Bytes) -> Bytes {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if matches!(extension(path), Some("js" | "css")) => text,
        _ => return bytes.clone(),
    };
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
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into()
}

/// Returns a page with versioned addresses, and with a link for each module that its script imports.
fn versioned(path: &str, sources: &HashMap<String, Bytes>, version: &str) -> String {
    let page = String::from_utf8_lossy(&sources[path]);
    let page = match page.split_once(SCRIPT).and_then(|(head, rest)| Some((head, rest, rest.split_once('"')?.0))) {
        Some((head, rest, script)) => {
            let modules = modules(script, sources);
            let links = modules.iter().map(|path| format!("<link rel=\"modulepreload\" href=\"/web/{path}\" />\n    "));
            format!("{head}{}{SCRIPT}{rest}", links.collect::<String>())
        }
        None => page.into_owned(),
    };
    page.replace("\"/web/", &format!("\"/web/@{version}/"))
}

/// Returns the paths of all modules that a module imports when it is loaded, also through others, in breadth-first order.
fn modules(script: &str, sources: &HashMap<String, Bytes>) -> Vec<String> {
    let mut found = vec![script.to_owned()];
    let mut next = 0;
    while let Some(path) = found.get(next).cloned() {
        let text = sources.get(&path).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        for specifier in text.split(" from \"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)) {
            let module = resolve(&path, specifier);
            if sources.contains_key(&module) && !found.contains(&module) {
                found.push(module);
            }
        }
        next += 1;
    }
    found.split_off(1)
}

/// Resolves a relative address against the path of a file.
fn resolve(path: &str, specifier: &str) -> String {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
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
