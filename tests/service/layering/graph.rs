//! The graph of imports between the files of a crate, read from its syntax.
//!
//! An edge leads from a file to each file that defines something it names, in `use`, in a path, or in the arguments of a macro.
//! Re-exports are followed to the definition, so a `mod.rs` that only re-exports its children is on no cycle. Modules for tests are
//! left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// One module of the crate: a file, or an inline module, which counts as part of its file.
struct Module {
    file: String,
    children: BTreeMap<String, Vec<String>>,
    /// Name in this module and the absolute path it stands for.
    reexports: Vec<(String, Vec<String>)>,
    /// Absolute paths of modules that are re-exported whole.
    globs: Vec<Vec<String>>,
    references: BTreeSet<Vec<String>>,
}

/// The modules of a crate by their paths.
pub(super) struct Crate(BTreeMap<Vec<String>, Module>);

/// Every Rust file below the folder.
pub(super) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.append(&mut sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

impl Crate {
    /// Reads every file below `root`.
    pub(super) fn read(root: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for path in sources(root) {
            let file = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let mut name: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if name.last().is_some_and(|last| last == "mod" || last == "lib") {
                name.pop();
            }
            let syntax = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
            read_module(&mut modules, &file, name, &syntax.items);
        }
        Self(modules)
    }

    /// The files that each file names.
    pub(super) fn edges(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for module in self.0.values() {
            let targets = edges.entry(&module.file).or_default();
            let named = module.references.iter().filter_map(|path| self.file_of(path, 0));
            targets.extend(named.filter(|target| *target != module.file));
        }
        edges
    }

    /// The file that defines the item at an absolute path; `None` for items of other crates.
    fn file_of(&self, path: &[String], depth: usize) -> Option<&str> {
        // A cycle of glob imports would lead round for ever.
        if depth > 8 {
            return None;
        }
        let mut at = Vec::new();
        for (i, segment) in path.iter().enumerate() {
            let module = self.0.get(&at)?;
            if let Some(child) = module.children.get(segment) {
                at.clone_from(child);
                continue;
            }
            let rest = &path[i + 1..];
            if let Some((_, target)) = module.reexports.iter().find(|(name, _)| name == segment) {
                return self.file_of(&[target, rest].concat(), depth + 1);
            }
            let behind_globs = module.globs.iter().filter(|glob| **glob != at);
            let found = behind_globs.filter_map(|glob| {
                let inner = self.0.get(glob)?;
                let known =
                    inner.children.contains_key(segment) || inner.reexports.iter().any(|(name, _)| name == segment);
                known.then(|| self.file_of(&[glob, &path[i..]].concat(), depth + 1)).flatten()
            });
            return found.into_iter().next().or(Some(&module.file));
        }
        self.0.get(&at).map(|module| module.file.as_str())
    }
}

fn read_module(modules: &mut BTreeMap<Vec<String>, Module>, file: &str, name: Vec<String>, items: &[syn::Item]) {
    let mut module = Module {
        file: file.to_owned(),
        children: BTreeMap::new(),
        reexports: Vec::new(),
        globs: Vec::new(),
        references: BTreeSet::new(),
    };
    for item in items {
        if let syn::Item::Mod(inner) = item
            && !is_for_tests(&inner.attrs)
        {
            let child = [name.clone(), vec![inner.ident.to_string()]].concat();
            module.children.insert(inner.ident.to_string(), child.clone());
            if let Some((_, items)) = &inner.content {
                read_module(modules, file, child, items);
            }
        }
    }
    let mut paths = Paths { module: &name, children: &module.children, found: BTreeSet::new() };
    for item in items {
        match item {
            syn::Item::Mod(_) => {}
            syn::Item::Use(import) => {
                let mut leaves = Vec::new();
                flatten(&import.tree, &mut Vec::new(), &mut leaves);
                for (path, alias) in leaves {
                    let Some(target) = absolute(&path, &name, &module.children) else { continue };
                    let is_reexport = !matches!(import.vis, syn::Visibility::Inherited);
                    match alias {
                        None => module.globs.push(target),
                        Some(alias) if is_reexport => module.reexports.push((alias, target)),
                        Some(_) => drop(paths.found.insert(target)),
                    }
                }
            }
            syn::Item::Fn(function) if is_for_tests(&function.attrs) => {}
            other => paths.visit_item(other),
        }
    }
    module.references = paths.found;
    modules.insert(name, module);
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test" || condition == "fuzzing")
    })
}

/// The paths of a `use`, each with its name here, which a glob import does not have.
fn flatten(tree: &syn::UseTree, prefix: &mut Vec<String>, out: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |name: &syn::Ident| [prefix.as_slice(), &[name.to_string()]].concat();
    match tree {
        syn::UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, out);
            prefix.pop();
        }
        syn::UseTree::Name(name) if name.ident == "self" => out.push((prefix.clone(), prefix.last().cloned())),
        syn::UseTree::Name(name) => out.push((with(&name.ident), Some(name.ident.to_string()))),
        syn::UseTree::Rename(rename) => out.push((with(&rename.ident), Some(rename.rename.to_string()))),
        syn::UseTree::Glob(_) => out.push((prefix.clone(), None)),
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| flatten(item, prefix, out)),
    }
}

/// The path from the root of the crate, for one that begins with `crate`, `self`, `super`, or a child of the module.
fn absolute(path: &[String], module: &[String], children: &BTreeMap<String, Vec<String>>) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" if supers <= module.len() => Some([&module[..module.len() - supers], &path[supers..]].concat()),
        first if children.contains_key(first) => Some([module, path].concat()),
        _ => None,
    }
}

/// Collects the paths of expressions, types, patterns and macros.
struct Paths<'a> {
    module: &'a [String],
    children: &'a BTreeMap<String, Vec<String>>,
    found: BTreeSet<Vec<String>>,
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.found.extend(absolute(&names, self.module, self.children));
        visit::visit_path(self, path);
    }

    // The arguments of a macro are no syntax until it is expanded; paths in them are recognised by their first word.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let text = call.tokens.to_string().replace(' ', "");
        for start in ["crate::", "super::"] {
            for (at, _) in text.match_indices(start) {
                let end = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
                let path = &text[at..end.map_or(text.len(), |end| at + end)];
                let names: Vec<String> = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
                self.found.extend(absolute(&names, self.module, self.children));
            }
        }
        visit::visit_macro(self, call);
    }
}

/// The sets of files that import each other in a circle.
pub(super) fn cycles<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<BTreeSet<&'a str>> {
    let reachable = |from: &'a str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            for &next in edges.get(file).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|&file| (file, reachable(file))).collect();
    let circles = reach.iter().filter(|(file, seen)| seen.contains(*file));
    let sets = circles.map(|(file, seen)| seen.iter().copied().filter(|other| reach[other].contains(file)).collect());
    sets.collect::<BTreeSet<_>>().into_iter().collect()
}
