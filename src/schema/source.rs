//! Where the schemas come from: the types, or what was published with this version.

use crate::wire::published::SchemaFile;

/// The schemas as the types make them.
#[cfg(feature = "schema")]
pub(super) fn files() -> Vec<SchemaFile> {
    use crate::check::{Protocol, spec::SpecRef};

    let protocols = Protocol::ALL.iter().flat_map(|protocol| (SpecRef::of(protocol).files)());
    protocols.chain([crate::report::schema()]).collect()
}

#[cfg(not(feature = "schema"))]
pub(super) use published as files;

/// The schemas as they were published.
#[cfg(any(test, not(feature = "schema")))]
pub(super) fn published() -> Vec<SchemaFile> {
    crate::embedded::below("schemas").map(|(path, text)| SchemaFile { path, text: text.to_owned() }).collect()
}

#[cfg(all(test, feature = "schema"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_published_is_what_the_types_make() {
        let by_path = |mut files: Vec<SchemaFile>| {
            files.sort_unstable_by_key(|file| file.path);
            files
        };
        for (made, published) in by_path(files()).iter().zip(&by_path(published())) {
            assert!(made == published, "{} and {} differ", made.path, published.path);
        }
        assert_eq!(files().len(), published().len());
    }
}
