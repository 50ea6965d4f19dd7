"""What commands and programs of a skill would do: patterns of acts that harm, as data.

Each pattern is looked for only where one of its words stands, and repeats with a bound, so that no
text takes longer than its length allows.
"""

import re
from collections.abc import Iterator
from typing import Final

from learnt.core.records import Record


class Act(Record):
    """A rule, what tells that it may apply, the pattern, and what it says."""

    rule: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    message: str


_FETCH: Final = r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b"
_FETCHES: Final = ("curl", "wget", "iwr", "irm", "invoke-")
# Whoever runs these installers trusts these hosts already.
KNOWN: Final = re.compile(
    r"https://(?:astral\.sh|bun\.sh|sh\.rustup\.rs|deno\.land|get\.docker\.com|get\.pnpm\.io|fnm\.vercel\.app"
    r"|install\.python-poetry\.org|raw\.githubusercontent\.com/(?:homebrew|nvm-sh|helm|anchore|ohmyzsh|aquasecurity)\b|get\.helm\.sh|foundry\.paradigm\.xyz|claude\.ai"
    r"|cli\.github\.com|ollama\.com|get\.sdkman\.io|fly\.io|mise\.run|brew\.sh|nixos\.org|cli\.inference\.sh|cursor\.com|fluxcd\.io|sdk\.cloud\.google\.com|proton\.me|opencode\.ai|starship\.rs|tailscale\.com|get\.k3s\.io|pixi\.sh)(?=[/\s\"'`)]|$)"
)
SECRET: Final = re.compile(
    r"(?:~|\$\{?home\}?|%userprofile%|homedir\(\)|expanduser\(|path\.home\(\)|dir\.home|user\.home|os\.homedir|home[\"'\])}]+|getfolderpath|\$env:userprofile|/root|/home/\w+)[^\n]{0,30}?\.(?:ssh|aws|gnupg|kube"
    r"|netrc|npmrc|pypirc|pgpass|docker|azure|claude\b|codex|git-credentials|config/(?:gh|gcloud|chromium|google)|mozilla)"
    r"|\bid_(?:rsa|ed25519|ecdsa)\b(?!\S*\.pub)|\.git-credentials\b|(?<!\w)\.(?:netrc|npmrc|pypirc)\b|cookies\.sqlite|login data\b|chrom\w*/\S{0,40}cookies\b"
    r"|wallet\.dat|\*wallet|\.kdbx\b|\.(?:p12|pfx|ppk|jks)\b|key4\.db|logins\.json|seed\.txt|security (?:unlock|dump|export)\b|find-(?:generic|internet)-password|/etc/(?:shadow|passwd)|\.(?:bash|zsh)_history|169\.254\.169\.254"
    r"|gh auth token|print-access-token|dict\(os\.environ\)|dumps\([^\n]{0,20}os\.environ\b(?!\[|\.get)|stringify\(process\.env\)"
    r"|(?<![\w.])(?:env|printenv|set)\s*\|\s*(?!grep|sort)|\*\.(?:pem|key)\b|@\.env\b|cat \.env\b|<\s*\.env\b|glob[^\n]{0,60}(?:[\"']home|~/)|pbpaste|xclip -o|keychain-db"
)
SINK: Final = re.compile(
    rf"{_FETCH}[^\n;]{{0,300}}?(?:\s-[a-z]*[dft]\b|\s-x\s*p|--data|--form|--upload|--post|-body\b|-infile\b|[?&/=][^\s\"']{{0,80}}\$[({{\w])"
    r"|\b(?:nc|ncat|netcat|socat|scp|sftp|rclone|ftp|telnet)\s+[-\w~.\"'$@]|requests\.(?:post|put|get)|urlopen\(|urlretrieve\(|\bfetch\(|https?\.(?:request|get)\("
    r"|axios|sendmail|smtplib|\.sendall\(|\.connect\(\(|uploadstring|uploadfile|httpx\.|net::http|httparty|faraday|net/http|httpclient|curl_exec|fsockopen|okhttp|lwp::|webclient|\bmail\s+-s|(?:dig|nslookup|host|ping)\s[^\n]{0,120}\$[({\w]"
    r"|aws s3 (?:cp|sync)|gsutil cp|git push \S*https?://|rsync\s[^\n]{0,200}?\w@?[\w.]+:"
)
# Switches and files by their own names, which say what they protect.
_SWITCHED: Final = (
    r"(?:(?<=\s)--?|\b)(?:no|skip|disable|ignore|without|bypass|insecure|allow)[-_][a-z-]{0,24}(?:verif|check-?cert|cert|gpg-?sign|scan|hooks?\b|sandbox|secur|polic|safe|ssl|tls|auth(?!or)|protect|audit)[a-z-]*|(?<![\w.-])[\w.-]{0,60}?(?:ssl_?verif|verify_?ssl|verify|tls|sandbox|audit|protect|checksum|signature|firewall|quarantine|antivirus|realtimemonitoring|enforce|unauthorized|hostkeychecking)\w*[\"']? ?(?:=|: ?| )[\"']?\$?(?:false|0|no|off|none|never|disabled?|skip|permissive)(?![\w.])|(?:curl|wget)(?= )[^;|]{0,200} (?:-\w*k\w*|--insecure)(?= )"
    r"|(?<![\w/-])(?:rm|mv|unlink|chmod|truncate|jq|sed|git rm|del|remove-item)(?= )[^;|]{0,200}?(?:\bhooks?\b|\.husky|lefthook|pre-commit-config|codeowners|\.github/workflows|\.?(?:eslint|gitleaks|semgrep|trivy)\w*\.|dependabot|audit\.log|\.(?:bash|zsh)_history)|\b(?:husky|lefthook)=0\b|\b(?:unset|set \+o) hist\w+|\bhist(?:file|size)=(?:/dev/null|0)|\bpre-commit uninstall|\bhistory -c|\b(?:systemctl|service|launchctl|sc|killall|pkill)\b[^;|]{0,200}(?:stop|disable|mask|unload|kill)\b[^;|]{0,200}\b(?:audit\w*|apparmor|falco\w*|osquery\w*|firewalld|fail2ban|clamav\S*|crowdstrike|defender|sentinel\w*|wazuh\S*)|\biptables -F|\bnft flush|\bnetsh advfirewall\b[^;|]{0,200}off|set-mppreference|spctl --(?:master|global)-disable|xattr -\w*d\w* com\.apple\.quarantine|\bgh (?:api|secret|ruleset)\b[^;|]{0,200}(?:protection|-x delete|--method delete)"
)  # fmt: skip
SPOKEN: Final = (
    ("guard-off", re.compile(_SWITCHED, re.IGNORECASE)),
    ("exfiltration", re.compile(rf"\|\s*(?:{_FETCH}|\b(?:nc|ncat|netcat)\b)(?=[^\n]*\s-)|{_FETCH}[^\n;|]{{0,200}}?(?:\s-t\s|--upload-file|[\s=\"'](?:\w+=)?@[-\w./~$])|\bb?cc\b[^\n]{{0,80}}\w@\w", re.IGNORECASE)),  # what was read or piped
    ("address", re.compile(r"https?://(?!127\.|10\.|192\.168\.|0\.0\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}")),
    ("beacon", re.compile(r"!\[[^\]\n]{0,120}\]\(\s*https?://[^)\s]{1,200}[?&]\w+=[A-Z]{3,}\)")),
)  # fmt: skip
SENDS: Final = (
    *_FETCHES, "nc ", "ncat", "netcat", "socat", "scp", "sftp", "rclone", "ftp ", "telnet", "requests", "urlopen", "urlretrieve", "fetch(", "http",
    "axios", "sendmail", "smtplib", "sendall", "connect((", "upload", "mail ", "dig ", "nslookup", "host ", "ping ", "s3 ", "gsutil", "git push", "rsync", "net::", "httparty", "faraday", "curl_exec", "fsockopen", "lwp::", "webclient", "```", "assistant:", "ai:",
)  # fmt: skip

ACTS: Final = tuple(
    Act(rule, words, re.compile(pattern, re.I | re.M), message)
    for rule, words, pattern, message in (
        ("runs-decoded-text", ("exec(", "eval(", "exec (", "eval (", "function(", "compile("), r"(?:\bexec|\beval|new function|compile)\s*\(\s*[^\n]{0,120}(?:b64decode|atob\(|fromhex|urlopen|requests\.get|decompress|buffer\.from|marshal|rot13|\[::-1\])", "It runs what it decodes or downloads."),
        ("runs-decoded-text", ("getattr(", "__import__", "globals()", "-enc", "chr("), r"(?:subprocess|os\.system|\bexec|\beval|popen)[^\n]{0,120}\bchr\((?:int|\w\b)|getattr\(\s*__builtins__|__import__\([^)\n]{0,30}\)\.(?:system|popen)|globals\(\)\[[^\]]{0,40}(?:exec|eval)|-enc(?:odedcommand)?\s+[a-z0-9+/=]{16,}", "It hides which program it runs."),
        ("reverse-shell", ("/dev/tcp", "/dev/udp", "nc ", "ncat", "netcat", "socat", "pty.spawn", "tcpclient", "dup2", "mkfifo"),
         r"/dev/(?:tcp|udp)/[\w.$-]+/\d[^\n]{0,40}[<>]&|>&?\s*/dev/(?:tcp|udp)/[\w$][\w.$-]*/\d|\b(?:nc|ncat|netcat)\b[^\n]{0,60}\s-\w*[ec]\w*\s+\S*(?:sh|cmd)|mkfifo[^\n]{0,100}\|[^\n]{0,60}\bnc\b|socat\b[^\n]{0,80}exec:|tcpclient\(\s*[\"']|dup2\([^\n]{0,60}fileno|pty\.spawn", "It opens a shell to another machine."),
        ("settings", ("bypass", "dangerous", "autoapprove", "autoaccept", "yolo", "approval_", "approval-p", "enableall", "full-access", "hastrust"),
         r"defaultmode[\"'`]?\s*[:=]\s*[\"'`]?bypass|claude\b[^\n]{0,40}--dangerously-skip|skipdangerous\w+[\"'`]?\s*[:=]\s*true|auto(?:approve|accept)\W{0,4}\s*\S{0,3}\s*\W{0,3}true|--yolo\b|approval[-_]policy\W{1,5}never|danger-full-access|--dangerously-bypass|enableallprojectmcpservers\W{1,4}true|hastrustdialogaccepted", "It switches the agent's questions off."),
        ("exfiltration", ("remote add", "gist create", "| ssh", "|ssh", "git push"), r"git push (?:-\S+ )*https?://\S+[^\n]{0,40}--(?:mirror|all)|remote add (\w+) [^\n]{1,200}push \1 --(?:all|mirror)|gist create[^\n]{0,60}(?:\.env|\.ssh|secret|credential)|(?:\btar\b|\bcat\b|\bzip\b)[^\n|]{0,80}(?:~|\$home)[^\n|]{0,40}\|\s*ssh\b", "It sends private files away."),
        ("address", (*_FETCHES, "urlopen", "requests", "fetch(", "request("),
         rf"(?:{_FETCH}|urlopen|requests\.\w+|fetch|request)\b[^\n]{{0,120}}https?://(?!127\.|10\.|192\.168\.|0\.0\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254)\d{{1,3}}(?:\.\d{{1,3}}){{3}}", "It loads from an address without a name."),
        ("beacon", ("![",), r"!\[[^\]\n]{0,120}\]\(\s*https?://[^)\s]{1,200}[?&]\w+=(?:\{|<|\$|%7b|\[|(?:data|text|info|content|payload|secrets?|tokens?|query|msg|message|context|session|value|summary|result|output|encoded|base64)\))", "An image would carry data away."),
        ("fake-turn", ("<system", "<|", "[inst", "<<sys", "[tool_result", "</skill", "</available", "</function", "<assistant", "<user>", "[system"),
         r"^\s{0,3}(?:<system(?:-reminder|_prompt|-message)?>|</?skills?>|</available_skills>|</?(?:function|tool)_results?>|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\]|<<sys>>|\[tool_result\b|\[system\]|</?(?:assistant|human)>)", "It imitates the conversation's own marks."),
        ("fake-turn", ("human:", "user:"), r"^(?:human|user):\s[^\n]{1,400}\n{1,3}(?:assistant|ai):\s", "It imitates turns of a conversation."),
    )
)  # fmt: skip
HOT: Final = tuple({word for act in ACTS for word in act.words} | set(SENDS))
REMOTE: Final = re.compile(
    r"\b(?:curl|wget|nc|ncat|iwr|irm|base64|eval|scp)\b|urlopen|requests\.|/dev/tcp|https?\.request"
)
PLANTED: Final = re.compile(r"authorized_keys|\| crontab|sudoers|ld_preload|(?:alias|eval) ")
FRONT: Final = re.compile(
    r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
KEY: Final = re.compile(r"^([ \t]*)[\"']?([\w.\- ]{1,60}?)[\"']?[ \t]*:(?=\s|$)", re.MULTILINE)
GAP: Final = re.compile(
    r"[\"'][ \t]{0,9}[+,.]?[ \t]{0,9}(?:\n[ \t]{0,40})?[\"']|\\\r?\n[ \t]*|\$\{?IFS\}?|\^(?=\w)"
)
FENCE: Final = re.compile(
    r"^[ \t>]*(```+|~~~+)([^\n`]*)\n(.*?)(?:^[ \t>]*\1|\Z)", re.DOTALL | re.MULTILINE
)
INLINE: Final = re.compile(r"`([^`\n]{4,400})`")
PROGRAM: Final = re.compile(
    r"(?:sudo |ba|z)?(?:sh|git|gh|grep|rg|curl|cat|eval|echo|find|npm|npx|python3?|node|docker|kubectl) "
)
PLACE: Final = re.compile(r"https?://|\w\.\w+/")
URL: Final = re.compile(r"https?://[^\s\"'`)]+")
SHELLS: Final = re.compile(r"(?i)\s*(?:ba|z|fi)?sh(?:ell)?\b|console|powershell")
QUOTED: Final = re.compile(
    r"\"[^\"\n]{3,300}\"|(?<![^\Wfr])'[^'\n]{3,300}'(?!\w)|“[^”\n]{3,300}”|«[^»\n]{3,300}»|„[^“\"\n]{3,300}[“\"]|「[^」\n]{3,300}」|`[^`\n]{3,300}`"
)
# A sentence of four words or more, which no key, token or greeting holds.
SENTENCE: Final = re.compile(
    r"(?:[^\W\d_]{1,20}['’]?[,.;:]? ){3}[^\W\d_]{2}|[\u3040-\u30ff\u4e00-\u9fff]{8}"
)
ELEMENT: Final = re.compile(r"<(\w{1,20})\b([^<>]{0,300})>")
UNSHOWN_ELEMENTS: Final = frozenset({"template", "noscript", "desc", "metadata"})
UNSHOWN_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0?\.?[01](?![\d.])|opacity\s*:\s*0(?![.\d])|(?<![-\w])color\s*[:=]\s*[\"']?(?:#fff|white|transparent)|\bhidden\b|left\s*:\s*-\d{3,}|height\s*:\s*0|\btype\s*=\s*[\"']?text/(?!javascript|css)",
    re.IGNORECASE,
)
UNSHOWN: Final = re.compile(
    r"^\[[^\]\n]{1,40}\]:\s*(?:#|<>|about:blank)\s*([(\"'][^\n]{3,2000})|\]\([^)\s\"\[]{1,120}\s+\"([^\"\n]{30,1000})\"|!\[([^\]\[\n]{60,1000})\]",
    re.MULTILINE,
)
LOADED: Final = re.compile(
    r"(?:^|(?<=[\s(:>*|-]))!`([^`\n]{1,2000})`|^[ \t>]*```+!()", re.MULTILINE
)
READ_ONLY: Final = re.compile(
    r"(?:git (?:diff|log|status|branch|show|rev-parse|remote|describe|ls-files|config --get|stash list)|gh (?:pr|issue|repo) (?:view|diff|list|status)|ls|pwd|date|cat (?!.*[~.]\w*(?:env|ssh|aws|rc))|head|tail|wc|which|uname|whoami|tree|basename|echo|node (?:-v|--version)|npm (?:ls|-v|--version)|python3? (?:-V|--version)|jq|grep|sort|uniq|test|true)\b"
)
OWN: Final = re.compile(
    r"(?:googleapis|amazonaws|azure|microsoft)\.com|api\.github\.com|localhost|127\.0\.0\.1"
)
ARGUMENTS: Final = re.compile(r"\$\{?ARGUMENTS\b")
GRABS: Final = re.compile(
    r"mcp__\*|(?<![\w(:/*-])\*(?![\w):/*])|\ball\b|\b(?:bash|shell|powershell|edit|write|multiedit|webfetch|task|agent)\(\s*(?:domain)?[:\s]*\*{1,2}\s*\)|\b(?:edit|write|read)\(\s*(?:~|//?(?:\*|etc|home|root)|\$home)[^)\n]*\)"
    r"|bash\((?:sudo|su|eval|exec|env|xargs|sh|bash|zsh|ssh|scp|nc|chmod|crontab|dd|rm|osascript|powershell|pwsh|docker run|(?:python3?|node|perl|ruby|php|sh|bash)\s+-[ce])\b\s*:?\s*-?\w?\s*\*\s*\)",
    re.IGNORECASE,
)
WIDE: Final = re.compile(
    r"(?i)\bbash\b(?!\()|bash\((?:python3?|node|curl|wget|git push|npx|npm|pip|find|make|docker|uv|bun|deno|git|awk)\s*:?\s*\*\)|\bpowershell\b|mcp__\S*\*|\btask\b"
)
ACTS_ALONE: Final = re.compile(
    r"(?i)hooks|shell|status-?line|mcp-?servers?|permission-?mode|permissions|additional-?directories|sandbox|approval.*|auto-?approve.*|env|command|on-?load|post-?install|run|startup|initialize|setup"
)
OURS: Final = re.compile(r"learnt[-_.:]")
FORGED: Final = re.compile(
    r"(?i)(?:.*[._-])?(?:accept\w*|approv\w*|trust\w*|verif\w*|verdict|scan\w*|sign(?:ed|ature|er)\w*|provenance|attest\w*|alpha|beta|confirm\w*|confidence|success[_-]rate|usage[_-]count|decay\w*|pinned|review(?:ed|er|s)?(?:[_-]by)?|audit\w*|supersedes|rollback|checksum|sha256|digest|score|certif\w*|safe|integrity)"
)
TAGGED: Final = ("alpha", "<!--", "[id:", "src=", "accepted=", "C0=")
TAG: Final = re.compile(
    r"<!--\s*(?:decay|learnt|id)\s*:|\balpha\s*=\s*\d+[^\n]{0,20}\bbeta\s*=|\[id:\s*\w+|\bsrc=(?:human|user)\b|\baccepted=true|\bC0=\d"
)
PATHS: Final = (
    ("runs-unasked", "Agents or tools run or obey this file by itself.",
     re.compile(r"(?i)(?:^|/)(?:hooks/hooks\.json|(?:\.claude|\.gemini|\.codex|\.cursor|\.opencode|\.vscode|\.idea|\.devcontainer|\.husky|\.git|\.claude-plugin|\.github/workflows)/.*|\.?mcp\.json|\.lsp\.json|settings(?:\.local)?\.json|plugin\.json|opencode\.jsonc?|gemini-extension\.json|\.envrc|\.npmrc|\.yarnrc.*|\.pnpmfile\.cjs|pip\.conf|\.?mise\.toml|\.tool-versions|\.bashrc|\.zshrc|\.profile|\.bash_profile|\.gitconfig|\.gitmodules|\.gitattributes|\.pre-commit-config\.yaml|.*\.pth|(?:site|user)customize\.py|autorun\.inf|desktop\.ini|.*\.(?:lnk|desktop|plist|service|timer|reg|scf|url)|\.?crontab|.*\.code-workspace|claude(?:\.local)?\.md|agents\.md|gemini\.md|copilot-instructions\.md|\.cursorrules|\.windsurfrules|binding\.gyp|\.vimrc|\.exrc|\.lldbinit|\.gdbinit|\.inputrc|\.editorrc|(?:commands|agents)/.*\.md)$")),
    ("own-verdict", "It brings its own record of where it comes from or how it was judged.",
     re.compile(r"(?i)(?:^|/)(?:(?:skills?)?[.-]?lock(?:\.json)?|skills?[-.]lock.*|\.?origin\.json|\.clawhub/.*|\.?learnt(?:/.*|\..*)|\.learnt.*|.*\.(?:sig|asc|minisig|sigstore|attestation|intoto\.jsonl)|signatures?(?:\..*)?|provenance.*|.*(?:verdict|attestation|approval|scan[-_]?(?:report|result))s?\.\w+|.*ledger.*\.(?:jsonl?|db|sqlite\d?)|proposals\.jsonl|reuse\.json|improvement-queue\.json|decay.*\.json|\.history\.json|\.?verified|\.?trusted|sha256sums?.*|metadata\.json|_meta\.json)$")),
    ("program", "It ships a program that nobody can read.",
     re.compile(r"(?i)\.(?:exe|dll|so|dylib|scr|com|msi|jar|class|pyc|pyd|node|wasm|app|apk|deb|rpm|dmg|pkg|bin|o|a|elf|docm|xlsm|pptm)$")),
    ("nested-archive", "It ships an archive, whose content is not seen.",
     re.compile(r"(?i)\.(?:zip|tar|t?gz|tbz2?|bz2|xz|txz|7z|rar|zst|whl|egg|skill|cab|iso)$")),
)  # fmt: skip
# How files begin that nobody can read.
NESTED: Final = (
    b"PK\x03\x04", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf\x27\x1c", b"BZh", b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)  # fmt: skip
PROGRAMS: Final = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\x00asm")
# Pictures, pages and fonts, whose bytes only look like commands.
PICTURES: Final = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"wOF", b"\0\1\0\0")
# What no client reads where it lies, or reads as any text; and what a registry notes of a skill.
COPIED: Final = re.compile(
    r"(?i)^(?:assets|templates?|examples?|references?|resources|evals?)/|\.md$|(?:_meta|metadata)\.json$"
)
COMMENTED: Final = re.compile(r"(?:^|\s)(?:#|//|--)\s[^\n]*$")
UNASKED: Final = re.compile(
    r"(?i)(?:^|/)(?:conftest\.py|setup\.py|build\.rs|makefile|gulpfile\.js|gruntfile\.js|__init__\.py|noxfile\.py|tox\.ini|gemfile|rakefile|package\.json|composer\.json|pyproject\.toml|cargo\.toml|dockerfile|.*\.(?:gemspec|cmake|gradle|csproj|targets)|.*config\.[cm]?[jt]s)$"
)
STARTS: Final = re.compile(
    r"\b(?:subprocess|os\.system|os\.popen|popen|child_process|execsync|urlopen|requests\.|socket|https?\.(?:get|request)|curl|wget|command::new|exec\s*task|system\()|\"(?:pre|post)?(?:install|prepare|prepublish|pack|dependencies)\"\s*:\s*\"|cmdclass|build-backend\W+\w+\W+backend-path",
    re.IGNORECASE,
)
WELL_KNOWN: Final = frozenset(
    "pdf docx xlsx pptx skill-creator mcp-builder frontend-design webapp-testing canvas-design"
    " algorithmic-art brand-guidelines internal-comms slack-gif-creator theme-factory"
    " doc-coauthoring web-artifacts-builder code-review security-review claude-api"
    " pdf-processing".split()
)
RESERVED: Final = re.compile(
    r"(?:^|-)(?:official|builtin|built-in|verified|trusted|certified|anthropic-\w+)(?:-|$)"
)


def hot(text: str) -> str:
    """The text in small letters, of lines that can hold no act only their ends."""
    low = text.casefold()
    present = [word for word in HOT if word in low]
    lines = low.split("\n")
    return "\n".join(line if any(map(line.__contains__, present)) else "" for line in lines)


def acts_in(low: str) -> Iterator[tuple[Act, re.Match[str]]]:
    """What a text in small letters does that harms, each act once."""
    for act in ACTS:
        if any(word in low for word in act.words) and (match := act.pattern.search(low)):
            yield act, match
