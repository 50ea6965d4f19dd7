"""What commands and programs of a skill would do: patterns of acts that harm, as data.

Each pattern is looked for only where one of its words stands, and repeats with a bound, so that no
text takes longer than its length allows.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from learnt.core.skills.findings import Severity


class Act(NamedTuple):
    """A rule, what tells that it may apply, the pattern, and what it says."""

    rule: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    message: str
    severity: Severity = Severity.ERROR


_SHELL: Final = r"(?:sudo\s+)?(?:env\s+)?\b(?:(?:(?:ba|z|da|k|fi)?sh|iex|pwsh|powershell)\b|(?:python3?|node|perl|ruby|php)(?=\s*-?\s*(?:[\"'`;&)|\n]|$)))"
_FETCH: Final = r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b"
_FETCHES: Final = ("curl", "wget", "iwr", "irm", "invoke-")
# Whoever runs these installers trusts these hosts already.
KNOWN: Final = re.compile(
    r"https://(?:astral\.sh|bun\.sh|sh\.rustup\.rs|deno\.land|get\.docker\.com|get\.pnpm\.io|fnm\.vercel\.app"
    r"|install\.python-poetry\.org|raw\.githubusercontent\.com|get\.helm\.sh|foundry\.paradigm\.xyz|claude\.ai"
    r"|cli\.github\.com|ollama\.com|get\.sdkman\.io|fly\.io|mise\.run|brew\.sh|nixos\.org|pixi\.sh)\b"
)
SECRET: Final = re.compile(
    r"(?:~|\$\{?home\}?|%userprofile%|homedir\(\)|expanduser\(|path\.home\(\)|/root|/home/\w+)[^\n]{0,30}?\.(?:ssh|aws|gnupg|kube"
    r"|netrc|npmrc|pypirc|docker|azure|claude\b|codex|git-credentials|config/(?:gh|gcloud|chromium|google)|mozilla|pgpass)"
    r"|\bid_(?:rsa|ed25519|ecdsa)\b(?!\S*\.pub)|\.git-credentials\b|(?<!\w)\.(?:netrc|npmrc|pypirc)\b|cookies\.sqlite|login data\b"
    r"|wallet\.dat|seed\.txt|find-(?:generic|internet)-password|/etc/(?:shadow|passwd)|\.(?:bash|zsh)_history|169\.254\.169\.254"
    r"|gh auth token|print-access-token|dict\(os\.environ\)|dumps\([^\n]{0,20}os\.environ\b(?!\[|\.get)|stringify\(process\.env\)"
    r"|(?<![\w.])(?:env|printenv|set)\s*\|\s*(?!grep|sort)|\*\.(?:pem|key)\b|@\.env\b|cat \.env\b|<\s*\.env\b|pbpaste|xclip -o|keychain-db"
)
SINK: Final = re.compile(
    rf"{_FETCH}[^\n;]{{0,300}}?(?:\s-[a-z]*[dft]\b|\s-x\s*p|--data|--form|--upload|--post|-body\b|-infile\b|[?&/=][^\s\"']{{0,80}}\$[({{\w])"
    r"|\b(?:nc|ncat|netcat|socat|scp|sftp|rclone|ftp|telnet)\s+[-\w~.\"'$@]|requests\.(?:post|put|get)|urlopen\(|urlretrieve\(|\bfetch\(|https?\.(?:request|get)\("
    r"|axios|sendmail|smtplib|\.sendall\(|\.connect\(\(|uploadstring|uploadfile|httpx\.|\bmail\s+-s|(?:dig|nslookup|host|ping)\s[^\n]{0,120}\$[({\w]"
    r"|aws s3 (?:cp|sync)|gsutil cp|git push \S*https?://|rsync\s[^\n]{0,200}?\w@?[\w.]+:"
)

ACTS: Final = tuple(
    Act(rule, words, re.compile(pattern, re.I | re.M), message)
    for rule, words, pattern, message in (
        ("pipe-to-shell", _FETCHES, rf"{_FETCH}[^\n|]{{1,300}}\|\s*{_SHELL}", "It runs a download unread."),
        ("pipe-to-shell", _FETCHES, rf"(?:{_SHELL}\s+(?:-\w+\s+)*|\beval\s+|\bsource\s+)[\"']?(?:<\(|\$\(|`)\s*{_FETCH}", "It runs a download unread."),
        ("pipe-to-shell", ("iex", "invoke-expression", "mshta", "regsvr32", "certutil", "bitsadmin"),
         r"\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:download|irm|iwr|webclient)|\b(?:mshta|regsvr32)\b[^\n]{0,60}https?:|certutil\b[^\n]{0,60}urlcache", "It runs a download unread."),
        ("runs-decoded-text", ("base64", "xxd", "openssl", "rev", "tr ", "gunzip"), rf"(?:base64\s+(?:-d|--decode)|xxd\s+-r|openssl\s+enc|\brev\b|\btr\s+[\"']?a-z|gunzip)[^\n]{{0,80}}\|\s*{_SHELL}", "It runs what it decodes."),
        ("runs-decoded-text", ("exec", "eval", "function(", "import"), r"(?:\bexec|\beval|new function|compile)\s*\(\s*[^\n]{0,120}(?:b64decode|atob\(|fromhex|urlopen|requests\.get|decompress|buffer\.from|marshal|\.read\(\)|rot13|\[::-1\])", "It runs what it decodes or downloads."),
        ("runs-decoded-text", ("getattr", "__import__", "globals", "-enc"), r"getattr\(\s*__builtins__|__import__\([^)\n]{0,30}\)\.(?:system|popen)|globals\(\)\[[^\]]{0,40}(?:exec|eval)|-enc(?:odedcommand)?\s+[a-z0-9+/=]{16,}", "It hides which program it runs."),
        ("reverse-shell", ("/dev/tcp", "/dev/udp", "nc ", "ncat", "netcat", "socat", "pty.spawn", "tcpclient", "dup2"),
         r"/dev/(?:tcp|udp)/[\w.$-]+/\d[^\n]{0,40}[<>]&|>&?\s*/dev/(?:tcp|udp)/[\w$][\w.$-]*/\d|\b(?:nc|ncat|netcat)\b[^\n]{0,60}\s-\w*[ec]\w*\s+\S*(?:sh|cmd)|mkfifo[^\n]{0,100}\|[^\n]{0,60}\bnc\b|socat\b[^\n]{0,80}exec:|tcpclient\(\s*[\"']|dup2\([^\n]{0,60}fileno|pty\.spawn", "It opens a shell to another machine."),
        ("persistence", ("crontab", "authorized_keys", ">>", "tee -a", "git config"),
         r"\|\s*crontab\b|echo\b[^\n]{0,300}>>?\s*[\"']?\S{0,80}authorized_keys|(?:curl|wget|eval|alias|nohup|python|nc |base64|export path=/tmp)[^\n]{0,160}(?:>>|tee -a)\s*[\"']?(?:~|\$\{?home\}?)/\.(?:bash|zsh|profile)"
         r"|git config --global (?:core\.(?:hookspath|sshcommand|fsmonitor)|alias\.\w+ [\"']?!)", "It makes something run later, by itself."),
        ("lasting", ("authorized_keys", "cron", "hooks/", "launchagents", "schtasks", "\\run", "startup", "systemd", "profile.d", "autostart", "rc.local", ".pth", "sudoers", "ld.so"),
         r"(?:>>?|\btee(?:\s+-a)?|\bcp\s+\S+|\bmv\s+\S+|\bln\s+-\S+\s+\S+|open\(|write_text|writefile\w*\()[^\n]{0,80}(?:authorized_keys|\.git/hooks/|/etc/(?:cron|profile\.d|sudoers|ld\.so|rc\.local)|launchagents/|systemd/(?:user|system)/|/autostart/|\.pth\b)"
         r"|schtasks\s+/create|currentversion\\run|startup\\|crontab -e", "It installs something that runs later."),
        ("settings", ("bypass", "dangerous", "autoapprove", "yolo", "approval", "enableall", "full-access", "trust"),
         r"defaultmode[\"'`]?\s*[:=]\s*[\"'`]?bypass|claude\b[^\n]{0,40}--dangerously-skip|skipdangerous\w+[\"'`]?\s*[:=]\s*true|autoapprove\W{0,4}\s*\S{0,3}\s*\W{0,3}true|--yolo\b|approval[-_]policy\W{1,5}never|danger-full-access|--dangerously-bypass|enableallprojectmcpservers\W{1,4}true|hastrustdialogaccepted", "It switches the agent's questions off."),
        ("address", (*_FETCHES, "urlopen", "requests", "fetch(", "request("),
         rf"(?:{_FETCH}|urlopen|requests\.\w+|fetch|request)\b[^\n]{{0,120}}https?://(?!127\.|10\.|192\.168\.|0\.0\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254)\d{{1,3}}(?:\.\d{{1,3}}){{3}}", "It loads from an address without a name."),
        ("package-source", ("install", "npx", "uvx", "add"), r"\b(?:pip3?|uv)\b[^\n]{0,40}\binstall\b[^\n]{0,120}(?:--(?:extra-)?index-url[\s=]+(?!\S*(?:pypi|pytorch|nvidia)\b)|http://|--trusted-host)|\bnpx\s+(?:-\w+\s+)*https?://|\bnpm\s[^\n]{0,80}--registry[\s=]+(?!https://registry\.npmjs)", "It installs from an unknown source."),
        ("destruction", ("rm ", "dd ", "docker", "mkfs", "remove-item"), r"\brm\s+-\w*[rf]\w*\s+(?:--no-preserve-root\s+)?[\"']?(?:~|\$\{?home\}?|/)[\"']?(?:/?\*)?(?:\s|$)|docker\s+run\b[^\n]{0,120}-v\s*/:/|rm\s+-rf?\s+~/\.(?:claude|ssh|git)|\bdd\b[^\n]{0,60}of=/dev/[sn]", "It destroys or takes over the machine."),
        ("beacon", ("![",), r"!\[[^\]\n]{0,120}\]\(\s*https?://[^)\s]{1,200}[?&]\w+=(?:\{|<|\$|%7b|\[|[A-Z_]{4,}\b)", "An image would carry data away."),
        ("fake-turn", ("<system", "<|", "[inst", "<<sys", "[tool_result", "</skill", "</available", "</function", "<assistant", "<user>", "[system"),
         r"^\s{0,3}(?:<system(?:-reminder|_prompt|-message)?>|</?skills?>|</available_skills>|</?(?:function|tool)_results?>|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\]|<<sys>>|\[tool_result\b|\[system\]|</?(?:assistant|human)>)", "It imitates the conversation's own marks."),
        ("fake-turn", ("human:", "user:"), r"^(?:human|user):\s[^\n]{1,400}\n{1,3}(?:assistant|ai):\s", "It imitates turns of a conversation."),
    )
)  # fmt: skip
