//! Finds what each file names, and holds it against the table.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::{LIVES_IN, MAY_IMPORT};

/// A file of the crate.
pub(crate) struct Source {
    /// From the root, with slashes: `src/gpu/device.rs`.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// Every import that the tables forbid, one sentence each, by file.
pub(crate) fn violations(sources: &[Source]) -> Vec<String> {
    let parsed: Vec<(&Source, Names)> = sources.iter().map(|source| (source, Names::of(source))).collect();
    let mut found = Vec::new();
    for (source, names) in parsed.iter().filter(|(source, _)| !is_only_for_tests(&source.path, &parsed)) {
        let module = names.module_path.first().map_or("lib", String::as_str);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(row, _)| *row == module) else {
            found.push(format!("{}: module `{module}` has no row in the table", source.path));
            continue;
        };
        for import in names.modules.iter().filter(|import| *import != module) {
            let known = MAY_IMPORT.iter().any(|(row, _)| row == import) || import == "*";
            if known && !allowed.contains(&"*") && !allowed.contains(&import.as_str()) {
                found.push(format!("{}: `{module}` may not import `{import}`", source.path));
            }
        }
        for (package, homes) in LIVES_IN.iter().filter(|(package, _)| names.packages.contains(*package)) {
            if !homes.contains(&module) && !homes.contains(&"*") {
                found.push(format!("{}: package `{package}` lives in {homes:?}, not in `{module}`", source.path));
            }
        }
    }
    found
}

/// Every permission of the tables that no file needs, one sentence each.
pub(crate) fn unused(sources: &[Source]) -> Vec<String> {
    let parsed: Vec<(&Source, Names)> = sources.iter().map(|source| (source, Names::of(source))).collect();
    let (mut imports, mut packages) = (BTreeSet::new(), BTreeSet::new());
    for (_, names) in parsed.iter().filter(|(source, _)| !is_only_for_tests(&source.path, &parsed)) {
        let module = names.module_path.first().map_or("lib", String::as_str);
        imports.extend(names.modules.iter().map(|import| (module, import.as_str())));
        packages.extend(names.packages.iter().map(|package| (module, package.as_str())));
    }
    let unused_imports =
        MAY_IMPORT.iter().flat_map(|(module, allowed)| allowed.iter().map(move |other| (*module, *other)));
    let unused_packages = LIVES_IN.iter().flat_map(|(package, homes)| homes.iter().map(move |home| (*home, *package)));
    let unused_imports = unused_imports.filter(|pair| pair.1 != "*" && !imports.contains(pair));
    let unused_packages = unused_packages.filter(|pair| pair.0 != "*" && !packages.contains(pair));
    unused_imports.chain(unused_packages).map(|(module, other)| format!("`{module}` does not need `{other}`")).collect()
}

/// Every circle of imports among the files of `module`, one sentence each. A folder's `mod.rs` declares and uses its
/// files, and they may use what it declares: only imports from file to file count.
pub(crate) fn circles(sources: &[Source], module: &str) -> Vec<String> {
    let (folder, file) = (format!("src/{module}/"), format!("src/{module}.rs"));
    let of_module = sources.iter().filter(|source| source.path.starts_with(&folder) || source.path == file);
    let parsed: Vec<(&Source, Names)> = of_module.map(|source| (source, Names::of(source))).collect();
    let files = || parsed.iter().filter(|(source, _)| !is_only_for_tests(&source.path, &parsed));
    let is_file = |path: &[String]| files().any(|(_, names)| names.module_path == path);
    let file_of = |path: &[String]| (1..=path.len()).rev().map(|end| path[..end].to_vec()).find(|path| is_file(path));
    let mut imports: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (_, names) in files() {
        let own = &names.module_path;
        let others = names.paths.iter().filter_map(|path| file_of(path));
        imports
            .insert(own.clone(), others.filter(|other| !own.starts_with(other) && !other.starts_with(own)).collect());
    }
    let reached_from = |start: &Vec<String>| {
        let (mut reached, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(others) = next.pop().and_then(|file| imports.get(file)) {
            next.extend(others.iter().filter(|other| reached.insert((*other).clone())));
        }
        reached
    };
    let circular = imports.keys().filter(|file| reached_from(file).contains(*file));
    circular.map(|file| format!("{} imports itself through other files", file.join("::"))).collect()
}

/// Whether a file is one that only tests have, or is in the folder of one.
fn is_only_for_tests(path: &str, parsed: &[(&Source, Names)]) -> bool {
    let folder_of = |file: &str| file.strip_suffix("mod.rs").is_some_and(|folder| path.starts_with(folder));
    parsed.iter().flat_map(|(_, names)| &names.test_files).any(|file| file == path || folder_of(file))
}

/// What one file names outside code that only tests see.
#[derive(Default)]
struct Names {
    /// The file's own place in the crate, then that of the inline module being read.
    module_path: Vec<String>,
    /// First segments after `crate`.
    modules: BTreeSet<String>,
    /// Full paths within the crate.
    paths: BTreeSet<Vec<String>>,
    /// First segments that are packages of the table.
    packages: BTreeSet<String>,
    /// Files whose `mod` item stands under `#[cfg(test)]`.
    test_files: BTreeSet<String>,
}

impl Names {
    fn of(source: &Source) -> Self {
        let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let stem = source.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut module_path: Vec<String> = stem.split('/').map(str::to_owned).collect();
        if module_path.last().is_some_and(|last| last == "mod") || stem == "lib" {
            module_path.pop();
        }
        let mut names = Self { module_path, ..Self::default() };
        names.visit_file(&file);
        names
    }

    /// Takes down one path, given as its segments.
    fn record(&mut self, segments: &[String]) {
        let Some(first) = segments.first() else { return };
        match first.as_str() {
            "crate" | "longhand" => {
                self.modules.extend(segments.get(1).cloned());
                self.paths.insert(segments[1..].to_vec());
            }
            "self" => {
                self.paths.insert([&self.module_path, &segments[1..]].concat());
            }
            "super" => {
                let ups = segments.iter().take_while(|segment| *segment == "super").count();
                let left = self.module_path.len().saturating_sub(ups);
                self.paths.insert([&self.module_path[..left], &segments[ups..]].concat());
                if left == 0 {
                    self.modules.extend(segments.get(ups).cloned());
                }
            }
            package if LIVES_IN.iter().any(|(known, _)| *known == package) => {
                self.packages.insert(package.to_owned());
            }
            _ => {}
        }
    }

    /// Takes down every branch of a `use` tree.
    fn record_use(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.record_use(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.record(&with(&name.ident)),
            syn::UseTree::Rename(rename) => self.record(&with(&rename.ident)),
            syn::UseTree::Glob(_) => self.record(&[prefix, &["*".to_owned()]].concat()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.record_use(prefix, item)),
        }
    }

    /// Takes down the paths inside a macro's or an attribute's tokens, which have no syntax tree.
    fn record_tokens(&mut self, tokens: &impl ToString) {
        let text = tokens.to_string().replace(" :: ", "::").replace(":: ", "::").replace(" ::", "::");
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let segments: Vec<String> = word.trim_start_matches(':').split("::").map(str::to_owned).collect();
            if segments.len() > 1 {
                self.record(&segments);
            }
        }
    }

    /// Where the file of the module `name` declared here would be.
    fn child_files(&self, name: &str) -> [String; 2] {
        let place = [self.module_path.as_slice(), &[name.to_owned()]].concat().join("/");
        [format!("src/{place}.rs"), format!("src/{place}/mod.rs")]
    }
}

/// Whether the item is compiled for tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string().replace(' ', "");
            condition == "test" || condition.starts_with("all(test,")
        }
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let name = item.ident.to_string();
        if is_for_tests(&item.attrs) {
            if item.content.is_none() {
                self.test_files.extend(self.child_files(&name));
            }
            return;
        }
        self.module_path.push(name);
        visit::visit_item_mod(self, item);
        self.module_path.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.record_use(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.record(&segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.record_tokens(&invocation.tokens);
        visit::visit_macro(self, invocation);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.record_tokens(&list.tokens);
        }
        visit::visit_attribute(self, attribute);
    }
}
