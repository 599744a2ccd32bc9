//! URLs: what may be shown of one, and where a redirect leads.

use ureq::http::Uri;

use crate::safe;

/// A whole URL of HTTP.
pub(super) fn parse(text: &str) -> Option<Uri> {
    let uri: Uri = text.parse().ok()?;
    let is_whole =
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty());
    (is_whole && has_port_or_none(&uri)).then_some(uri)
}

/// Whether what stands behind the host is a port, if anything does. One that is no number up
/// to 65535 would be taken for none, and another server be asked.
fn has_port_or_none(uri: &Uri) -> bool {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    server.len() == uri.host().map_or(0, str::len) || uri.port_u16().is_some()
}

/// The URL without user, password and query, and without parts that look like a secret.
pub(super) fn shown(uri: &Uri) -> String {
    let path: Vec<_> = uri.path().split('/').map(safe::key).collect();
    let port = uri.port_u16().map_or(String::new(), |port| format!(":{port}"));
    let host = safe::key(uri.host().unwrap_or_default());
    let whole = format!("{}://{host}{port}{}", uri.scheme_str().unwrap_or_default(), path.join("/"));
    safe::without_tokens(&whole).into_owned()
}

/// Whether both are of one server.
pub(super) fn same_server(one: &Uri, other: &Uri) -> bool {
    let server = |uri: &Uri| {
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 });
        (uri.scheme_str().map(str::to_owned), uri.host().map(str::to_ascii_lowercase), port)
    };
    server(one) == server(other)
}

/// Where a `location` leads from `base`.
pub(super) fn resolve(base: &Uri, location: &str) -> Option<Uri> {
    let (scheme, authority, path) = (base.scheme_str()?, base.authority()?.as_str(), base.path());
    let names_scheme = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if location.split_once(':').is_some_and(|(name, _)| names_scheme(name)) {
        return parse(location);
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let next = parse(&match location.as_bytes() {
        [b'/', b'/', ..] => format!("{scheme}:{location}"),
        [b'/', ..] => format!("{scheme}://{authority}{location}"),
        [b'?', ..] => format!("{scheme}://{authority}{path}{location}"),
        _ => format!("{scheme}://{authority}{folder}/{location}"),
    })?;
    let query = next.query().map_or(String::new(), |query| format!("?{query}"));
    parse(&format!("{}://{}{}{query}", next.scheme_str()?, next.authority()?, without_dots(next.path())))
}

/// The path without its parts `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        // It is a folder.
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_no_secret() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        for (url, expected) in [
            ("http://localhost:8000/agent".to_owned(), "http://localhost:8000/agent"),
            ("https://example.org".to_owned(), "https://example.org/"),
            ("https://ada:hunter2@example.org/runs?key=hunter2#end".to_owned(), "https://example.org/runs"),
            (format!("https://[::1]:8443/t/{token}/runs"), "https://[::1]:8443/t/<40 bytes>/runs"),
            (format!("http://{token}.example.org/"), "http://<52 bytes>/"),
            // The whole URL is taken for the token.
            (["https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/", &token[4..28]].concat(), "<77 bytes>"),
        ] {
            assert_eq!(parse(&url).map(|uri| shown(&uri)).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn only_whole_urls_of_http_are_taken() {
        for url in [
            "",
            "localhost:8000",
            "/agent",
            "ftp://example.org/",
            "http://",
            "http:///agent",
            "http://a b/",
            "http://a:99999/",
            "http://a:x/",
            "http://ada:8000@a:x/",
            "http://[::1]:99999/",
        ] {
            assert_eq!(parse(url), None, "{url}");
        }
        for url in ["http://a", "http://ada:x@a/", "http://ada:x@a:65535/", "http://[::1]/", "http://[::1]:80/"] {
            assert!(parse(url).is_some(), "{url}");
        }
    }

    #[test]
    fn where_redirects_lead() {
        let base = parse("https://ada:hunter2@example.org:8443/v1/runs?x=1").unwrap_or_default();
        for (location, expected, same) in [
            ("/v2/runs", Some("https://ada:hunter2@example.org:8443/v2/runs"), true),
            ("other", Some("https://ada:hunter2@example.org:8443/v1/other"), true),
            ("../ok?to=../x", Some("https://ada:hunter2@example.org:8443/ok?to=../x"), true),
            ("../../../ok", Some("https://ada:hunter2@example.org:8443/ok"), true),
            ("./a/./b/..", Some("https://ada:hunter2@example.org:8443/v1/a/"), true),
            ("/a/../b/.", Some("https://ada:hunter2@example.org:8443/b/"), true),
            ("//example.net/../a//b", Some("https://example.net/a//b"), false),
            ("?x=2", Some("https://ada:hunter2@example.org:8443/v1/runs?x=2"), true),
            ("//example.net/a", Some("https://example.net/a"), false),
            ("https://EXAMPLE.org:8443/a", Some("https://EXAMPLE.org:8443/a"), true),
            ("https://example.org/a", Some("https://example.org/a"), false),
            ("http://example.org:8443/a", Some("http://example.org:8443/a"), false),
            ("ftp://example.org/a", None, false),
            ("https://example.org:99999/a", None, false),
            ("javascript:alert(1)", None, false),
            ("/a?to=http://example.net", Some("https://ada:hunter2@example.org:8443/a?to=http://example.net"), true),
        ] {
            let found = resolve(&base, location);
            assert_eq!(found.as_ref().map(ToString::to_string).as_deref(), expected, "{location}");
            assert_eq!(found.is_some_and(|found| same_server(&base, &found)), same, "{location}");
        }
    }
}
