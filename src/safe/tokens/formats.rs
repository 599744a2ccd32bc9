//! The table of provider tokens.

use std::sync::OnceLock;

use regex_automata::meta::Regex;

/// A form of a credential that is told without its context.
pub(super) struct Format {
    /// Its name, in kebab-case.
    pub(super) id: &'static str,
    /// Every token of the format has one of these, which stand between bars: one text takes less room than many.
    keywords: &'static str,
    /// Where in the token the keyword stands, in bytes.
    pub(super) at: u8,
    /// What a token looks like. A group, where there is one, is the secret in it.
    pub(super) pattern: &'static str,
    /// The least Shannon entropy of the secret, in bits a character.
    pub(super) entropy: f32,
    /// Whether harmless texts have words, or the name of a variable, in the place of the secret.
    pub(super) has_words: bool,
    /// Whether white space, quotes and the like may stand in it (`ends_token`).
    pub(super) spaced: bool,
    /// Who says so: for those who read the table, so no program carries it along.
    #[cfg(test)]
    pub(super) source: &'static str,
    /// In a box: the table has hundreds of formats, of which few are ever tried.
    pub(super) compiled: OnceLock<Box<Compiled>>,
}

/// What the pattern of a format was made into.
pub(super) struct Compiled {
    pub(super) regex: Regex,
    /// A byte that every token of the format surely has behind its keyword.
    pub(super) needs: Option<u8>,
    /// Behind the keyword, the pattern takes any number of characters, from some on, up to that byte.
    pub(super) is_open: bool,
}

/// A format that begins with one of its keywords.
const fn starts(
    id: &'static str,
    keywords: &'static str,
    pattern: &'static str,
    entropy: f32,
    source: &'static str,
) -> Format {
    holds(id, 0, keywords, pattern, entropy, source)
}

impl Format {
    /// Every token of the format has one of these.
    pub(super) fn keywords(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keywords.split('|')
    }

    /// The keyword of a format that has one alone.
    pub(super) const fn keyword(&self) -> &'static str {
        self.keywords
    }

    /// Whether a point stands in every token of the format, behind its first characters.
    pub(super) fn has_point(&self) -> bool {
        self.pattern.contains(r"}\.")
    }

    /// The same where harmless texts have words in the place of the secret.
    const fn or_words(mut self) -> Self {
        self.has_words = true;
        self
    }
}

/// A format that begins with one of its keywords, and in which white space or quotes may
/// stand behind it.
const fn spaced(
    id: &'static str,
    keywords: &'static str,
    pattern: &'static str,
    entropy: f32,
    source: &'static str,
) -> Format {
    let mut format = starts(id, keywords, pattern, entropy, source);
    format.spaced = true;
    format
}

/// A format that has a keyword so many bytes behind its beginning.
const fn holds(
    id: &'static str,
    at: u8,
    keywords: &'static str,
    pattern: &'static str,
    entropy: f32,
    #[cfg_attr(not(test), expect(unused_variables, reason = "it stands in the table alone"))] source: &'static str,
) -> Format {
    Format {
        id,
        keywords,
        at,
        pattern,
        entropy,
        has_words: false,
        spaced: false,
        #[cfg(test)]
        source,
        compiled: OnceLock::new(),
    }
}

/// A private key: its header, and the first of its characters. The lines between them are read in
/// one way only, so that many headers cost no more than one: a line ends with its line break, which
/// only the last one may have lost, and has no five hyphens in a row, with which the next key begins.
/// A line may have the sign of a comment before it, or its number; what tools write before each line may be anything
/// where the first line of the key begins as keys do, which is tried once for each header.
pub(super) static PEM: Format = spaced(
    "private-key-pem",
    "-----BEGIN ",
    concat!(
        r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----",
        r#"(?:\\+[nrt]|[\s"'+,|>\\-]|\xe2\x94\x82|(?:[A-Z][A-Za-z-]{2,12}:(?:-{0,4}[^\r\n\\-]){1,81})?(?:[\r\n]|\\+[nr])"#,
        r"(?:[ \t]{0,8}(?:[#;%*/]{1,2}|[0-9]{1,7}(?:[\s:|-]|\\+t|\xe2\x86\x92)))?)*",
        r"(?:[A-Z][A-Za-z-]{2,12}:(?:-{0,4}[^\r\n\\-]){1,161})?([A-Za-z0-9+/=]{20,})",
        r"|-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----[^\r\n]{0,12}(?:(?:\r?\n|\\+n)[^\r\n]{0,48})?((?:MI[IGH]|MH[cQ]|MC4|b3B)[A-Za-z0-9+/]{40,})",
    ),
    0.0,
    "RFC 7468; RFC 9580",
);

/// A JWT whose header begins so: `{"`, `{ `, or a brace at the end of its line, in base64.
macro_rules! jwt {
    ($id:literal, $begin:literal, $source:literal) => {
        starts(
            $id,
            $begin,
            concat!(
                $begin,
                r"[A-Za-z0-9_-]{14,}\.(?:eyJ|eyA|ewog|ew0K)",
                r"(?:[A-Za-z0-9_-]{14,}\.[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{240,})",
            ),
            3.5,
            $source,
        )
    };
}

/// A URL with a password, from `://` on.
pub(super) static URL: Format = starts(
    "url-password",
    "://",
    r"://[A-Za-z0-9_.~!$*+,;=%-]{0,64}:([A-Za-z0-9_.~!^+=,;*&$%-]{5,180})@(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)",
    2.5,
    "RFC 3986, 3.2.1",
)
.or_words();

/// The formats that have a long run of letters and digits, in the order of their names.
#[rustfmt::skip]
pub(super) static FORMATS: [Format; 297] = [
    starts("adafruit-io-key", "aio_", r"aio_[A-Za-z0-9]{28}", 3.5, "Adafruit IO; GitHub adafruit_io_key"),
    starts("adobe-client-secret", "p8e-", r"p8e-[A-Za-z0-9_-]{24,}", 3.3, "Adobe; gitleaks adobe-client-secret"),
    starts("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", 0.0, "age; gitleaks age-secret-key"),
    starts("airtable-pat", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", 3.0, "Airtable PAT docs"),
    starts("aiven-service-password", "AVNS_", r"AVNS_[A-Za-z0-9_-]{19,}", 3.0, "Aiven docs"),
    starts("alibaba-access-key-id", "LTAI", r"LTAI[A-Za-z0-9]{12,20}", 3.0, "Alibaba Cloud; gitleaks alibaba-access-key-id"),
    starts("anthropic-api-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{32,}", 3.5, "Anthropic; gitleaks anthropic-api-key"),
    starts("anyscale-secret", "esecret_", r"esecret_[a-z0-9]{20,}", 3.5, "Anyscale; noseyparker"),
    starts("apify-api-token", "apify_api_", r"apify_api_[A-Za-z0-9]{27,}", 3.5, "Apify docs"),
    starts("apify-proxy-password", "apify_proxy_", r"apify_proxy_[A-Za-z0-9]{32,}", 3.5, "Apify docs"),
    starts("artifactory-api-key", "AKCp", r"AKCp[A-Za-z0-9]{69}", 4.0, "JFrog; gitleaks artifactory-api-key"),
    starts("artifactory-reference-token", "cmVmdGtuOjAx", r"cmVmdGtuOjAx[A-Za-z0-9]{52}", 3.0, "JFrog; gitleaks artifactory-reference-token"),
    starts("asaas-api-key", "$aact_prod_|$aact_hmlg_", r"\$aact_(?:prod|hmlg)_[A-Za-z0-9+/:_=-]{80,}", 3.5, "Asaas docs; GitHub asaas_api_token"),
    starts("atlassian-admin-token", "ATCTT3", r"ATCTT3[A-Za-z0-9_=-]{150,220}", 3.5, "Atlassian; GitHub secret scanning list"),
    starts("atlassian-api-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{180,200}", 3.5, "Atlassian; gitleaks atlassian-api-token"),
    spaced("authorization-basic", "authorization|Authorization|AUTHORIZATION", r#"(?i:authorization)(?:[\s\\(]|\\[nrt]|b["']|value["'\\]){0,32}[:=,>\["'](?:[\s"'\\:=,>\[(]|\\[nrt]|b["']|value["'\\]){0,48}(?i:basic)\s{1,3}([a-z]{0,20}[A-Z0-9+/][A-Za-z0-9+/]{13,}={0,2})"#, 3.2, "RFC 7617; GitHub http_basic_authentication_header").or_words(),
    spaced("authorization-bearer", "authorization|Authorization|AUTHORIZATION", r#"(?i:authorization)(?:[\s\\(]|\\[nrt]|b["']|value["'\\]){0,32}[:=,>\["'](?:[\s"'\\:=,>\[(]|\\[nrt]|b["']|value["'\\]){0,48}(?i:bearer)\s{1,3}((?:[0-9]{1,9}\|)?[A-Za-z0-9._~+/-]{16,}={0,2})"#, 3.0, "RFC 6750; GitHub http_bearer_authentication_header").or_words(),
    spaced("authorization-token", "authorization|Authorization|AUTHORIZATION", r#"(?i:authorization)(?:[\s\\(]|\\[nrt]|b["']|value["'\\]){0,32}[:=,>\["'](?:[\s"'\\:=,>\[(]|\\[nrt]|b["']|value["'\\]){0,48}(?i:token|api-?key|bot)\s{1,3}([A-Za-z0-9+/-]{20,}={0,2})"#, 3.0, "Django REST framework, Elasticsearch; gitleaks curl-auth-header").or_words(),
    starts("authress-key", "sc_|ext_|scauth_|authress_", r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}", 3.5, "Authress; gitleaks authress-service-client-access-key"),
    starts("aws-access-key-id", "AKIA|ASIA|ABIA|ACCA|A3T", r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", 3.0, "AWS IAM identifiers; gitleaks aws-access-token"),
    starts("aws-appsync-api-key", "da2-", r"da2-[a-z0-9]{19,}", 3.0, "AWS AppSync docs"),
    starts("aws-bedrock-api-key", "ABSK", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}", 3.0, "AWS Bedrock API keys"),
    starts("aws-bedrock-short-term-key", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", r"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/]{40,}={0,2}", 3.0, "AWS Bedrock API keys"),
    starts("aws-mws-auth-token", "amzn.mws.", r"amzn\.mws\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "Amazon MWS docs"),
    starts("aws-presigned-signature", "X-Amz-Signature=", r"X-Amz-Signature=([0-9a-f]{64})", 3.0, "AWS SigV4 query docs"),
    spaced("aws-secret-access-key", "aws_secret_access_key|AWS_SECRET_ACCESS_KEY|aws_secret_key|AWS_SECRET_KEY|awsSecretAccessKey|AwsSecretAccessKey|SecretAccessKey|secretAccessKey|secret_access_key|SECRET_ACCESS_KEY", r#"(?:aws_secret_(?:access_)?key|AWS_SECRET_(?:ACCESS_)?KEY|[aA]wsSecretAccessKey|[sS]ecretAccessKey|secret_access_key|SECRET_ACCESS_KEY)(?:[\s"'\\:=,>|]|\\[nrt]|value["'\\:]){1,24}([A-Za-z0-9/+]{40})"#, 4.0, "AWS IAM docs"),
    starts("aws-session-token", "IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz", r"(?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9+/]{80,}={0,2}", 4.0, "AWS STS temporary credentials"),
    starts("azure-access-key", ";AccessKey=|;accesskey=", r";(?:AccessKey|accesskey)=([A-Za-z0-9+/]{43,86}={1,2})", 4.0, "Azure SignalR, Web PubSub and Communication Services connection strings"),
    holds("azure-ad-client-secret", 4, "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", 3.5, "Microsoft Entra; gitleaks azure-ad-client-secret"),
    starts("azure-app-configuration-secret", ".azconfig.io;Id=", r"\.azconfig\.io;Id=[A-Za-z0-9+/=:_-]{4,64};Secret=([A-Za-z0-9+/]{36,128}={0,2})", 3.5, "Azure App Configuration connection strings"),
    holds("azure-batch-key", 76, "+ABa", r"[A-Za-z0-9+/]{76}\+ABa[A-Za-z0-9+/]{6}==", 4.0, "Microsoft common annotated security keys"),
    holds("azure-cognitive-key", 52, "JQQJ99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}", 4.0, "Microsoft common annotated security keys"),
    holds("azure-container-registry-key", 42, "+ACRA|+ACRB|+ACRC|+ACRD", r"[A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9+/]{5}", 4.0, "Microsoft common annotated security keys"),
    holds("azure-cosmos-key", 76, "ACDb", r"[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{6}==", 4.0, "Microsoft common annotated security keys"),
    holds("azure-function-key", 44, "AzFu", r"[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==", 4.0, "Microsoft common annotated security keys"),
    holds("azure-iot-key", 33, "AIoT", r"[A-Za-z0-9+/]{33}AIoT[A-Za-z0-9+/]{6}=", 4.0, "Microsoft common annotated security keys"),
    holds("azure-redis-key", 33, "AzCa", r"[A-Za-z0-9]{33}AzCa[A-P][A-Za-z0-9]{5}=", 4.0, "Microsoft common annotated security keys"),
    starts("azure-sas-signature", "sig=", r"sig=([A-Za-z0-9%+/]{43,80}(?:%3D|%3d|=))", 4.0, "Azure Storage SAS docs"),
    holds("azure-search-key", 42, "AzSeA|AzSeB|AzSeC|AzSeD", r"[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}", 4.0, "Microsoft common annotated security keys"),
    holds("azure-service-bus-key", 33, "+ASb|+AEh|+ARm", r"[A-Za-z0-9+/]{33}\+A(?:Sb|Eh|Rm)[A-Za-z0-9+/]{6}=", 4.0, "Microsoft common annotated security keys"),
    starts("azure-shared-access-key", "SharedAccessKey=|SharedSecretValue=", r"(?:SharedAccessKey|SharedSecretValue)=([A-Za-z0-9+/]{42,44}=?)", 4.0, "Azure Service Bus / Event Hubs docs"),
    starts("azure-storage-account-key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86}==)", 4.0, "Azure Storage connection strings"),
    holds("azure-storage-account-key-alone", 76, "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}==", 4.0, "Microsoft common annotated security keys"),
    starts("baidu-qianfan-key", "bce-v3/ALTAK-", r"bce-v3/ALTAK-[A-Za-z0-9]{20,24}/[0-9a-f]{40}", 3.0, "Baidu Qianfan docs"),
    spaced("bearer-hex-token", "Bearer", r"Bearer(?: |%20)([0-9a-f]{32,})", 3.0, "RFC 6750"),
    spaced("bearer-token", "Bearer", r"Bearer(?: |%20)((?:[0-9]{1,9}\|)?[A-Za-z0-9._~+/-]{20,}={0,2})", 3.6, "RFC 6750").or_words(),
    starts("bitbucket-app-password", "ATBB", r"ATBB[A-Za-z0-9]{32}", 3.5, "Bitbucket; GitHub secret scanning list"),
    starts("bitbucket-server-token", "BBDC-", r"BBDC-[A-Za-z0-9+/@_-]{30,}", 3.8, "Bitbucket Data Center"),
    starts("braintree-access-token", "access_token$production$|access_token$sandbox$", r"(?:access_token\$production\$|access_token\$sandbox\$)[a-z0-9]{16}\$[0-9a-f]{32}", 3.0, "Braintree / PayPal docs"),
    starts("brave-search-api-key", "BSA", r"BSA[A-Za-z0-9_-]{27,28}", 3.8, "Brave Search API docs"),
    starts("brevo-api-key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}", 3.0, "Brevo; gitleaks sendinblue-api-token"),
    starts("brevo-smtp-key", "xsmtpsib-", r"xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}", 3.0, "Brevo SMTP keys"),
    starts("browserbase-api-key", "bb_live_", r"bb_live_[A-Za-z0-9_-]{20,}", 3.5, "Browserbase docs"),
    starts("buildkite-token", "bkua_", r"bkua_[0-9a-f]{30,}", 3.0, "Buildkite API docs"),
    starts("cargo-token", "cio", r"cio[A-Za-z0-9]{32}", 4.0, "Cargo; noseyparker"),
    starts("cerebras-api-key", "csk-", r"csk-[a-z0-9]{36,}", 3.8, "Cerebras"),
    starts("checkout-secret-key", "sk_sbox_|sk_test_", r"sk_(?:sbox|test)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "Checkout.com API keys docs"),
    starts("circleci-token", "CCIPAT_|CCIPRJ_", r"(?:CCIPAT_|CCIPRJ_)[A-Za-z0-9]{22}_[0-9a-f]{40}", 3.0, "CircleCI docs"),
    starts("clickhouse-cloud-key", "4b1d", r"4b1d[A-Za-z0-9]{38}", 4.2, "ClickHouse Cloud; gitleaks clickhouse-cloud-api-secret-key"),
    starts("clickup-token", "pk_", r"pk_[0-9]{6,9}_[A-Z0-9]{32}", 3.5, "ClickUp API docs"),
    starts("clojars-token", "CLOJARS_", r"CLOJARS_[0-9a-z]{45,}", 3.0, "Clojars; gitleaks clojars-api-token"),
    starts("cloudflare-api-token", "cfut_|cfat_|cfk_", r"(?:cfut_|cfat_|cfk_)[A-Za-z0-9]{30,}", 3.8, "Cloudflare token formats page"),
    starts("cloudflare-origin-ca-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}", 3.0, "Cloudflare; gitleaks cloudflare-origin-ca-key"),
    starts("cockroach-api-key", "CCDB1_", r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}", 3.5, "CockroachDB Cloud; GitHub cockroach_cloud_api_key"),
    starts("contentful-pat", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{32,}", 3.8, "Contentful"),
    starts("context7-api-key", "ctx7sk-", r"ctx7sk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "Context7 docs"),
    starts("databricks-client-secret", "dose", r"dose[0-9a-f]{32}", 3.0, "Databricks OAuth secrets"),
    starts("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?", 3.0, "Databricks; gitleaks databricks-api-token"),
    starts("datastax-astra-token", "AstraCS:", r"AstraCS:[A-Za-z]{24}:[0-9a-f]{64}", 0.0, "DataStax Astra docs"),
    starts("dbt-token", "dbtc_|dbtu_", r"dbt[cu]_[A-Za-z0-9_-]{36,}", 3.5, "dbt Cloud; trufflehog dbt"),
    starts("deepseek-api-key", "sk-", r"sk-[0-9a-f]{32}", 3.0, "DeepSeek / Qwen DashScope docs"),
    starts("defined-networking-token", "dnkey-", r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}", 3.5, "Defined Networking; gitleaks defined-networking-api-token"),
    starts("deno-deploy-token", "ddp_|ddw_", r"(?:ddp_|ddw_)[A-Za-z0-9]{27,}", 3.5, "Deno Deploy"),
    starts("digitalocean-oauth-token", "doo_v1_", r"doo_v1_[0-9a-f]{48,}", 3.0, "DigitalOcean API docs"),
    starts("digitalocean-pat", "dop_v1_", r"dop_v1_[0-9a-f]{48,}", 3.0, "DigitalOcean API docs"),
    starts("digitalocean-refresh-token", "dor_v1_", r"dor_v1_[0-9a-f]{48,}", 3.0, "DigitalOcean API docs"),
    starts("discord-bot-token", "MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT", r"[MNO][DTjz][AEIMQUYcgk][w-z0-5](?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){4,5}[A-Za-z0-9]{0,3}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}", 3.5, "Discord token structure (base64 snowflake)"),
    starts("discord-webhook", "discord.com/api/|discordapp.com/api/", r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,72}", 3.5, "Discord webhooks docs"),
    starts("docker-config-base64", "eyJhdXRocyI6", r"eyJhdXRocyI6[A-Za-z0-9+/_-]{60,}", 3.5, "Docker's config.json, as Kubernetes has it in base64"),
    starts("dockerhub-org-token", "dckr_oat_", r"dckr_oat_[A-Za-z0-9_-]{20,}", 3.0, "Docker organization access tokens"),
    starts("dockerhub-pat", "dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{20,}", 3.0, "Docker Hub access tokens"),
    starts("doppler-service-token", "dp.st.", r"dp\.st\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}", 3.5, "Doppler token formats"),
    starts("doppler-token", "dp.pt.|dp.ct.|dp.sa.|dp.scim.|dp.audit.", r"(?:dp\.pt\.|dp\.ct\.|dp\.sa\.|dp\.scim\.|dp\.audit\.)[A-Za-z0-9]{30,}", 3.5, "Doppler token formats; gitleaks doppler-api-token"),
    starts("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{130,}", 4.0, "Dropbox; gitleaks dropbox-short-lived-api-token"),
    starts("duffel-token", "duffel_live_|duffel_test_", r"(?:duffel_live_|duffel_test_)[A-Za-z0-9_=-]{32,}", 3.5, "Duffel; gitleaks duffel-api-token"),
    starts("dvc-studio-token", "isat_", r"isat_[A-Za-z0-9]{32,}", 3.5, "DVC Studio"),
    starts("dynatrace-token", "dt0c01.|dt0s01.|dt0s02.|dt0s16.", r"(?:(?:dt0c01\.|dt0s01\.|dt0s16\.)[A-Z0-9]{24}|dt0s02\.[A-Z0-9]{8})\.[A-Z0-9]{64}", 3.5, "Dynatrace token format docs"),
    starts("e2b-api-key", "e2b_", r"e2b_[0-9a-f]{30,}", 3.0, "E2B docs"),
    starts("easypost-key", "EZAK|EZTK", r"(?:EZAK|EZTK)[A-Za-z0-9]{54}", 3.8, "EasyPost; gitleaks easypost-api-token"),
    starts("elevenlabs-api-key", "sk_", r"sk_[0-9a-f]{48}", 3.0, "ElevenLabs"),
    starts("facebook-access-token", "EAA", r"EAA[A-Za-z0-9]{100,400}", 4.3, "Meta Graph API; gitleaks facebook-page-access-token"),
    starts("fastmail-api-token", "fmu1-", r"fmu1-[0-9a-f]{8}-[0-9a-f]{32}", 3.0, "Fastmail; GitHub fastmail_api_token"),
    starts("figma-pat", "figd_", r"figd_[A-Za-z0-9_-]{28,}", 3.5, "Figma; kingfisher figma"),
    starts("figma-scim-token", "figs_", r"figs_[A-Za-z0-9_-]{28,}", 3.5, "Figma SCIM"),
    holds("firebase-server-key", 11, ":APA91b", r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{134}", 4.0, "Firebase Cloud Messaging; GitHub firebase_cloud_messaging_server_key"),
    starts("firecrawl-api-key", "fc-", r"fc-[0-9a-f]{32}", 3.2, "Firecrawl; noseyparker firecrawl"),
    starts("fireworks-api-key", "fw_", r"fw_[A-Za-z0-9]{22,40}", 3.8, "Fireworks AI"),
    starts("flutterwave-secret-key", "FLWSECK-|FLWSECK_TEST-", r"(?:FLWSECK-|FLWSECK_TEST-)(?:[0-9a-zA-Z]{32,60}-X|[0-9a-h]{12})", 2.0, "Flutterwave; gitleaks flutterwave-secret-key"),
    starts("flyio-access-token", "fo1_|fm1a_|fm1r_|fm2_", r"(?:fo1_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3})", 4.0, "Fly.io; gitleaks flyio-access-token"),
    starts("frameio-token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{48,}", 3.8, "Frame.io; gitleaks frameio-api-token"),
    starts("gcp-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}", 3.5, "Google Cloud API keys; gitleaks gcp-api-key"),
    starts("gcp-oauth-client-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{21,}", 3.0, "Google OAuth clients"),
    starts("gcp-service-account-base64", "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs|eyJ0eXBlIjoic2VydmljZV9hY2NvdW50Iiwi", r"(?:ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs|eyJ0eXBlIjoic2VydmljZV9hY2NvdW50Iiwi)[A-Za-z0-9+/_-]{60,}", 3.5, "Google Cloud service account key files, as Kubernetes has them in base64"),
    spaced("gcp-service-account-key", "private_key_id", r#"private_key_id\\*"\s{0,4}:\s{0,4}\\*"([0-9a-f]{40})\\*""#, 3.0, "Google Cloud service account key files"),
    starts("github-fine-grained-pat", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", 3.0, "GitHub token prefixes; gitleaks github-fine-grained-pat"),
    starts("github-installation-jwt", "ghs_", r"ghs_[0-9]+_eyJ[A-Za-z0-9_-]{10,}\.(?:[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{240,})", 3.5, "GitHub changelog 2026-05 stateless installation tokens"),
    starts("github-oauth-token", "gho_", r"gho_[A-Za-z0-9]{27,}", 3.0, "GitHub token prefixes; gitleaks github-oauth"),
    starts("github-pat", "ghp_", r"ghp_[A-Za-z0-9]{27,}", 3.0, "GitHub token prefixes; gitleaks github-pat"),
    starts("github-refresh-token", "ghr_", r"ghr_[A-Za-z0-9]{27,}", 3.0, "GitHub token prefixes; gitleaks github-refresh-token"),
    starts("github-server-to-server-token", "ghs_", r"ghs_[A-Za-z0-9]{27,}", 3.0, "GitHub token prefixes; gitleaks github-app-token"),
    starts("github-user-to-server-token", "ghu_", r"ghu_[A-Za-z0-9]{27,}", 3.0, "GitHub token prefixes; gitleaks github-app-token"),
    starts("gitlab-agent-token", "glagent-", r"glagent-[A-Za-z0-9_-]{37,}", 3.0, "GitLab; gitleaks gitlab-kubernetes-agent-token"),
    starts("gitlab-ci-job-token", "glcbt-", r"glcbt-[0-9a-zA-Z]{1,5}_[A-Za-z0-9_-]{20}", 3.0, "GitLab; gitleaks gitlab-cicd-job-token"),
    starts("gitlab-deploy-token", "gldt-", r"gldt-[A-Za-z0-9_-]{16,}", 3.0, "GitLab token overview; gitleaks gitlab-deploy-token"),
    starts("gitlab-feature-flag-token", "glffct-", r"glffct-[A-Za-z0-9_-]{16,}", 3.0, "GitLab; gitleaks gitlab-feature-flag-client-token"),
    starts("gitlab-feed-token", "glft-", r"glft-[A-Za-z0-9_-]{16,}", 3.0, "GitLab; gitleaks gitlab-feed-token"),
    starts("gitlab-incoming-mail-token", "glimt-", r"glimt-[A-Za-z0-9_-]{18,}", 3.0, "GitLab; gitleaks gitlab-incoming-mail-token"),
    starts("gitlab-oauth-app-secret", "gloas-", r"gloas-[A-Za-z0-9_-]{48,}", 3.0, "GitLab; gitleaks gitlab-oauth-app-secret"),
    starts("gitlab-pat", "glpat-", r"glpat-[A-Za-z0-9_-]{16,}", 3.0, "GitLab token overview; gitleaks gitlab-pat"),
    starts("gitlab-pat-routable", "glpat-", r"glpat-[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9}", 3.5, "GitLab routable tokens design; gitleaks gitlab-pat-routable"),
    starts("gitlab-pipeline-trigger-token", "glptt-", r"glptt-[0-9a-f]{30,}", 3.0, "GitLab; gitleaks gitlab-ptt"),
    starts("gitlab-runner-registration-token", "GR1348941", r"GR1348941[A-Za-z0-9_-]{20}", 3.0, "GitLab; gitleaks gitlab-rrt"),
    starts("gitlab-runner-registration-token-prefixed", "glrtr-", r"glrtr-[A-Za-z0-9_-]{20,}", 3.0, "GitLab token overview"),
    starts("gitlab-runner-token", "glrt-", r"glrt-(?:t[0-9]_)?[A-Za-z0-9_-]{20}", 3.0, "GitLab token overview; gitleaks gitlab-runner-authentication-token"),
    starts("gitlab-runner-token-routable", "glrt-", r"glrt-t[0-9]_[A-Za-z0-9_-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9}", 3.5, "GitLab; gitleaks gitlab-runner-authentication-token-routable"),
    starts("gitlab-scim-token", "glsoat-", r"glsoat-[A-Za-z0-9_-]{16,}", 3.0, "GitLab; gitleaks gitlab-scim-token"),
    starts("gitlab-session-cookie", "_gitlab_session=", r"_gitlab_session=[0-9a-z]{32}", 3.0, "GitLab; gitleaks gitlab-session-cookie"),
    starts("gitlab-workspace-token", "glwt-", r"glwt-[A-Za-z0-9_-]{20,}", 3.0, "GitLab token overview"),
    starts("google-gemini-auth-key", "AQ.Ab", r"AQ\.Ab[A-Za-z0-9_-]{40,60}", 4.0, "Google AI Studio auth keys"),
    starts("google-hmac-key", "GOOG", r"GOOG(?:1E[A-Z0-9]{50,60}|[A-Z0-9]{20})", 3.5, "Google Cloud Storage HMAC keys"),
    starts("google-oauth-access-token", "ya29.", r"ya29\.(?:[a-d]\.)?[A-Za-z0-9_-]{30,}(?:\.[A-Za-z0-9_-]+)?", 3.5, "Google OAuth 2.0 docs"),
    starts("google-oauth-refresh-token", "1//0", r"1//0[A-Za-z0-9_-]{60,140}", 4.0, "Google OAuth 2.0 docs"),
    starts("google-signed-url-signature", "X-Goog-Signature=", r"X-Goog-Signature=([0-9a-f]{128,})", 3.0, "Google Cloud Storage signed URLs"),
    starts("grafana-api-key", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9]{62,400}={0,3}", 3.5, "Grafana; gitleaks grafana-api-key"),
    starts("grafana-cloud-token", "glc_", r"glc_[A-Za-z0-9+/]{24,}={0,3}", 3.5, "Grafana Cloud; gitleaks grafana-cloud-api-token"),
    starts("grafana-service-account-token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}", 3.0, "Grafana; gitleaks grafana-service-account-token"),
    starts("groq-api-key", "gsk_", r"gsk_[A-Za-z0-9]{39,}", 3.5, "Groq; noseyparker groq"),
    starts("harness-token", "pat.|sat.", r"(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}", 3.5, "Harness; gitleaks harness-api-key"),
    starts("heroku-api-key", "HRKU-AA", r"HRKU-AA[A-Za-z0-9_-]{58}", 4.0, "Heroku; gitleaks heroku-api-key-v2"),
    starts("honeycomb-ingest-key", "hcaik_", r"hcaik_[a-z0-9]{50,}", 3.5, "Honeycomb docs"),
    starts("hubspot-private-app-token", "pat-na1-|pat-na2-|pat-na3-|pat-eu1-|pat-ap1-", r"(?:pat-na1-|pat-na2-|pat-na3-|pat-eu1-|pat-ap1-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "HubSpot private apps"),
    starts("huggingface-org-token", "api_org_", r"api_org_[A-Za-z0-9]{25,}", 3.5, "Hugging Face; gitleaks huggingface-organization-api-token"),
    starts("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{34}", 3.5, "Hugging Face; gitleaks huggingface-access-token"),
    starts("infracost-api-token", "ico-", r"ico-[A-Za-z0-9]{24,}", 3.5, "Infracost; gitleaks infracost-api-token"),
    starts("inngest-signing-key", "signkey-prod-|signkey-test-|signkey-branch-", r"(?:signkey-prod-|signkey-test-|signkey-branch-)[0-9a-f]{24,}", 3.0, "Inngest docs"),
    starts("instagram-access-token", "IGQV|IGAA", r"(?:IGQV|IGAA)[A-Za-z0-9_-]{100,400}", 4.3, "Instagram Graph API"),
    starts("intra42-client-secret", "s-s4t2ud-|s-s4t2af-", r"(?:s-s4t2ud-|s-s4t2af-)[0-9a-f]{48,}", 3.0, "42 intra; gitleaks intra42-client-secret"),
    starts("ionic-token", "ion_|ionrt_", r"(?:ion|ionrt)_[A-Za-z0-9]{42}", 3.8, "Ionic; GitHub ionic_personal_access_token"),
    starts("jina-api-key", "jina_", r"jina_[0-9a-f]{32}[A-Za-z0-9_-]{28}", 3.5, "Jina; noseyparker jina"),
    starts("jwe", "eyJ", r"eyJ[A-Za-z0-9_-]{14,}\.(?:[A-Za-z0-9_-]{0,360}\.(?:[A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{22})\.(?:[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{22,43}|[A-Za-z0-9_-]{40,})|[A-Za-z0-9_-]{380,})", 4.0, "RFC 7516"),
    jwt!("jwt", "eyJ", "RFC 7519; gitleaks jwt"),
    starts("jwt-base64", "ZXlKaGJHY2lPaU|ZXlKMGVYQWlPaU|ZXlKcmFXUWlPaU", r"ZXlK(?:aGJHY2lPaU|MGVYQWlPaU|cmFXUWlPaU)[A-Za-z0-9+/_-]{90,}", 3.5, "RFC 7519, as Kubernetes has it in base64; gitleaks jwt-base64"),
    jwt!("jwt-of-crlf-lines", "ew0K", "RFC 7519"),
    jwt!("jwt-of-lines", "ewog", "RFC 7519"),
    jwt!("jwt-spaced", "eyA", "RFC 7519; gitleaks jwt"),
    starts("langfuse-secret-key", "sk-lf-", r"sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "Langfuse docs"),
    starts("langsmith-api-key", "lsv2_pt_|lsv2_sk_", r"(?:lsv2_pt_|lsv2_sk_)[0-9a-f]{32}_[0-9a-f]{10}", 3.0, "LangSmith docs"),
    starts("langsmith-legacy-key", "ls__", r"ls__[0-9a-f]{32}", 3.0, "LangSmith docs"),
    starts("launchdarkly-sdk-key", "sdk-", r"sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "LaunchDarkly SDK keys"),
    starts("lichess-token", "lip_|lio_", r"li[po]_[A-Za-z0-9]{20,}", 3.5, "Lichess; GitHub lichess_personal_access_token"),
    starts("linear-api-key", "lin_api_", r"lin_api_[A-Za-z0-9]{30,}", 3.5, "Linear; gitleaks linear-api-key"),
    starts("linear-oauth-token", "lin_oauth_", r"lin_oauth_[A-Za-z0-9]{30,}", 3.5, "Linear"),
    starts("linkedin-client-secret", "WPL_AP1.", r"WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{8}", 3.5, "LinkedIn; GitHub linkedin_client_secret"),
    starts("llamacloud-api-key", "llx-", r"llx-[A-Za-z0-9]{40,}", 3.5, "LlamaCloud docs"),
    starts("lob-api-key", "live_|test_", r"(?:live|test)_(?:[0-9a-f]{35}|pub_[0-9a-f]{31})", 3.0, "Lob; gitleaks lob-api-key"),
    starts("logfire-token", "pylf_v1_", r"pylf_v1_[a-z]{2,4}_[A-Za-z0-9]{40,}", 3.5, "Logfire docs"),
    holds("mailchimp-api-key", 32, "-us", r"[0-9a-f]{32}-us[1-9][0-9]?", 3.0, "Mailchimp; gitleaks mailchimp-api-key"),
    starts("mailersend-api-token", "mlsn.", r"mlsn\.[0-9a-f]{60,}", 3.0, "MailerSend docs"),
    starts("mailgun-private-key", "key-", r"key-[0-9a-f]{32}", 2.8, "Mailgun; gitleaks mailgun-private-api-token"),
    starts("mapbox-secret-token", "sk.eyJ1Ijoi", r"sk\.eyJ1Ijoi[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{22}", 3.5, "Mapbox tokens docs"),
    holds("maxmind-license-key", 36, "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 3.8, "MaxMind; gitleaks maxmind-license-key"),
    starts("mem0-api-key", "m0-", r"m0-[A-Za-z0-9]{40}", 4.0, "Mem0"),
    starts("mercury-api-token", "secret-token:mercury_", r"secret-token:mercury_(?:production|sandbox)_[a-z]{3,5}_[A-Za-z0-9_-]{20,}", 3.0, "Mercury; GitHub mercury_production_api_token"),
    starts("midtrans-server-key", "Mid-server-", r"Mid-server-[A-Za-z0-9_-]{24}", 3.5, "Midtrans; GitHub midtrans_production_server_key").or_words(),
    starts("mongodb-service-account-secret", "mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_-]{40,}", 3.5, "MongoDB Atlas service accounts; trufflehog"),
    starts("moonshot-kimi-key", "sk-kimi-", r"sk-kimi-[A-Za-z0-9]{40,}", 3.5, "Moonshot AI, Kimi"),
    starts("neon-api-key", "napi_", r"napi_[a-z0-9]{30,}", 3.8, "Neon API docs"),
    starts("netlify-access-token", "nfp_", r"nfp_[A-Za-z0-9]{27,}", 3.8, "Netlify API docs"),
    starts("new-relic-browser-key", "NRJS-", r"NRJS-[0-9a-f]{19}", 3.0, "New Relic; gitleaks new-relic-browser-api-token"),
    starts("new-relic-insert-key", "NRII-", r"NRII-[A-Za-z0-9_-]{24,}", 3.0, "New Relic API keys docs"),
    holds("new-relic-license-key", 36, "NRAL", r"(?:[0-9a-f]{36}|[0-9a-f]{32}FFFF|eu01xx(?:[0-9a-f]{30}|[0-9a-f]{26}FFFF))NRAL", 2.8, "New Relic license keys"),
    starts("new-relic-query-key", "NRIQ-", r"NRIQ-[A-Za-z0-9_-]{24,}", 3.0, "New Relic API keys docs"),
    starts("new-relic-rest-key", "NRRA-", r"NRRA-[0-9a-f]{42}", 3.0, "New Relic API keys docs"),
    starts("new-relic-user-key", "NRAK-", r"NRAK-[A-Z0-9]{20,}", 3.0, "New Relic API keys docs"),
    starts("notion-legacy-token", "secret_", r"secret_[A-Za-z0-9]{32,}", 4.0, "Notion"),
    starts("notion-token", "ntn_", r"ntn_[0-9]{11}[A-Za-z0-9]{35}", 3.5, "Notion; gitleaks notion-api-token"),
    starts("npm-access-token", "npm_", r"npm_[A-Za-z0-9]{27,}", 3.0, "npm tokens; gitleaks npm-access-token"),
    spaced("npmrc-auth-token", ":_authToken=|:_auth=|:_password=", r#":_(?:authToken|auth|password)=\\*["']?([A-Za-z0-9_./+-]{20,}={0,2})"#, 3.3, "npm .npmrc docs"),
    starts("nuget-api-key", "oy2", r"oy2[a-z0-9]{43}", 3.5, "NuGet; noseyparker nuget"),
    starts("nvidia-api-key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{30,}", 3.8, "NVIDIA NGC"),
    starts("octopus-deploy-key", "API-", r"API-[A-Z0-9]{19,}", 3.5, "Octopus Deploy; gitleaks octopus-deploy-api-key"),
    starts("onepassword-secret-key", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}", 3.5, "1Password; gitleaks 1password-secret-key"),
    starts("onepassword-service-account-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{250,}={0,3}", 4.0, "1Password; gitleaks 1password-service-account-token"),
    starts("onesignal-api-key", "os_v2_app_", r"os_v2_app_[a-z2-7]{80,}", 3.5, "OneSignal docs"),
    starts("onfido-api-token", "api_live|api_sandbox", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9_-]{11}\.[A-Za-z0-9_-]{32}", 3.5, "Onfido API docs; GitHub onfido_live_api_token"),
    starts("openai-admin-key", "sk-admin-", r"sk-admin-[A-Za-z0-9_-]{33,}", 4.2, "OpenAI; gitleaks openai-api-key"),
    starts("openai-compatible-key", "sk-", r"sk-[A-Za-z0-9]{32,64}", 3.5, "Moonshot, older OpenAI and others"),
    starts("openai-ephemeral-key", "ek_", r"ek_[0-9a-f]{32}", 3.0, "OpenAI Realtime client secrets"),
    starts("openai-key", "sk-", r"sk-[A-Za-z0-9_-]{20,120}T3BlbkFJ[A-Za-z0-9_-]{20,}", 3.5, "OpenAI; trufflehog openai"),
    starts("openai-project-key", "sk-proj-", r"sk-proj-[A-Za-z0-9_-]{40,}", 4.2, "OpenAI; gitleaks openai-api-key"),
    starts("openai-service-account-key", "sk-svcacct-", r"sk-svcacct-[A-Za-z0-9_-]{33,}", 4.2, "OpenAI; gitleaks openai-api-key"),
    starts("openai-session-key", "sess-", r"sess-[A-Za-z0-9]{40}", 3.5, "OpenAI session keys; trufflehog"),
    starts("openrouter-api-key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{48,}", 3.0, "OpenRouter docs"),
    starts("openshift-user-token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}", 3.5, "OpenShift OAuth docs"),
    starts("openvsx-access-token", "ovsxat_|ovsxp_|ovsx_", r"ovsx(?:at|p)?_[0-9a-f-]{36,}", 3.0, "Open VSX; GitHub openvsx_access_token"),
    starts("paddle-api-key", "pdl_live_apikey_|pdl_sdbx_apikey_", r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}", 3.5, "Paddle docs"),
    starts("password-parameter", ";Password=|;password=|;Pwd=|;PWD=|&password=|?password=", r"(?:;(?:[Pp]assword|Pwd|PWD)|[&?]password)=([A-Za-z0-9_+-]{6,120}[A-Za-z0-9_.~!^+*$%@-]{2,60})", 3.0, "ADO.NET and JDBC connection strings").or_words(),
    starts("perplexity-api-key", "pplx-", r"pplx-[A-Za-z0-9]{36,}", 3.8, "Perplexity; gitleaks perplexity-api-key"),
    starts("pinecone-api-key", "pcsk_", r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{55,70}", 3.8, "Pinecone; kingfisher pinecone"),
    starts("pinterest-access-token", "pina_|pinr_|pinas_", r"pin(?:a|r|as)_[A-Z0-9]{32,}", 3.8, "Pinterest; GitHub pinterest_access_token"),
    starts("plaid-access-token", "access-production-|access-development-|access-sandbox-", r"(?:access-production-|access-development-|access-sandbox-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "Plaid docs"),
    starts("planetscale-api-token", "pscale_tkn_", r"pscale_tkn_[A-Za-z0-9_=.-]{24,}", 3.0, "PlanetScale; gitleaks planetscale-api-token"),
    starts("planetscale-oauth-token", "pscale_oauth_", r"pscale_oauth_[A-Za-z0-9_=.-]{24,}", 3.0, "PlanetScale; gitleaks planetscale-oauth-token"),
    starts("planetscale-password", "pscale_pw_", r"pscale_pw_[A-Za-z0-9_=.-]{24,}", 3.0, "PlanetScale; gitleaks planetscale-password"),
    starts("polar-access-token", "polar_oat_|polar_pat_", r"(?:polar_oat_|polar_pat_)[A-Za-z0-9]{30,}", 3.5, "Polar docs"),
    starts("posthog-personal-key", "phx_", r"phx_[A-Za-z0-9]{30,}", 3.8, "PostHog; kingfisher posthog"),
    starts("posthog-secure-flags-key", "phs_", r"phs_[A-Za-z0-9]{30,}", 3.8, "PostHog; kingfisher posthog"),
    starts("postman-api-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", 3.0, "Postman; gitleaks postman-api-token"),
    starts("postman-collection-token", "PMAT-", r"PMAT-[A-Z0-9]{19,}", 3.0, "Postman"),
    starts("prefect-api-key", "pnu_|pnb_", r"(?:pnu_|pnb_)[A-Za-z0-9]{27,}", 3.5, "Prefect; gitleaks prefect-api-token"),
    starts("private-key-base64", "LS0tLS1CRUdJTiB", r"LS0tLS1CRUdJTiB(?:QUklWQVRF|[ES]U0EgUFJJVkFURSBL|FQyBQUklWQVRF|PUEVOU1NIIFBSSVZBVEUg|FTkNSWVBURUQgUFJJVkFURSBL|QR1AgUFJJVkFURSBL)[A-Za-z0-9+/]{40,}", 3.0, "RFC 7468, as Kubernetes and others have it in base64"),
    starts("pulumi-access-token", "pul-", r"pul-[0-9a-f]{30,}", 3.0, "Pulumi; gitleaks pulumi-api-token"),
    spaced("putty-private-key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[23]: [a-z0-9@.-]{5,60}", 0.0, "PuTTY PPK"),
    starts("pypi-token", "pypi-AgEIcHlwaS5vcmc|pypi-AgENdGVzdC5weXBpLm9yZw", r"(?:pypi-AgEIcHlwaS5vcmc|pypi-AgENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,}", 3.0, "PyPI; gitleaks pypi-upload-token"),
    starts("razorpay-key", "rzp_live_|rzp_test_", r"(?:rzp_live_|rzp_test_)[A-Za-z0-9]{14,}", 3.0, "Razorpay docs"),
    starts("readme-api-key", "rdme_", r"rdme_[a-z0-9]{52,}", 3.5, "ReadMe; gitleaks readme-api-token"),
    starts("render-api-key", "rnd_", r"rnd_[A-Za-z0-9]{21,}", 3.8, "Render API docs"),
    starts("replicate-api-token", "r8_", r"r8_[A-Za-z0-9]{37}", 3.5, "Replicate docs"),
    starts("resend-api-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", 3.5, "Resend docs"),
    starts("rootly-api-token", "rootly_", r"rootly_[0-9a-f]{64}", 3.0, "Rootly; GitHub rootly_api_key"),
    starts("rubygems-api-key", "rubygems_", r"rubygems_[0-9a-f]{36,}", 3.0, "RubyGems; gitleaks rubygems-api-token"),
    starts("salesforce-session-id", "00D", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}", 4.0, "Salesforce; noseyparker salesforce"),
    starts("samsara-api-token", "samsara_api_", r"samsara_api_[A-Za-z0-9]{30}", 3.5, "Samsara docs"),
    starts("scalingo-api-token", "tk-us-", r"tk-us-[A-Za-z0-9_-]{36,}", 3.8, "Scalingo; gitleaks scalingo-api-token"),
    starts("segment-public-api-token", "sgp_", r"sgp_[A-Za-z0-9]{64}", 3.8, "Segment; GitHub segment_public_api_token"),
    starts("sendgrid-api-key", "SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", 3.5, "SendGrid; gitleaks sendgrid-api-token"),
    starts("sentry-integration-token", "sntrya_|sntryi_", r"sntry[ai]_[0-9a-f]{48,}", 3.0, "Sentry"),
    starts("sentry-org-token", "sntrys_eyJ", r"sntrys_eyJ[A-Za-z0-9+/=_-]{60,}", 3.5, "Sentry; gitleaks sentry-org-token"),
    starts("sentry-user-token", "sntryu_", r"sntryu_[0-9a-f]{48,}", 3.0, "Sentry; gitleaks sentry-user-token"),
    starts("settlemint-token", "sm_aat_|sm_pat_|sm_sat_", r"(?:sm_aat_|sm_pat_|sm_sat_)[A-Za-z0-9]{16,}", 3.0, "SettleMint; gitleaks settlemint-*"),
    starts("shippo-token", "shippo_live_|shippo_test_", r"(?:shippo_live_|shippo_test_)[0-9a-f]{30,}", 3.0, "Shippo; gitleaks shippo-api-token"),
    starts("shopify-partner-token", "prtapi_", r"prtapi_[0-9a-f]{32}", 3.0, "Shopify; GitHub shopify_partner_api_token"),
    starts("shopify-token", "shpat_|shpca_|shppa_|shpss_|shpua_", r"(?:shpat_|shpca_|shppa_|shpss_|shpua_)[0-9a-fA-F]{24,}", 3.0, "Shopify; gitleaks shopify-*"),
    starts("sindri-api-key", "sindri_", r"sindri_[A-Za-z0-9]{32}", 3.5, "Sindri; GitHub sindri_api_key"),
    starts("slack-app-token", "xapp-", r"xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9]{40,70}", 2.8, "Slack; gitleaks slack-app-token"),
    starts("slack-bot-token", "xoxb-", r"xoxb-[0-9]{8,14}-(?:[0-9]{10,14}-)?[A-Za-z0-9]{18,34}", 2.8, "Slack token types; gitleaks slack-bot-token"),
    starts("slack-client-token", "xoxc-|xoxd-", r"(?:xoxc(?:-[0-9]{10,14}){2,3}-[0-9a-f]{64}|xoxd-[A-Za-z0-9%+/]{60,}={0,2})", 2.8, "Slack web client tokens"),
    starts("slack-config-refresh-token", "xoxe-", r"xoxe-[0-9]-[A-Za-z0-9]{120,150}", 3.0, "Slack; gitleaks slack-config-refresh-token"),
    starts("slack-config-token", "xoxe.xoxb-|xoxe.xoxp-", r"xoxe\.xox[bp]-[0-9]-[A-Za-z0-9]{120,170}", 3.0, "Slack; gitleaks slack-config-access-token"),
    starts("slack-legacy-token", "xoxo-|xoxs-", r"xox[os](?:-[0-9]{6,14}){3}-[0-9a-fA-F]{10,64}", 2.5, "Slack; gitleaks slack-legacy-token"),
    starts("slack-user-token", "xoxp-|xoxe-", r"xox[pe](?:-[0-9]{10,14}){2,3}-[A-Za-z0-9]{24,40}", 2.8, "Slack token types; gitleaks slack-user-token"),
    starts("slack-webhook", "hooks.slack.com/|hooks.slack-gov.com/", r"hooks\.slack(?:-gov)?\.com/(?:services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,28}|(?:workflows|triggers)/[A-Za-z0-9]{8,14}/[0-9A-Z]{8,20}/[A-Za-z0-9/]{16,60})", 3.0, "Slack incoming webhooks; gitleaks slack-webhook-url"),
    starts("slack-workspace-token", "xoxa-|xoxr-", r"xox[ar]-(?:[0-9]-)?[A-Za-z0-9-]{24,140}", 2.8, "Slack; gitleaks slack-legacy-workspace-token"),
    starts("sonar-token", "squ_|sqp_|sqa_", r"(?:squ_|sqp_|sqa_)[0-9a-f]{30,}", 3.0, "SonarQube token docs"),
    starts("sourcegraph-license-key", "slk_", r"slk_[0-9a-f]{64}", 3.0, "Sourcegraph license keys"),
    starts("sourcegraph-token", "sgp_", r"sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}", 3.0, "Sourcegraph; gitleaks sourcegraph-access-token"),
    starts("square-access-token", "EAAA", r"EAAA[A-Za-z0-9_-]{60}", 4.0, "Square; gitleaks square-access-token"),
    starts("square-access-token-legacy", "sq0atp-", r"sq0atp-[A-Za-z0-9_-]{16,}", 3.0, "Square; gitleaks square-access-token"),
    starts("square-oauth-secret", "sq0csp-", r"sq0csp-[A-Za-z0-9_-]{32,}", 3.0, "Square OAuth"),
    starts("stackhawk-api-key", "hawk.", r"hawk\.[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}", 3.5, "StackHawk; noseyparker stackhawk"),
    starts("stripe-restricted-key", "rk_live_|rk_test_|rk_prod_", r"(?:rk_live_|rk_test_|rk_prod_)[A-Za-z0-9]{18,}", 3.0, "Stripe keys; gitleaks stripe-access-token"),
    starts("stripe-secret-key", "sk_live_|sk_test_|sk_prod_|sk_org_", r"(?:sk_live_|sk_test_|sk_prod_|sk_org_live_|sk_org_test_)[A-Za-z0-9]{18,}", 3.0, "Stripe keys; gitleaks stripe-access-token"),
    starts("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}", 3.5, "Stripe / Svix webhooks docs"),
    starts("supabase-access-token", "sbp_", r"sbp_(?:v0_)?[0-9a-f]{40}", 3.0, "Supabase; kingfisher supabase"),
    starts("supabase-secret-key", "sb_secret_", r"sb_secret_[A-Za-z0-9_-]{23,}", 3.8, "Supabase API keys docs"),
    starts("tailscale-key", "tskey-auth-|tskey-api-|tskey-client-|tskey-scim-|tskey-webhook-", r"(?:tskey-auth-|tskey-api-|tskey-client-|tskey-scim-|tskey-webhook-)[A-Za-z0-9]{8,30}-[A-Za-z0-9]{20,50}", 3.5, "Tailscale key prefixes docs"),
    starts("tavily-api-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}", 3.5, "Tavily; noseyparker tavily"),
    starts("teamcity-token", "eyJ0eXAiOiAiVENWMiJ9.", r"eyJ0eXAiOiAiVENWMiJ9\.[A-Za-z0-9_-]{36}\.[A-Za-z0-9_-]{48}", 3.5, "TeamCity; noseyparker teamcity"),
    starts("teams-webhook", "webhook.office.com/webhookb2/", r"webhook\.office\.com/webhookb2/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}@[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 0.0, "Microsoft Teams; gitleaks microsoft-teams-webhook"),
    holds("telegram-bot-token", 8, ":AA", r"[0-9]{8}:AA[A-Za-z0-9_-]{33}", 3.5, "Telegram Bot API; gitleaks telegram-bot-api-token"),
    starts("telnyx-api-key", "KEY", r"KEY[0-9A-F]{32}_[A-Za-z0-9]{22}", 3.5, "Telnyx; GitHub telnyx_api_v2_key"),
    starts("tencent-secret-id", "AKID", r"AKID[A-Za-z0-9]{32}", 4.0, "Tencent Cloud CAM"),
    holds("terraform-cloud-token", 14, ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}", 3.5, "HCP Terraform; gitleaks hashicorp-tf-api-token"),
    starts("thunderstore-token", "tss_", r"tss_[A-Za-z0-9]{32,}", 3.8, "Thunderstore; GitHub thunderstore_io_api_token"),
    starts("tinybird-token", "p.eyJ1", r"p\.eyJ1[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{27,}", 3.5, "Tinybird docs"),
    starts("together-api-key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{30,}", 3.8, "Together AI"),
    starts("trello-token", "ATTA", r"ATTA[0-9a-f]{72}", 3.0, "Trello; GitHub secret scanning list"),
    starts("twilio-api-key", "SK", r"SK[0-9a-f]{32}", 3.0, "Twilio; gitleaks twilio-api-key"),
    starts("typeform-token", "tfp_", r"tfp_[A-Za-z0-9_=.-]{30,}", 4.0, "Typeform; gitleaks typeform-api-token"),
    starts("unkey-root-key", "unkey_", r"unkey_[A-Za-z0-9]{20,}", 3.5, "Unkey; GitHub unkey_root_key").or_words(),
    starts("vault-batch-token", "hvb.", r"hvb\.[A-Za-z0-9_-]{103,}", 4.0, "HashiCorp Vault tokens"),
    starts("vault-recovery-token", "hvr.", r"hvr\.[A-Za-z0-9_-]{18,}", 3.5, "HashiCorp Vault tokens"),
    starts("vault-service-token", "hvs.", r"hvs\.[A-Za-z0-9_-]{18,}", 3.5, "HashiCorp Vault tokens"),
    starts("vercel-blob-token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]{12,}_[A-Za-z0-9]{24,}", 3.5, "Vercel Blob docs"),
    starts("vercel-token", "vcp_|vci_|vca_|vcr_|vck_", r"(?:vcp_|vci_|vca_|vcr_|vck_)[A-Za-z0-9_-]{18,}", 3.8, "Vercel changelog, new token formats"),
    starts("volcengine-access-key-id", "AKLT", r"AKLT[A-Za-z0-9_-]{43,}", 4.0, "Volcano Engine; GitHub volcengine_access_key_id"),
    starts("wakatime-api-key", "waka_", r"waka_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", 3.0, "WakaTime"),
    starts("wandb-api-key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_-]{45,}", 4.0, "Weights & Biases"),
    spaced("wireguard-private-key", "PrivateKey", r"PrivateKey ?= ?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)", 4.0, "WireGuard; noseyparker wireguard"),
    starts("x-app-bearer-token", "AAAAAAAAAAAAAAAAAAAAA", r"A{21,24}[A-Za-z0-9]{4,40}%[A-Za-z0-9%]{30,90}", 3.5, "X API v2 app-only tokens; gitleaks twitter-bearer-token"),
    starts("xai-api-key", "xai-", r"xai-[A-Za-z0-9]{30,}", 3.5, "xAI docs"),
    starts("yandex-access-key", "YC", r"YC[A-Za-z0-9_-]{38}", 3.8, "Yandex Cloud; gitleaks yandex-aws-access-token"),
    starts("yandex-api-key", "AQVN", r"AQVN[A-Za-z0-9_-]{35,38}", 3.8, "Yandex Cloud; gitleaks yandex-api-key"),
    starts("yandex-iam-token", "t1.", r"t1\.[A-Za-z0-9_-]{20,}={0,2}\.[A-Za-z0-9_-]{86}={0,2}", 4.0, "Yandex Cloud IAM tokens"),
    starts("yandex-oauth-token", "y0_", r"y0_[A-Za-z0-9_-]{55,80}", 4.0, "Yandex OAuth"),
    starts("zoho-token", "1000.", r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}", 3.0, "Zoho OAuth docs"),
    starts("zuplo-api-key", "zpka_", r"zpka_[A-Za-z0-9]{32}_[0-9a-f]{8}", 3.5, "Zuplo; GitHub zuplo_consumer_api_key"),
];
