"""What only looks like a secret: pins, digests, ids, names and numbers as real work is full of."""

from learnt.core.safety import redact_secrets
from tests.core.test_secret_shapes import drawn

# A kind a paragraph, a string a line; each is drawn three times.
STRINGS = """
requests==2.{d2}.{d1} --hash=sha256:{h64}
opentelemetry-instrumentation-fastapi==0.{d2}b0 needs wrapt>=1.{d2},<2
content-hash = "{h64}"
"lodash": "^4.17.{d2}", "integrity": "sha512-{b86}=="
resolution: {integrity: sha512-{b86}==}
"@types/node@npm:20.1.{d1}": checksum: 10c0/{h128}
name = "serde" version = "1.0.{d3}" checksum = "{h64}"
golang.org/x/text v0.{d2}.0 h1:{b43}=
golang.org/x/sys v0.0.0-20240{d1}15{d6}-{h12} // indirect
"zh:{h64}", "h1:{b43}=",
hash = "sha256-{b43}="; # nix
implementation("com.squareup.okhttp3:okhttp:4.{d2}.{d1}")

sha1 {h40}  build/out.tar
SHA256 (ledger-1.{d1}.{d2}.tar.gz) = {h64}
{h64}  dist/ledger-2.{d1}.0-py3-none-any.whl
MD5: {h32}, the mirror has the same
sha512:{h128}
blake2b-256 digest {h64} was published with the release
the lock says sha384-{b64} for the script
script-src 'self' 'sha256-{b43}='
ETag: "{h32}"
ETag: W/"1f4-{b27}"
host key fingerprint is SHA256:{b43}
Fingerprint: {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
signed by key {H16}
image: nginx:1.27.{d1}-alpine@sha256:{h64}
Pulled ghcr.example.org/ledger/api@sha256:{h64}
Layer {h12}: Already exists
--build-arg BASE=python:3.12.{d1}-slim-bookworm

commit {h40}
the bisect ends at {h40}, not at {h10}
v2.{d2}.{d1}-{d2}-g{h9}
refs/pull/{d4}/merge -> {h40}
index {h10}..{h10} 100644
merge-base {h40} {h40}
uses: actions/checkout@{h40} # v4.{d1}.{d1}
feature/LEDGER-{d4}-rotate-token-in-background
stash@{{d1}}: WIP on fix/password-policy-{d4}: {h7} Ask for twelve letters

session {h8}-{h4}-4{h3}-a{h3}-{h12} ended
id: 0190{h4}-{h4}-7{h3}-8{h3}-{h12}
order 01{U24} was shipped twice
event 2{a26} came late
ObjectId("{h24}")
traceparent: 00-{h32}-{h16}-01
x-request-id: {h32}
RequestId: {h8}-{h4}-4{h3}-9{h3}-{h12} Version: $LATEST
BuildID[sha1]={h40}, for GNU/Linux 3.2.0
build 2024{d4}.{d6} of node {h8}
https://github.com/example/ledger/actions/runs/{d11}/job/{d11}
message 1{d18} in channel 1{d18}
/_next/static/{w21}/_buildManifest.js
TQ3A.230{d3}.001.B{d1} fails on the emulator

i-0{h17} in subnet-0{h17} uses ami-0{h17}
arn:aws:iam::{d12}:role/ledger-deploy-{l8}
arn:aws:acm:eu-west-1:{d12}:certificate/{h8}-{h4}-4{h3}-a{h3}-{h12}
/subscriptions/{h8}-{h4}-4{h3}-b{h3}-{h12}/resourceGroups/ledger-prod
gs://ledger-artifacts-{d6}/builds/{h16}/report.html
Z0{u19} is the hosted zone of example.org
distribution E{u13}

pod/ledger-api-{h9}-{k5} was evicted
payments-worker-{k10}-{k5} 0/1 CrashLoopBackOff
configmap/app-config-{k10} unchanged
secret/ledger-tls-{k10} configured
job.batch/backup-{d8} finished, its pod is backup-{d8}-{k5}
helm.sh/chart: ingress-nginx-4.{d2}.{d1}
persistentvolumeclaim/data-postgres-{d1} is bound to pvc-{h8}-{h4}-4{h3}-8{h3}-{h12}

AbstractAuthenticationTokenFilterPostProcessorFactoryBean{d2}
org.example.ledger.security.JwtTokenAuthenticationProviderTest${d2}
_ZN4core3ptr{d2}drop_in_place$LT$alloc..string..String$GT$17h{h16}E
ledger::auth::tests::token_is_rotated_after_{d2}_minutes
class Button_primary__{w5} sc-{l6} css-{l7}
assets/index-{w8}.js and assets/vendor-{w8}.css
main.{h20}.chunk.js.map
static/media/logo.{h32}.svg
iVBORw0KGgo-{w22}.png is the thumbnail
R0lGODlhAQABAIAAAP-{d2}x{d2}.gif
migrations/versions/{h12}_add_password_hash_to_user.py
test_refresh_token_expires[{d2}-{d4}-utf8mb4_0900_ai_ci]

--accent: #{h6}; --shade: #{h8};
background: linear-gradient(90deg, #{h6} 0%, rgba({d2}, {d2}, {d2}, .5) 100%)
+49 30 {d8}, extension {d3}
ISBN 978-{d1}-{d4}-{d4}-{d1}
doi:10.1145/{d7}.{d7}
arXiv:2401.{d5}v{d1}
0000-000{d1}-{d4}-{d4} is her ORCID
LEDGER-{d5} blocks SEC-{d4}
CVE-2024-{d5} and GHSA-{l4}-{l4}-{l4}
INC00{d7} was closed, CHG00{d7} is open
{h2}:{h2}:{h2}:{h2}:{h2}:{h2} has the lease
fe80::{h4}:{h4}:{h4}:{h4}%eth0
fault at 0x7f{h10} in libledger.so.2.{d1}
epoch {d13}, offset {d9}

max_tokens={d4}, token_budget: {d4}
PASSWORD_RESET_TIMEOUT = {d6}
password_hasher = argon2id m={d5},t=3,p=4
secretName: ledger-tls-{k5}
the API key page moved to /settings/keys?tab={l8}
tokenizer: cl100k_base-{d6}.tiktoken

the key rotation landed in {h40}
token refresh fails, see trace {h32}
the password reset mail is message 01{U24}
session cookie test: run {d11}, seed {d10}
secrets are read by pod vault-agent-{h9}-{k5}
the API key page is chunk settings-{w8}.js
login by token was broken between {h10} and {h10}
the credentials helper is docker-credential-pass 0.8.{d1}
certificate {h8}-{h4}-4{h3}-a{h3}-{h12} holds the public key
author of the token parser: commit {h12}, ticket AUTH-{d4}
"""
OF_EACH = 3


def test_of_innocent_strings_three_in_two_hundred_are_taken_at_most() -> None:
    """1.5 %: a false alarm takes the very words that a note is found by."""
    kinds = [line for line in STRINGS.splitlines() if line]
    strings = [drawn(kind, number) for kind in kinds for number in range(OF_EACH)]
    taken = [each for each in strings if redact_secrets(each)[0] != each]

    assert len(set(strings)) >= 200
    assert len(taken) <= 0.015 * len(strings), taken
