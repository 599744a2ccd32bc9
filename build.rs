//! Packs the files that the crate carries with it: see `src/embedded.rs`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "published")]
    if let Err(error) = packed::make() {
        println!("cargo::error={error}");
    }
}

#[cfg(feature = "published")]
mod packed {
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use flate2::{Compression, write::DeflateEncoder};

    type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

    /// Makes a pack of each folder of schemas and of fixtures, and one of the validators, and the list of them.
    pub fn make() -> Result<()> {
        let out = std::env::var("OUT_DIR")?;
        let mut folders = vec!["frontends/validators".to_owned()];
        for parent in ["schemas", "fixtures"] {
            println!("cargo::rerun-if-changed={parent}");
            folders.extend(entries(parent)?.into_iter().filter(|path| Path::new(path).is_dir()));
        }
        let mut list = format!("static PACKS: [Pack; {}] = [\n", folders.len());
        for folder in folders {
            println!("cargo::rerun-if-changed={folder}");
            let file = format!("/{}.deflate", folder.replace('/', "-"));
            pack(&folder, &(out.clone() + &file))?;
            list += &format!("    Pack::new(\"{folder}\", include_bytes!(concat!(env!(\"OUT_DIR\"), \"{file}\"))),\n");
        }
        fs::write(out + "/packs.rs", list + "];\n")?;
        Ok(())
    }

    /// Packs the files below a folder. Each is a line with its path and the number of its bytes, then its text.
    fn pack(folder: &str, file: &str) -> Result<()> {
        let mut paths = Vec::new();
        walk(folder, &mut paths)?;
        // Files of one name are much alike, and take little room side by side.
        paths.sort_by_key(|path| (path.rsplit('/').next().map(str::to_owned), path.clone()));
        let mut packed = DeflateEncoder::new(fs::File::create(file)?, Compression::best());
        for path in paths.iter().filter(|path| is_carried(path)) {
            let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            write!(packed, "{path} {}\n{text}", text.len())?;
        }
        packed.finish()?;
        Ok(())
    }

    /// Schemas, validators, and the fixtures that are examples of rules.
    fn is_carried(path: &str) -> bool {
        let is_example = path.contains("/valid/") || path.contains("/invalid/");
        let ends = |ending| path.strip_suffix(ending).is_some();
        is_example || ends(".schema.json") || ends(".mjs")
    }

    fn walk(folder: &str, paths: &mut Vec<String>) -> Result<()> {
        for path in entries(folder)? {
            if Path::new(&path).is_dir() {
                walk(&path, paths)?;
            } else {
                paths.push(path);
            }
        }
        Ok(())
    }

    /// What lies in a folder, in order.
    fn entries(folder: &str) -> Result<Vec<String>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))? {
            let name = entry?.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
            entries.push(format!("{folder}/{name}"));
        }
        entries.sort();
        Ok(entries)
    }
}
