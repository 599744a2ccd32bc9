//! What the npm package has that is not generated here.

/// The validators by protocol, as `frontends/build-validators.mjs` makes them.
pub(super) const VALIDATORS: &[(&str, &str)] = &[
    ("agui", include_str!("../../../frontends/validators/agui.mjs")),
    ("lime", include_str!("../../../frontends/validators/lime.mjs")),
    ("polling", include_str!("../../../frontends/validators/polling.mjs")),
    ("social-app", include_str!("../../../frontends/validators/social-app.mjs")),
    ("ubik", include_str!("../../../frontends/validators/ubik.mjs")),
];

/// Files that go into the package as they are.
pub(super) const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("readme.md")),
    ("validator.d.ts", include_str!("validator.d.ts")),
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
];
