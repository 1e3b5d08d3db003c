//! Joins JavaScript modules, so that a page needs one request for all modules that it imports when it is loaded.
//!
//! A browser opens six connections to an HTTP/1.1 server, and on a slow network it waits half a second for each answer. Thirty modules
//! cost five such waits. So the script of a page becomes one file, with all modules that it imports. A module that is imported later,
//! by `import()`, becomes a file together with its imports, except the modules that the page already has.
//!
//! Each module becomes a block, which hides its names. The object `$modules` has the exports of every block:
//!
//! ```js
//! const $modules = (globalThis.$modules ??= {});
//! if (!$modules["dom.js"]) {
//! function h() {}
//! $modules["dom.js"] = { h };
//! }
//! if (!$modules["main.js"]) {
//! const { h: make } = $modules["dom.js"];
//! $modules["main.js"] = {};
//! }
//! ```
//!
//! This module is not a parser. It expects imports and exports at the start of a line, as the formatter writes them, one function,
//! class or constant per export, and no cycles. A test checks this for the files in `web/`.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

/// Joins the modules that the scripts of the pages load, by path. Other files are not in the result.
pub(super) fn join(files: &HashMap<String, String>, scripts: &[&str]) -> HashMap<String, String> {
    let modules = files.iter().filter(|(path, _)| is_script(path));
    let modules = modules.map(|(path, text)| (path.as_str(), Module::read(path, text)));
    let modules: HashMap<_, _> = modules.collect();
    // The modules that every page has which imports a module later.
    let mut known_by: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for script in scripts {
        let known: BTreeSet<_> = order(script, &modules).into_iter().collect();
        let (mut seen, mut open) = (BTreeSet::new(), vec![*script]);
        while let Some(path) = open.pop() {
            let later = order(path, &modules).into_iter().flat_map(|path| &modules[path].later);
            for path in later.filter(|path| modules.contains_key(path.as_str()) && seen.insert(path.as_str())) {
                open.push(path);
                let all = known_by.entry(path).or_insert_with(|| known.clone());
                all.retain(|path| known.contains(path));
            }
        }
    }
    known_by.extend(scripts.iter().filter(|path| modules.contains_key(**path)).map(|path| (*path, BTreeSet::new())));
    known_by.iter().map(|(path, known)| ((*path).to_owned(), joined(path, &modules, known))).collect()
}

/// Returns a file with a module and its imports, without those that are known.
fn joined(path: &str, modules: &HashMap<&str, Module>, known: &BTreeSet<&str>) -> String {
    let blocks = order(path, modules).into_iter().filter(|path| !known.contains(path)).map(|path| &modules[path].block);
    let mut file = "const $modules = (globalThis.$modules ??= {});\n".to_owned();
    file.extend(blocks.map(String::as_str));
    let exports = &modules[path].exports;
    if !exports.is_empty() {
        let _ = writeln!(file, "export const {{ {} }} = $modules[\"{path}\"];", exports.join(", "));
    }
    file
}

/// Returns a module and all modules that it imports, each after its own imports.
fn order<'a>(path: &'a str, modules: &'a HashMap<&str, Module>) -> Vec<&'a str> {
    fn visit<'a>(
        path: &'a str,
        modules: &'a HashMap<&str, Module>,
        seen: &mut BTreeSet<&'a str>,
        all: &mut Vec<&'a str>,
    ) {
        let Some(module) = modules.get(path).filter(|_| seen.insert(path)) else { return };
        module.imports.iter().for_each(|path| visit(path, modules, seen, all));
        all.push(path);
    }
    let mut all = Vec::new();
    visit(path, modules, &mut BTreeSet::new(), &mut all);
    all
}

/// A module as a block of a joined file.
struct Module {
    /// Paths of the modules that it imports when it is loaded.
    imports: Vec<String>,
    /// Paths of the modules that it imports later.
    later: Vec<String>,
    exports: Vec<String>,
    block: String,
}

impl Module {
    fn read(path: &str, source: &str) -> Self {
        let (mut imports, mut exports) = (Vec::new(), Vec::new());
        let mut block = format!("if (!$modules[\"{path}\"]) {{\n");
        let mut lines = source.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(import) = line.strip_prefix("import ") {
                // A list of names may have several lines.
                let mut import = import.to_owned();
                while let Some(line) = lines.next_if(|_| !import.ends_with(';')) {
                    import.push_str(line);
                }
                let mut parts = import.split('"');
                let (names, specifier) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                let module = resolve(path, specifier);
                if let Some(names) = names.strip_suffix(" from ") {
                    let _ = writeln!(block, "const {} = $modules[\"{module}\"];", names.replace(" as ", ": "));
                }
                imports.push(module);
            } else if let Some(declaration) = line.strip_prefix("export ") {
                let mut words = declaration.split([' ', '(', '*']).filter(|word| !word.is_empty());
                let name = words.find(|word| !["async", "class", "const", "function"].contains(word));
                exports.extend(name.map(str::to_owned));
                block.extend([declaration, "\n"]);
            } else {
                block.extend([line, "\n"]);
            }
        }
        let _ = writeln!(block, "$modules[\"{path}\"] = {{ {} }};\n}}", exports.join(", "));
        let block = block.replace("import.meta.url", &format!("new URL(\"/web/{path}\", import.meta.url)"));
        let (block, later) = absolute(path, &block);
        Self { imports, later, exports, block }
    }
}

/// Makes the addresses of `import()` absolute. Returns also the paths of the modules.
fn absolute(path: &str, text: &str) -> (String, Vec<String>) {
    const CALL: &str = "import(\"";
    let mut parts = text.split(CALL);
    let mut result = parts.next().unwrap_or_default().to_owned();
    let mut later = Vec::new();
    for part in parts {
        result.push_str(CALL);
        match part.split_once('"') {
            // Other addresses are those of types in comments.
            Some((specifier, rest)) if is_script(specifier) => {
                let module = resolve(path, specifier);
                result.extend(["/web/", &module, "\"", rest]);
                later.push(module);
            }
            _ => result.push_str(part),
        }
    }
    (result, later)
}

/// Returns whether a path or an address leads to a module.
fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension == "js")
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
