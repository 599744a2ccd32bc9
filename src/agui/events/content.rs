//! Content of messages: text, or parts of several media.

use crate::wire::NonNullJson;
use crate::wire::decode::{Decode, Outcome, wrong_type};
use crate::wire::payload::payload;
use crate::wire::scan::{Cursor, Kind};
use crate::wire::union::tagged_union;

/// Text, or parts of several media.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
    /// Parts, in order; none is legal.
    Parts(Vec<ContentPart>),
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentPart>> for Content {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self::Parts(parts)
    }
}

impl Decode for Content {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        match cursor.kind()? {
            Kind::String => Decode::decode(cursor).map(Self::Text),
            Kind::Array => Decode::decode(cursor).map(Self::Parts),
            _ => wrong_type(cursor, "a string or an array"),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Content {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Content {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AguiContent".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let part = generator.subschema_for::<ContentPart>();
        schemars::json_schema!({"anyOf": [{"type": "string"}, {"type": "array", "items": part}]})
    }
}

tagged_union! {
    /// A part of a message.
    pub enum ContentPart, ContentPartType = "AguiContentPart", tag member "type" {
        /// Text.
        Text(TextPart) = "text",
        /// An image.
        Image(ImagePart) = "image",
        /// Sound.
        Audio(AudioPart) = "audio",
        /// A video.
        Video(VideoPart) = "video",
        /// A document.
        Document(DocumentPart) = "document",
    }
}

payload! {
    /// Text.
    pub struct TextPart = "AguiTextPart", closed {
        /// The id of the part.
        optional id: String = "id",
        /// The text.
        required text: String = "text",
        /// Anything but null.
        optional metadata: NonNullJson = "metadata",
    }
}

payload! {
    /// An image.
    pub struct ImagePart = "AguiImagePart", closed {
        /// The id of the part.
        optional id: String = "id",
        /// Where it is.
        required source: PartSource = "source",
        /// Anything but null.
        optional metadata: NonNullJson = "metadata",
    }
}

payload! {
    /// An audio.
    pub struct AudioPart = "AguiAudioPart", closed {
        /// The id of the part.
        optional id: String = "id",
        /// Where it is.
        required source: PartSource = "source",
        /// Anything but null.
        optional metadata: NonNullJson = "metadata",
    }
}

payload! {
    /// A video.
    pub struct VideoPart = "AguiVideoPart", closed {
        /// The id of the part.
        optional id: String = "id",
        /// Where it is.
        required source: PartSource = "source",
        /// Anything but null.
        optional metadata: NonNullJson = "metadata",
    }
}

payload! {
    /// A document.
    pub struct DocumentPart = "AguiDocumentPart", closed {
        /// The id of the part.
        optional id: String = "id",
        /// Where it is.
        required source: PartSource = "source",
        /// Anything but null.
        optional metadata: NonNullJson = "metadata",
    }
}

tagged_union! {
    /// Where a part's content is.
    pub enum PartSource, PartSourceType = "AguiPartSource", tag member "type" {
        /// In the part.
        Data(DataSource) = "data",
        /// At a URL.
        Url(UrlSource) = "url",
        /// In a provider's store.
        File(FileSource) = "file",
    }
}

payload! {
    /// Content in the part itself.
    pub struct DataSource = "AguiDataSource", closed {
        /// The content, base64.
        required value: String = "value",
        /// The media type.
        required mime_type: String = "mimeType",
    }
}

payload! {
    /// Content at a URL.
    pub struct UrlSource = "AguiUrlSource", closed {
        /// The URL.
        required value: String = "value",
        /// The media type.
        optional mime_type: String = "mimeType",
    }
}

payload! {
    /// Content in a provider's store.
    pub struct FileSource = "AguiFileSource", closed {
        /// The provider's handle: never to be fetched or parsed.
        required value: String = "value",
        /// The provider.
        optional provider: String = "provider",
        /// The media type.
        optional mime_type: String = "mimeType",
    }
}
