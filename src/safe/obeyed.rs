//! Characters that are not shown.

/// Whether a terminal or a reader obeys the character rather than shows it: controls, line
/// and paragraph ends, marks of direction, and those without width.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// Whether the character is not seen where text is shown: one that is obeyed, or another that Unicode lets be ignored.
pub(crate) fn is_unseen(c: char) -> bool {
    is_obeyed(c)
        || matches!(
            c,
            '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0080}'..='\u{E0FFF}'
        )
}
