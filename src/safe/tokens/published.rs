//! Tokens of the lengths and alphabets that are in use, made without the patterns of the
//! table, which is held against them.

use super::contains_token;

/// The forms. `{a36}` stands for 36 letters and digits, `u` for those of base64url, `X` for
/// capital ones, `B` for those of base32, `h` for hexadecimal digits, `d` for digits.
const SHAPES: &[&str] = &[
    "eyJhdXRocyI6{a100}",
    "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs{a100}",
    "ya29.c.{u120}",
    "ya29.a0{u120}",
    "bce-v3/ALTAK-{a21}/{h40}",
    "sk_sbox_{h8}-{h4}-{h4}-{h4}-{h12}",
    "dose{h32}",
    "dbtc_{u40}",
    "NRRA-{h42}",
    "api_live.{u11}.{u32}",
    "ek_{h32}",
    "sess-{a40}",
    "sk-kimi-{a48}",
    "rootly_{h64}",
    "slk_{h64}",
    "mdb_sa_sk_{u48}",
    "dt0s02.{X8}.{X64}",
    "AAAAAAAAAAAAAAAAAAAAA{a20}%3D{a50}",
    "ZXlKaGJHY2lPaU{a160}",
    "eyJrIjoi{a64}",
    "AKIA{B16}",
    "ASIA{B16}",
    "AIza{u35}",
    "GOCSPX-{u28}",
    "ghp_{a36}",
    "gho_{a36}",
    "ghu_{a36}",
    "ghs_{a36}",
    "ghr_{a76}",
    "github_pat_{a22}_{a59}",
    "glpat-{u20}",
    "gldt-{u20}",
    "glrt-{u20}",
    "glptt-{h40}",
    "glcbt-64_{u20}",
    "glft-{u20}",
    "glsoat-{u20}",
    "glimt-{u25}",
    "glagent-{u50}",
    "gloas-{h64}",
    "GR1348941{u20}",
    "xoxb-{d12}-{d13}-{a24}",
    "xoxp-{d12}-{d12}-{d13}-{h32}",
    "xapp-1-{X11}-{d13}-{h64}",
    "sk_live_{a24}",
    "sk_test_{a24}",
    "rk_live_{a24}",
    "whsec_{a32}",
    "sk-ant-api03-{u93}AA",
    "sk-proj-{u74}T3BlbkFJ{u74}",
    "sk-svcacct-{u74}T3BlbkFJ{u74}",
    "sk-admin-{u74}T3BlbkFJ{u74}",
    "sk-{a20}T3BlbkFJ{a20}",
    "sk-None-{u20}T3BlbkFJ{u20}",
    "Bearer {u40}",
    "eyAiYWxn{u30}.eyAic3Vi{u40}.{u43}",
    "ewogICJh{u30}.ewogICJz{u40}.{u43}",
    "eyJhbGci{u40}.{u342}.{u16}.{u60}.{u22}",
    "eyJhbGci{u40}..{u22}.{u160}.{u22}",
    "eyJhbGci{u40}.{u683}.{u16}.{u60}.{u22}",
    "dnkey-{u26}-{u52}",
    "{h32}FFFFNRAL",
    "https://hooks.slack-gov.com/services/T{X8}/B{X10}/{a24}",
    "FLWSECK_TEST-{h12}",
    "glrtr-{u27}",
    "glwt-{u24}",
    "sntryi_{h64}",
    "{a76}+ASt{a6}==",
    "{a33}+ASb{a6}=",
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{a200}",
    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{a200}",
    "sk-or-v1-{h64}",
    "hf_{a34}",
    "gsk_{a52}",
    "xai-{a80}",
    "pplx-{a48}",
    "r8_{a37}",
    "nvapi-{u64}",
    "SK{h32}",
    "SG.{u22}.{u43}",
    "key-{h32}",
    "dop_v1_{h64}",
    "doo_v1_{h64}",
    "dor_v1_{h64}",
    "dapi{h32}",
    "npm_{a36}",
    "pypi-AgEIcHlwaS5vcmc{u160}",
    "rubygems_{h48}",
    "cio{a32}",
    "dckr_pat_{u27}",
    "hvs.{u95}",
    "hvb.{u138}",
    "{a14}.atlasv1.{u67}",
    "glc_{a80}",
    "glsa_{a32}_{h8}",
    "sntryu_{h64}",
    "ntn_{d11}{a35}",
    "lin_api_{a40}",
    "shpat_{h32}",
    "shpss_{h32}",
    "sq0atp-{u22}",
    "sq0csp-{u43}",
    "{d8}:AA{u33}",
    "figd_{u40}",
    "PMAK-{h24}-{h34}",
    "pul-{h40}",
    "NRAK-{X27}",
    "dp.pt.{a43}",
    "tskey-auth-{a17}-{a32}",
    "sbp_{h40}",
    "ATATT3xFfGF0{u180}",
    "ATBB{a32}",
    "{h32}-us12",
    "lsv2_pt_{h32}_{h10}",
    "waka_{h8}-{h4}-{h4}-{h4}-{h12}",
    "eyJ{u33}.eyJ{u60}.{u43}",
];

fn alphabet(name: u8) -> &'static [u8] {
    match name {
        b'a' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        b'u' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        b'X' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        b'B' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        b'h' => b"0123456789abcdef",
        b'd' => b"0123456789",
        other => panic!("no alphabet {}", char::from(other)),
    }
}

/// A token of a form, the same every time, with at most so many characters in each place.
fn token(shape: &str, most: usize) -> String {
    let mut state: u64 = 0x2545_F491_4F6C_DD1D;
    let mut token = String::new();
    for (number, part) in shape.split(['{', '}']).enumerate() {
        if number % 2 == 0 {
            token.push_str(part);
            continue;
        }
        let (letters, count) = (alphabet(part.as_bytes()[0]), part[1..].parse::<usize>().unwrap());
        for _ in 0..count.min(most) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            token.push(char::from(letters[(state >> 33) as usize % letters.len()]));
        }
    }
    token
}

#[test]
fn published_forms_are_found_and_their_beginnings_are_not() {
    for shape in SHAPES {
        let (whole, short) = (token(shape, usize::MAX), token(shape, 8));
        assert!(contains_token(&format!("use {whole} here")), "{shape}");
        assert!(!contains_token(&format!("use {short} here")), "{shape} with eight characters in each place");
    }
}
