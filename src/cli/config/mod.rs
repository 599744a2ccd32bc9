//! The configuration: `contracts.toml`, and the options that count more.

mod file;
pub(super) mod flags;
mod keys;
mod obey;
mod print;
mod read;
mod settings;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::args::How;
use super::console::{Failure, Outcome, complain};
use super::whole;
use flags::Flags;
use keys::Notes;

pub(super) use settings::Config;

/// The file that is looked for.
const NAME: &str = "contracts.toml";

/// Reads the configuration that goes with the options.
pub(super) fn load(paths: &[OsString], flags: &Flags, how: &How) -> Outcome<Config> {
    let here = std::env::current_dir().map_err(|error| Failure::new(format!("the current folder: {error}")))?;
    let mut config = Config::of_defaults();
    if let Some((path, base)) = find(flags, &here)? {
        let shown = path.strip_prefix(&here).unwrap_or(&path).display().to_string();
        let text =
            whole::read_text(&path).map_err(|error| Failure::new(format!("{shown}: cannot be read: {error}")))?;
        let mut notes = Notes::new(&shown, &text);
        config.read(&text, &base, &here, &mut notes);
        if let Some(last) = notes.problems.pop() {
            notes.problems.iter().for_each(|problem| complain(problem));
            return Err(Failure::new(last));
        }
        config.listing.origin = Some(shown);
        config.file = Some(path);
    }
    config.obey(paths, flags, how, &here)?;
    Ok(config)
}

/// The file, and the folder that its globs and paths are relative to.
fn find(flags: &Flags, here: &Path) -> Outcome<Option<(PathBuf, PathBuf)>> {
    if let Some(path) = &flags.config {
        let wrong = |what: &str| Err(Failure::new(format!("--config {}: {what}", path.display())));
        if path.is_dir() {
            return wrong("it is a folder");
        }
        if !path.exists() {
            return wrong("there is no such file");
        }
        return Ok(Some((path.clone(), here.to_path_buf())));
    }
    if flags.no_config {
        return Ok(None);
    }
    for folder in here.ancestors() {
        let path = folder.join(NAME);
        // A pipe would have to be waited for.
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(Failure::new(format!("{}: it is no file", path.display())));
        }
        // A folder or a dangling link of that name is reported, not passed over.
        if path.symlink_metadata().is_ok() {
            return Ok(Some((path, folder.to_path_buf())));
        }
        // The root of a repository: what lies above is another matter.
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(None)
}
