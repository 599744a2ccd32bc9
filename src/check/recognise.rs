//! By which members the first events of a stream show their protocol.

use std::borrow::Cow;

use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};

/// The beginning of an event: its frame's name and its members, as far as they can be read.
#[derive(Default)]
pub(crate) struct Head<'a> {
    /// The event name of its SSE frame.
    pub(crate) name: Option<&'a [u8]>,
    text: &'a str,
    members: Vec<(Cow<'a, str>, Kind, Option<Cow<'a, str>>)>,
}

/// Goes to the value of a member of the object that comes next.
fn skip_to(cursor: &mut Cursor<'_>, member: &str) -> Result<(), SyntaxError> {
    let mut first = true;
    cursor.open(b'{')?;
    while let Some(key) = cursor.member(&mut first)? {
        cursor.kind()?;
        if key.lossy() == member {
            break;
        }
        cursor.skip()?;
    }
    Ok(())
}

/// How many members of an event are looked at.
const MEMBERS: usize = 64;

impl<'a> Head<'a> {
    /// Reads as many members as there are before the text stops being JSON.
    pub(crate) fn of(text: &'a str, name: Option<&'a [u8]>) -> Self {
        let text = text.trim_start_matches('\u{FEFF}');
        let mut head = Self { name, text, members: Vec::new() };
        let _ = head.read(&mut Cursor::new(text, MAX_DEPTH));
        head
    }

    /// The beginning of the object that the member is, or of the first one in it; of several members of the name, the first.
    pub(crate) fn within(&self, member: &str) -> Self {
        let mut head = Self::default();
        let mut cursor = Cursor::new(self.text, MAX_DEPTH);
        let _ = skip_to(&mut cursor, member).and_then(|()| {
            if cursor.kind()? == Kind::Array {
                cursor.open(b'[')?;
                cursor.element(&mut true)?;
            }
            head.text = &self.text[cursor.offset()..];
            head.read(&mut cursor)
        });
        head
    }

    fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), SyntaxError> {
        cursor.open(b'{')?;
        let mut first = true;
        while let Some(key) = cursor.member(&mut first)?
            && self.members.len() < MEMBERS
        {
            let kind = cursor.kind()?;
            // Noted before it is read, since the head may cut it off.
            self.members.push((key.lossy(), kind, None));
            if kind == Kind::String {
                let text = cursor.string()?.lossy();
                if let Some(last) = self.members.last_mut() {
                    last.2 = Some(text);
                }
            } else {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    /// Whether there is a member of that name.
    #[cfg(feature = "cli")]
    pub(crate) fn has(&self, name: &str) -> bool {
        self.kind(name).is_some()
    }

    /// What the member is; of several, the last.
    pub(crate) fn kind(&self, name: &str) -> Option<Kind> {
        self.members.iter().rfind(|(key, ..)| key == name).map(|(_, kind, _)| *kind)
    }

    /// The text of a member that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.members.iter().rfind(|(key, ..)| key == name).and_then(|(.., text)| text.as_deref())
    }
}
