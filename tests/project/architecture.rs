//! The map in `docs/architecture.md` is true: the modules import each other as its table
//! says, and no files import each other in a circle.
//!
//! How imports are found. Each file of `src` is cut into names and signs; comments, literals
//! and what stands under `#[cfg(test)]` are left out, and so is `$crate::…` in macros. What
//! counts is every path of a `use`, and every other path with `::`, such as
//! `super::rules::RULES`. A path is followed name by name from its beginning (`crate`, `self`,
//! `super`, a child module, or a name that the file imports): to a child module, or to what a
//! `use` of that module leads to, also one by `*`. It ends in the file that declares the name.
//! So a name that `mod.rs` takes from a child and hands on counts for the child, and such a
//! `pub use` is no import of `mod.rs`; and `use super::*` counts for the names that the file
//! takes by it, wherever those are declared. Paths that begin otherwise are other crates'.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use crate::common::repository;

/// The text of each file, by its path below `src`.
type Files = BTreeMap<String, String>;

fn files() -> Files {
    let src = repository().join("src");
    let mut found = Files::new();
    let mut pending = vec![src.clone()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let below = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(below, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// A file, which is one module.
#[derive(Default)]
struct Module {
    file: String,
    parent: usize,
    children: BTreeMap<String, usize>,
    uses: Vec<Use>,
    /// Paths outside of `use`.
    mentions: Vec<Vec<String>>,
    /// Names that it declares.
    items: BTreeSet<String>,
    /// All names in it.
    names: BTreeSet<String>,
}

/// One name of a `use`, or `*`.
struct Use {
    path: Vec<String>,
    name: String,
    /// It is a `pub use`, of any reach.
    handed_on: bool,
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// Something that this module declares.
    Item(usize),
}

/// Every module; the first is `lib.rs`.
struct Crate(Vec<Module>);

const ROOT: usize = 0;

type Imports = BTreeMap<(String, String), BTreeSet<String>>;

impl Crate {
    fn of(files: &Files) -> Self {
        let mut found = Self(Vec::new());
        found.add(files, "lib.rs", ROOT);
        if files.contains_key("main.rs") {
            found.add(files, "main.rs", ROOT);
        }
        found
    }

    fn add(&mut self, files: &Files, file: &str, parent: usize) -> usize {
        let (mut module, declared) = parse(&without_tests(&tokens(&files[file])));
        (module.file, module.parent) = (file.to_owned(), parent);
        self.0.push(module);
        let id = self.0.len() - 1;
        let below = match file {
            "lib.rs" | "main.rs" => String::new(),
            _ => file.strip_suffix("mod.rs").map_or_else(|| file.replace(".rs", "/"), str::to_owned),
        };
        for name in declared {
            let paths = [format!("{below}{name}.rs"), format!("{below}{name}/mod.rs")];
            let path = paths.iter().find(|path| files.contains_key(*path));
            let child = self.add(files, path.unwrap_or_else(|| panic!("{file}: no file of module {name}")), id);
            self.0[id].children.insert(name, child);
        }
        id
    }

    /// What `name` means in a module.
    fn look_up(&self, module: usize, name: &str, seen: &mut HashSet<(usize, String)>) -> Option<Target> {
        if !seen.insert((module, name.to_owned())) {
            return None;
        }
        let of = &self.0[module];
        if let Some(child) = of.children.get(name) {
            return Some(Target::Module(*child));
        }
        let mut named = of.uses.iter().filter(|used| used.name == name);
        let named = named.find_map(|used| self.follow(module, &used.path, seen));
        let declared = || of.items.contains(name).then_some(Target::Item(module));
        let mut by_star = of.uses.iter().filter(|used| used.name == "*").filter_map(|used| {
            match self.follow(module, &used.path, seen)? {
                Target::Module(of) => self.look_up(of, name, seen),
                Target::Item(_) => None,
            }
        });
        named.or_else(declared).or_else(|| by_star.next())
    }

    /// What a path in a module leads to; `None` if it begins with another crate.
    fn follow(&self, module: usize, path: &[String], seen: &mut HashSet<(usize, String)>) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let mut target = match first.as_str() {
            "crate" | "agent_contracts" => Target::Module(ROOT),
            "self" => Target::Module(module),
            "super" => Target::Module(self.0[module].parent),
            name => self.look_up(module, name, seen)?,
        };
        for name in rest {
            let Target::Module(at) = target else { break };
            target = match name.as_str() {
                "self" | "*" => target,
                "super" => Target::Module(self.0[at].parent),
                name => self.look_up(at, name, seen).unwrap_or(Target::Item(at)),
            };
        }
        Some(target)
    }

    /// Who imports whom, and by which names.
    fn imports(&self) -> Imports {
        let mut found = Imports::new();
        for (id, module) in self.0.iter().enumerate() {
            let mut add = |target: Option<(Target, &str)>| {
                let Some((Target::Module(at) | Target::Item(at), name)) = target else { return };
                if at != id {
                    let arrow = found.entry((module.file.clone(), self.0[at].file.clone())).or_default();
                    arrow.insert(name.to_owned());
                }
            };
            for used in &module.uses {
                let (target, of_child) = (self.reach(id, &used.path), module.children.contains_key(&used.path[0]));
                match target {
                    Some((Target::Module(above), _)) if used.name == "*" && used.path[0] == "super" => {
                        for name in &module.names {
                            let target = self.look_up(above, name, &mut HashSet::new());
                            let target = target.filter(|target| matches!(target, Target::Item(_)));
                            add(target.map(|target| (target, name.as_str())));
                        }
                    }
                    _ if used.handed_on && of_child => {}
                    _ => add(target),
                }
            }
            for path in &module.mentions {
                add(self.reach(id, path));
            }
        }
        found
    }

    /// What a path in a module leads to, and the last name on the way.
    fn reach<'p>(&self, module: usize, path: &'p [String]) -> Option<(Target, &'p str)> {
        for length in 1..=path.len() {
            let target = self.follow(module, &path[..length], &mut HashSet::new())?;
            if matches!(target, Target::Item(_)) || length == path.len() {
                return Some((target, &path[length - 1]));
            }
        }
        None
    }
}

/// Names and signs, without comments and literals; `::` is one sign.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut place = 0;
    while place < chars.len() {
        match chars[place] {
            '/' if at(place + 1) == '/' => {
                while place < chars.len() && chars[place] != '\n' {
                    place += 1;
                }
            }
            '/' if at(place + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(place), at(place + 1)) {
                        ('/', '*') => (depth, place) = (depth + 1, place + 2),
                        ('*', '/') => (depth, place) = (depth - 1, place + 2),
                        _ => place += 1,
                    }
                    if depth == 0 || place >= chars.len() {
                        break;
                    }
                }
            }
            '"' => {
                place += 1;
                while place < chars.len() && chars[place] != '"' {
                    place += if chars[place] == '\\' { 2 } else { 1 };
                }
                place += 1;
            }
            // A character, or a lifetime.
            '\'' if at(place + 1) == '\\' => {
                place += 3;
                while place < chars.len() && chars[place] != '\'' {
                    place += 1;
                }
                place += 1;
            }
            '\'' if at(place + 2) == '\'' => place += 3,
            ':' if at(place + 1) == ':' => {
                found.push("::".to_owned());
                place += 2;
            }
            c if is_name(c) => {
                let start = place;
                while is_name(at(place)) {
                    place += 1;
                }
                let name: String = chars[start..place].iter().collect();
                let hashes = chars[place..].iter().take_while(|c| **c == '#').count();
                if matches!(name.as_str(), "r" | "br") && at(place + hashes) == '"' {
                    place += hashes + 1;
                    let ends = |from: usize| at(from) == '"' && (1..=hashes).all(|step| at(from + step) == '#');
                    while place < chars.len() && !ends(place) {
                        place += 1;
                    }
                    place += hashes + 1;
                } else {
                    found.push(name);
                }
            }
            c => {
                if !c.is_whitespace() {
                    found.push(c.to_string());
                }
                place += 1;
            }
        }
    }
    found
}

/// The place behind the bracket that closes the one at `open`.
fn behind(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place + 1;
        }
    }
    tokens.len()
}

/// Leaves out what stands under `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut found = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        if !tokens[place..].iter().take(TEST.len()).eq(TEST.iter()) {
            found.push(tokens[place].clone());
            place += 1;
            continue;
        }
        // Up to the semicolon, or the block, that ends the item.
        place += TEST.len();
        let is_use = tokens[place..].iter().take(5).any(|token| token == "use");
        while place < tokens.len() {
            let token = tokens[place].as_str();
            place = if matches!(token, "(" | "[" | "{") { behind(tokens, place) } else { place + 1 };
            if token == ";" || (token == "{" && !is_use) {
                break;
            }
        }
    }
    found
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The module, and the children that it declares.
fn parse(tokens: &[String]) -> (Module, Vec<String>) {
    let names = tokens.iter().filter(|token| is_word(token)).cloned().collect();
    let mut module = Module { names, ..Module::default() };
    let mut declared = Vec::new();
    let at = |place: usize| tokens.get(place).map_or("", String::as_str);
    let mut handed_on = false;
    let mut depth = 0;
    let mut place = 0;
    while place < tokens.len() {
        match at(place) {
            "{" => depth += 1,
            "}" => depth -= 1,
            "pub" => {
                handed_on = true;
                place = if at(place + 1) == "(" { behind(tokens, place + 1) } else { place + 1 };
                continue;
            }
            "mod" if at(place + 2) == ";" => declared.push(at(place + 1).to_owned()),
            // A module inside of the file counts as the file: its `super` is the file itself.
            "mod" if at(place + 2) == "{" => {
                let end = behind(tokens, place + 2);
                let (inner, _) = parse(&tokens[place + 3..end - 1]);
                let paths = inner.uses.into_iter().map(|used| used.path).chain(inner.mentions);
                module.mentions.extend(paths.map(|mut path| {
                    if path[0] == "super" {
                        "self".clone_into(&mut path[0]);
                    }
                    path
                }));
                place = end - 1;
            }
            "use" if is_word(at(place + 1)) => {
                place = tree(tokens, place + 1, &[], handed_on, &mut module.uses);
            }
            // Types are declared inside of macros too; functions inside of others are their own.
            "struct" | "enum" | "trait" if is_word(at(place + 1)) => {
                module.items.insert(at(place + 1).to_owned());
            }
            "type" | "fn" | "const" | "static" if depth == 0 && is_word(at(place + 1)) => {
                module.items.insert(at(place + 1).to_owned());
            }
            "macro_rules" => {
                module.items.insert(at(place + 2).to_owned());
            }
            // The beginning of a path.
            name if is_word(name)
                && at(place + 1) == "::"
                && is_word(at(place + 2))
                && (place == 0 || !matches!(at(place - 1), "$" | "::")) =>
            {
                let mut path = vec![name.to_owned()];
                while at(place + 1) == "::" && is_word(at(place + 2)) {
                    path.push(at(place + 2).to_owned());
                    place += 2;
                }
                module.mentions.push(path);
            }
            _ => {}
        }
        handed_on = false;
        place += 1;
    }
    (module, declared)
}

/// Takes the names of a `use` from `place` on; gives the place of what ends it.
fn tree(tokens: &[String], mut place: usize, before: &[String], handed_on: bool, uses: &mut Vec<Use>) -> usize {
    let mut path = before.to_vec();
    let mut name = None;
    while place < tokens.len() {
        match tokens[place].as_str() {
            "{" => {
                place += 1;
                while tokens[place] != "}" {
                    place = tree(tokens, place, &path, handed_on, uses);
                    place += usize::from(tokens[place] == ",");
                }
                return place + 1;
            }
            "as" => {
                name = Some(tokens[place + 1].clone());
                place += 1;
            }
            ";" | "," | "}" => break,
            "::" => {}
            word => path.push(word.to_owned()),
        }
        place += 1;
    }
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
    uses.push(Use { path, name, handed_on });
    place
}

/// The module of the first floor below `src` that a file belongs to.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

/// The table of the page: each module, and what it may import.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let page = std::fs::read_to_string(repository().join("docs/architecture.md")).unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = page.lines().skip_while(|line| !line.starts_with("| module | may import |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.split('|').collect();
        (names(cells[1]).remove(0), names(cells[2]).into_iter().collect())
    });
    rows.collect()
}

/// The shortest circle through each file, with the names that tie it, the shortest first.
fn circles(imports: &Imports) -> Vec<String> {
    let files: BTreeSet<&str> = imports.keys().map(|(from, _)| from.as_str()).collect();
    let mut found: BTreeMap<BTreeSet<&str>, Vec<&str>> = BTreeMap::new();
    for circle in files.iter().filter_map(|file| circle(imports, file)) {
        found.entry(circle.iter().copied().collect()).or_insert(circle);
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(Vec::len);
    let shown = |circle: &Vec<&str>| {
        let arrows = circle.iter().zip(circle.iter().cycle().skip(1)).map(|(from, to)| {
            let names = &imports[&((*from).to_owned(), (*to).to_owned())];
            format!("  {from} -> {to}: {}\n", names.iter().cloned().collect::<Vec<_>>().join(", "))
        });
        arrows.collect()
    };
    found.iter().map(shown).collect()
}

fn circle<'i>(imports: &'i Imports, file: &'i str) -> Option<Vec<&'i str>> {
    let mut paths = VecDeque::from([vec![file]]);
    let mut seen = HashSet::new();
    while let Some(path) = paths.pop_front() {
        let last = path[path.len() - 1];
        for (_, to) in imports.keys().filter(|(from, _)| from == last) {
            if to == file {
                return Some(path);
            }
            if seen.insert(to.as_str()) {
                let mut longer = path.clone();
                longer.push(to);
                paths.push_back(longer);
            }
        }
    }
    None
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let imports = Crate::of(&files()).imports();
    assert!(imports.len() > 300, "only {} imports were found", imports.len());
    let circles = circles(&imports);
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

#[test]
fn modules_import_what_the_page_says() {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for ((from, to), names) in Crate::of(&files()).imports() {
        if room(&from) != room(&to) {
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            let arrow = (room(&from).to_owned(), room(&to).to_owned());
            found.entry(arrow).or_default().push(format!("    {from} -> {to}: {names}\n"));
        }
    }
    let table = table();
    assert!(!table.is_empty(), "docs/architecture.md has no table `module | may import`");
    let mut wrong = String::new();
    for (module, allowed) in &table {
        for to in allowed.iter().filter(|to| !found.contains_key(&(module.clone(), (*to).clone()))) {
            wrong += &format!("  the page has {module} -> {to}, the code has not\n");
        }
    }
    for ((from, to), arrows) in &found {
        let row = table.iter().find(|(module, _)| module == from);
        if !row.is_some_and(|(_, allowed)| allowed.contains(to)) {
            wrong += &format!("  the code has {from} -> {to}, the page has not:\n{}", arrows.concat());
        }
    }
    assert!(wrong.is_empty(), "docs/architecture.md is not true:\n{wrong}");
}

#[test]
fn the_table_of_the_page_is_a_staircase() {
    let mut below = BTreeSet::new();
    for (module, allowed) in table() {
        let above: Vec<_> = allowed.difference(&below).collect();
        assert!(above.is_empty(), "{module} imports what stands above it: {above:?}");
        below.insert(module);
    }
}

#[test]
fn every_file_is_a_module() {
    let files = files();
    let mut declared: BTreeSet<String> = Crate::of(&files).0.into_iter().map(|module| module.file).collect();
    // Files of tests are declared as well, though not looked at.
    for (file, text) in &files {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        declared.extend(parse(&tokens(text)).1.iter().map(|name| format!("{folder}/{name}.rs")));
    }
    let left: Vec<_> = files.keys().filter(|file| !declared.contains(*file)).collect();
    assert!(left.is_empty(), "no module declares {left:?}");
}

#[test]
fn circles_are_found() {
    let shown = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
        circles(&Crate::of(&files).imports()).join("; ")
    };
    let root = ("lib.rs", "mod a; mod b;");
    assert_eq!(shown(&[root, ("a.rs", "use crate::b::B; struct A;"), ("b.rs", "struct B;")]), "");
    let found = "  a.rs -> b.rs: B\n  b.rs -> a.rs: A\n";
    for b in [
        "use super::a::A; struct B;",
        "use crate::{a::{A as Other}}; struct B;",
        "struct B; fn b(_: super::a::A) {}",
        "struct B; mod inner { use super::super::a::A; }",
        "macro_rules! m { () => { crate::a::A } } struct B;",
    ] {
        assert_eq!(shown(&[root, ("a.rs", "use crate::b::B; struct A;"), ("b.rs", b)]), found, "{b}");
    }
    for b in [
        "/* use crate::a::A; */ struct B; // crate::a::A",
        "struct B; const C: &str = \"crate::a::A\"; const D: &str = r#\"\" crate::a::A\"#;",
        "struct B; #[cfg(test)] mod tests { use crate::a::A; } #[cfg(test)] use crate::a::A;",
        "struct B<'a>(&'a str); const C: char = '\"'; macro_rules! m { () => { $crate::a::A } }",
        "use a::A; struct B;",
    ] {
        assert_eq!(shown(&[root, ("a.rs", "use crate::b::B; struct A;"), ("b.rs", b)]), "", "{b}");
    }
    // What a module hands on of its children is theirs.
    let handed = [
        ("lib.rs", "mod m; pub use m::One;"),
        ("m/mod.rs", "mod one; mod two; pub use one::*; pub(crate) use two::Two as Second;"),
        ("m/one.rs", "use super::*; struct One(Second);"),
        ("m/two.rs", "struct Two;"),
    ];
    assert_eq!(shown(&handed), "");
    let mut tied = handed;
    tied[3].1 = "use crate::One; struct Two;";
    assert_eq!(shown(&tied), "  m/one.rs -> m/two.rs: Second\n  m/two.rs -> m/one.rs: One\n");
}
