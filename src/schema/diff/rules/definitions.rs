//! Files, definitions, names, prose, and keywords of which nothing is known.

use super::super::rule::table;

table! {
    DEFINITIONS;
    FILE_REMOVED = "file-removed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a schema is gone",
        why: "whoever validates or generates code by it finds nothing, and nothing says any more which documents are valid",
        help: "keep the file; a new version goes beside it",
        before: r#"{"type":"object"}"#,
        after: "",
    }
    FILE_ADDED = "file-added" {
        impact: Compatible, breaks: Nothing,
        title: "a schema is new",
        why: "nobody has used it yet",
        help: "nothing has to be done",
        before: "",
        after: r#"{"type":"object"}"#,
    }
    DEFINITION_REMOVED = "definition-removed" {
        impact: SourceBreaking, breaks: Code,
        title: "a definition is gone",
        why: "code that names its generated type no longer compiles; what that means for documents is reported where the definition was used",
        help: "keep the definition as long as code may use it",
        before: r#"{"type":"object","$defs":{"Id":{"type":"string"},"Total":{"type":"integer"}}}"#,
        after: r#"{"type":"object","$defs":{"Id":{"type":"string"}}}"#,
    }
    DEFINITION_ADDED = "definition-added" {
        impact: Compatible, breaks: Nothing,
        title: "a definition is new",
        why: "nobody has used it yet",
        help: "nothing has to be done",
        before: r#"{"type":"object","$defs":{"Id":{"type":"string"}}}"#,
        after: r#"{"type":"object","$defs":{"Id":{"type":"string"},"Total":{"type":"integer"}}}"#,
    }
    DEFINITION_RENAMED = "definition-renamed" {
        impact: SourceBreaking, breaks: Code,
        title: "a definition has another name; its tag, or the place where it is used, shows that it is the same",
        why: "code generators name types by it, so code that names the type no longer compiles",
        help: "keep the name; code may have another one for the type",
        before: r##"{"type":"object","properties":{"id":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string"}}}"##,
        after: r##"{"type":"object","properties":{"id":{"$ref":"#/$defs/RunId"}},"$defs":{"RunId":{"type":"string"}}}"##,
    }
    TITLE_CHANGED = "title-changed" {
        impact: SourceBreaking, breaks: Code,
        title: "a title is another",
        why: "code generators name types by it, so code that names the type no longer compiles",
        help: "keep the title, and put what is to be read into the description",
        before: r#"{"title":"Event","type":"object"}"#,
        after: r#"{"title":"RunEvent","type":"object"}"#,
    }
    ID_CHANGED = "id-changed" {
        impact: SourceBreaking, breaks: Code,
        title: "`$id` is another",
        why: "code and other schemas that ask for the schema by its id no longer find it",
        help: "keep the id; a new version is another file with an id of its own",
        before: r#"{"$id":"urn:example:1.0:event","type":"object"}"#,
        after: r#"{"$id":"urn:example:1.1:event","type":"object"}"#,
    }
    DEFAULT_CHANGED = "default-changed" {
        impact: SourceBreaking, breaks: Code,
        title: "a default is another",
        why: "generated code puts it where the member is absent, so the same document means something else",
        help: "keep the default, and let producers send the other value",
        before: r#"{"type":"object","properties":{"tries":{"type":"integer","default":1}}}"#,
        after: r#"{"type":"object","properties":{"tries":{"type":"integer","default":3}}}"#,
    }
    KEYWORD_CHANGED = "keyword-changed" {
        impact: WireBreaking, breaks: BothWays,
        title: "a keyword differs that the comparison does not know, or that stands in a combination that it does not follow",
        why: "what the schema accepts may have changed in either direction, so the worst is taken for granted",
        help: "compare what both schemas accept by hand, or write the schema with keywords that are known",
        before: r#"{"type":"object","properties":{"at":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}"#,
    }
    DOCUMENTATION_CHANGED = "documentation-changed" {
        impact: Compatible, breaks: Nothing,
        title: "a description, a comment or examples are other ones",
        why: "neither validators nor generated code depend on prose",
        help: "nothing has to be done, unless the prose gives the same documents another meaning",
        before: r#"{"type":"object","description":"A run."}"#,
        after: r#"{"type":"object","description":"A run of an agent."}"#,
    }
    DEPRECATION_CHANGED = "deprecation-changed" {
        impact: Compatible, breaks: Nothing,
        title: "something is marked as deprecated, or no longer",
        why: "documents and types stay as they are; compilers may warn",
        help: "say in the description what to use instead",
        before: r#"{"type":"object","properties":{"label":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"label":{"type":"string","deprecated":true}}}"#,
    }
}
