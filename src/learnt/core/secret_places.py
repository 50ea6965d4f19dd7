"""Patterns of where credentials stand: in headers, addresses, commands and calls, behind names.

Standard library only, and data: a copy of this file with these in it lies beside the hook. A
pattern a line; what they catch and leave is in `tests/core/test_secrets.py`.
"""

import re

from learnt.core.late_patterns import late
from learnt.core.words import SECRETS

# What a text tells openly: keys and signatures that are public, embedded files, checksums.
OPEN = late(
    r"-----BEGIN (?!(?:[A-Z]+ ){0,3}PRIVATE)[A-Z0-9 ]{3,40}-----[^-]{0,20000}+(?:-----END)?"
    r"|\bdata:[\w/+.-]{3,60};base64,[\w+/=]*+"
    r"|\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{3,20}|sk-[\w-]{3,20}@openssh\.com) AAAA[\w+/=]*+"
    r"|\b(?:sha(?:1|256|384|512)|md5|h1|zh)[-:=/][\w+/=-]{16,}+"
    r"|\bp=MI[\w+/=]*+|\barn:aws[\w:/.*-]*+|\bpk\.eyJ[\w.-]*+|\bSHA256:[\w+/]{40,}|\bsk-(?:ssh|ecdsa)-\S+"
)
_GAP = "(?:[ +]|%20)"
_KIND = f"{_GAP}(?:[A-Z]+{_GAP}){{0,3}}PRIVATE{_GAP}KEY(?:{_GAP}BLOCK)?-----"
KEY = late(
    rf"-----BEGIN{_KIND}(?![\"'`)])(?s:.*?)(?:-----END{_KIND}|\Z)"
    # Its lines, where its head was cut off.
    r"|(?:^|(?<=\n)|(?<=\\n))[ \t>|\"'+-]{0,12}(?:[A-Za-z0-9+/]{60,76}(?:[ \t\"']{0,4}(?:\r?\n|\\n)[ \t>|\"'+-]{0,12}+))"
    r"{2,400}+[A-Za-z0-9+/]{0,76}={0,2}"
    r"|(?<=Private-Lines: )\d{1,3}(?:\r?\n[\w+/=]{1,80}){1,100}"
)
WORD = late(
    r"(?<![A-Za-z0-9+_$-])[A-Za-z0-9$](?:[\w.~+-]{6,}+={0,2}|[\w.~+-]{3,5}+(?=/[\w+/]{60}))",
    re.ASCII,
)
# Tokens of ClickUp, Firecrawl, Vault, New Relic, Mailgun, Asana and Okta, whose prefixes say little.
BARE = late(
    r"(?<![\w./-])(pk_\d{7,9}_[A-Z0-9]{32}|fc-[0-9a-f]{32}|s\.(?=[A-Za-z]*\d)[A-Za-z0-9]{24}"
    r"|[0-9a-f]{36}NRAL|[0-9a-f]{32}(?:-[0-9a-f]{8}){2}|\d/\d{15,17}/\d{15,17}:[0-9a-f]{32}"
    r"|00(?=[\w-]*[A-Z])[\w-]{40})(?![\w/-])"
)
REST = late(r"(?:[\w.~+/=-]|%[0-9A-F]{2})*", re.ASCII)
_FILE = rf"(?:{SECRETS['names']}|{SECRETS['keys']}|key)s?(?:\.\w{{1,8}})?"
# What stands where a credential does, and what a text needs for that (see `may_hold`): the last group
# that took part is the credential.
PLACES = [
    (kind, needs, late(pattern, re.ASCII))
    for kind, needs, pattern in (
        ("jwt", "eyj", r"(?<![\w-])((?:\w{2,12}[._])?eyJ[\w-]{8,4000}+(?:\.[\w-]{4,4000}+){1,4})"),
        (
            "authorization",
            "authorization",
            r"(?i)\bauthorization[\"'`]?[ \t]*[:=,][ \t]*[\"'`]?"
            r"(?:[a-z][\w-]{2,20}[ \t]+)?([^\s\"'`<>,()\[\]][^\s\"'`<>]{7,4000})",
        ),
        ("bearer", "bearer", r"(?i)(?<=bearer )(?=[^\s\"']{0,255}[0-9])([A-Za-z0-9._~+/=%-]{12,})"),
        ("basic-auth", "basic", r"(?<=[Bb]asic )(?=[A-Za-z]{0,80}[0-9+/=])([A-Za-z0-9+/]{8,}={0,2})"),
        ("url-password", ":// & @", r"://[^\s/:@\"'<>]{0,100}:([^\s/@\"']{1,999})(?=@)"),
        # An address that lets whoever knows it post: what is of chance in its path.
        (
            "webhook",
            "://",
            r"(?i)://[^\s\"'<>/]{1,100}/[^\s\"'<>?]{0,80}?(?:hooks?|services|workflows|triggers|bot|reset|magic|invite|verify|key|token)"
            r"(?:/[\w.@-]{1,40})*?/?([\w:@-]{1,80}/[\w/@-]{16,200}|[\w@.~%-]{20,999})(?=[\s\"'<>?/#),;.]|$)",
        ),
        ("telegram-token", ":a", r"(?<!\d)(\d{7,12}:A[\w-]{30,50})"),
        ("secret", "sk secretk", r"(?i)(?<![a-z])s(?:ecret)?k[\"'`]?[ \t]*(?:[:=]|：|" + SECRETS["is"] + r")[ \t]*[\"'`]?([a-z0-9+/_-]{24,80})(?![\w./])"),
        ("token", "q~", r"(?<![\w~.-])([\w~.]{3}\dQ~[\w~.-]{28,40})"),
        ("token", "eyjrijoi 00 1//0", r"\b(1//0[\w-]{20,400}|eyJrIjoi\w{50,400}={0,2}|00\w{13}![\w.]{60,300})"),
        # Services whose mark stands within the token, or whose token has a shape of its own.
        ("token", ".atlasv1. _mmk -us +ast acdb azdo nral access_token$ sdk- mob- api-", r"(?<![\w+/-])(\w{14}\.atlasv1\.[\w=-]{60,70}|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"
         r"|[0-9a-f]{32}-us\d{1,2}|[0-9a-f]{36}FFFFNRAL|access_token\$\w+\$\w{16}\$[0-9a-f]{32}|(?:sdk|mob|api)(?:-[0-9a-f]{4,12}){5}|[A-Za-z0-9+/]{76}(?:\+ASt|ACDb|AZDO)[A-Za-z0-9+/]{4,6}={0,2})(?![\w-])"),
        # Django's own key: so many characters of its alphabet, signs and digits among them.
        ("django-key", "! @ # $ % ^ * ( = +", r"(?<![\w!@#$%^&*+-])((?=(?:\D{0,50}\d){4})(?=(?:[a-z\d_&)-]{0,50}[!@#$%^*(=+]){3})[a-z\d!@#$%^&*(_=+)-]{50})(?![\w!@#$%^&*=+-])"),
        ("token", "fm2_", r"\b(fm2_[\w+/=%,-]{40,}+)"),
        ("token", ". & m n o", r"(?<![\w.-])([MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w.-])"),
        ("token", "1/1 2/1", r"(?<![\w/])([12]/1\d{15}(?:/1\d{15})?(?::|%3A)[0-9a-f]{32})\b"),
        ("token", "|", r"(?<!\d)(\d{13,17}\|[\w-]{26,30})(?![\w-])"),
        ("token", "( & new client api auth sdk connect login init & ' \"", r"(?i)\b(?:new[ \t]+\w+|\w*(?:client|api|auth|sdk|connect|login|init))\(\s*[\"']"
         r"([0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\"']"),
        ("token", "( & , & ' \"", r"\(\s*[\"'][^\"'\n]{2,80}[\"'],\s*[\"']([0-9a-f]{32,64})[\"']"),
        ("private-key", '"kty"', r"\"(?:d|k|p|q|dp|dq|qi)\"\s*:\s*\"([\w-]{20,2000})\""),
        ("secret", SECRETS["phrase stems"].replace("|", " "),
         r"(?i)(?:" + SECRETS["phrases"] + r")(?:\b[^\n.,:;\"'=]{0,40}?)?[\"']?(?:[ \t]*[:=：][ \t]*|" + SECRETS["is"] + r")"
         r"[\"']?((?:[a-z]{3,12} ){11,23}[a-z]{3,12}|(?:(?!(?:" + SECRETS["sentence"] + r")\b)[a-z]{3,12}[ -]){3,7}[a-z]{3,12})(?=[\"']?\s*$|[\"'\n.,;)]|[ ][—–-])"),
        # What a file that is called a secret holds.
        ("secret", "\n", rf"(?im)^(?:\S* ?cat \S*{_FILE}\S*|==> \S*{_FILE}\S* <==|[\w./~-]*{_FILE}:?)(?:[ \t]+#[^\n]*)?\n"
         r"(?!(?!base64:)[a-z_.]+[(:=])(?=\S*\d)(?=\S*[a-z])([^\s\"'<>]{8,400})[ \t]*$"),
        # A user's name and then the password: of a call, a netrc, a dialogue with a prompt.
        ("secret", "auth login credential & , & ' \"",
         r"(?i)(?:auth\w*|login|credentials?)[ =(]{1,3}[bru]?(?:[\"'][^\"'\n]{1,60}[\"']|[a-z][\w.]{0,40})\s*,\s*[bru]?[\"']([^\"'\n]{6,80})[\"']"),
        ("secret", "login & password", r"\blogin\s+\S{1,100}\s+password\s+([^\s<$]{4,200})"),
        ("secret", "send & ' \" & \\", r"\bsend(?:line)?[ \t(]+[\"']([^\"'$\n]{4,80})(?=\\[rn][\"'])"),
        ("secret", "requirepass masterauth snmp-server enable",
         r"(?:requirepass|masterauth|snmp-server community|enable (?:secret|password)(?: \d)?)[ \t]+([^\s\"'<]{5,200})"),
        # A server, a user and then the password, by place alone.
        ("secret", "connect pdo mysqli & ( & , & ' \"", r"(?i)(?:connect\w*|pdo|mysqli)\(\s*[^,\n()]{1,120},\s*[\"'][^\"'\n]{1,60}[\"'],\s*[\"']([^\"'\n]{4,80})[\"']"),
        ("secret", ":", r"(?m)^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.-]{1,60}:(\S{4,200})$"),
        # A key's file, or a registry's settings, encoded as a whole.
        ("private-key", "ls0tls1crudjti eyjhdxrocyi", r"\b(LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[\w+/]{30,20000}={0,2}|eyJhdXRocyI[\w+/]{20,4000}={0,2})"),
        # Commands whose flags name no secret.
        (
            "command",
            "curl wget http xh ab etcdctl lftp & -u --user --proxy-user -a --auth",
            r"\b(?:curl|wget|https?|xh|ab|etcdctl|lftp)\b[^\n|;]{0,300}?[ \t](?:-u|--user|--proxy-user|-U|-a|--auth)"
            r"[ \t=]{0,2}[\"']?[^\s:,\"'<$]{0,200}[:,]([^\s\"'<$][^\s\"']{2,400})",
        ),
        (
            "command",
            "mysql mariadb 7z mongo & -p",
            r"\b(?:mysql\w*|mariadb[\w-]*|7z\w?|mongo\w*)\b[^\n|;]{0,300}?[ \t]-p[\"']?"
            r"([^\s\"'$<-][^\s\"']{2,200})",
        ),
        (
            "command",
            "sshpass login auth logon mongo zip unrar plink pscp cqlsh az twine snowsql ssh-keygen & -p -n",
            r"\b(?:sshpass|(?:login|auth|logon)\b|mongo\w*|zip|unzip|unrar|plink|pscp|cqlsh|az|twine|snowsql|ssh-keygen)[^\n|;]{0,300}?"
            r"[ \t]-(?:p|P|N)[ \t=]{0,2}(?:\"([^\"$<\n]{4,200})\"|'([^'<\n]{4,200})'|([^\s\"'$<-][^\s\"']{3,200}))",
        ),
        (
            "command",
            "ldap redis-cli sqlcmd bcp isql smbclient rdesktop impacket & -w -a -p -u",
            r"\b(?:ldap\w+|redis-cli|sqlcmd|bcp|isql|smbclient|rdesktop|impacket\S*)\b[^\n|;]{0,300}?"
            r"[ \t]-(?:w|a|P|U[ \t]*[\w.\\/-]{1,60}%)[ \t=]{0,2}[\"']?([^\s\"'$<-][^\s\"']{3,200})",
        ),
        ("hash", "$", r"\$(?:[156y]|2[abxy]?|7|apr1|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$([\w./$,=+-]{20,200})"),
        ("command", "net & user",
         r"(?i)\bnet[ \t]+(?:use|user)\b[^\n]{0,200}?(?:user[: \t]+\S{1,100})[ \t]+([^\s\"'/$<*][^\s\"'$<]{3,100})"),
        ("command", "openssl & -k", r"\bopenssl\b[^\n|;]{0,300}?[ \t]-[kK][ \t]+[\"']?([^\s\"'$<-][^\s\"']{3,200})"),
        ("command", "snmp ipmi", r"\b(?:snmp\w+|ipmi\w+)\b[^\n|;]{0,300}?[ \t]-[cAXP][ \t]+[\"']?([^\s\"'$<-][^\s\"']{3,200})"),
        ("command", "add_user change_password wpa_passphrase",
         r"\b(?:add_user|change_password|wpa_passphrase)[ \t]+[\"']?[^\s\"']{1,80}[\"']?[ \t]+[\"']?([^\s\"'$<]{4,200})"),
        ("command", "auth", r"(?m)(?:^|> )AUTH[ \t]+(?:\w+[ \t]+)?([^\s\"'$<]{6,400})$"),
        ("token", ":// & @", r"://(?![0-9a-f]{1,200}@)([\w.~%-]{20,999})(?=@)"),
        ("token", "://hooks.", r"://hooks\.[^\s/]{1,60}/(?:hooks/)?catch/([\w/]{8,200})"),
        ("webhook", "rtmp", r"\brtmps?://[^\s/]{1,100}/[\w/-]{1,60}/([\w-]{16,200})"),
        ("webhook", "hook calendar", r"://[^\s\"'<>]{0,40}(?:hook|calendar)[^\s\"'<>]{1,100}?/(?:private-)?([\w-]{20,200})"),
        ("command", "htpasswd", r"\bhtpasswd[ \t]+-\w*b\w*[ \t]+\S{1,200}[ \t]+\S{1,100}[ \t]+[\"']?([^\s\"'$<]{4,200})"),
        ("command", "/p & :", r"(?i)[ \t]/(?:p|pass|password):[\"']?([^\s\"'$<]{4,200})"),
        ("command", "pass:", r"(?<=\bpass:)([^\s\"'$<]{4,200})"),
        ("command", "echo & |", r"\becho[ \t]+(?:-\w+[ \t]+)?[\"']?(?:\w{1,40}:)?([^\s\"'$<|]{6,200})[\"']?[ \t]*\|[ \t]*"
                    r"(?:sudo[ \t]+(?:-\S+[ \t]+)*-S|\S*chpasswd|[^\n|]{1,100}--password-stdin)"),
        ("command", "sqlplus impdp expdp", r"\b(?:sqlplus|impdp|expdp)[ \t]+[\w.$#]{1,60}/([^\s@\"'$<]{4,100})(?=@)"),
    )
]  # fmt: skip
# Where chance alone makes a credential: given to a login, or to a call without a name.
LOGIN = late(
    r"(?i)\b(?:login|logon|auth(?:token)?|add-authtoken|configure)\b(?:[ \t]+-{1,2}[\w-]{1,30})*[ \t]+"
    r"[\"']?([A-Za-z0-9][\w.~+/=-]{19,})"
)
ARGUMENT = late(r"(?<=[(,\[])[ \t]*[bru]?([\"'])([A-Za-z0-9][\w.~+/=-]{23,200})\1(?=[ \t]*[,)\]])")
COOKIE = late(r"(?i)\b(?:set-)?cookie[\"']?[ \t]*[:=][ \t]*([^\n]{8,4000})")
CRUMB = late(r"[=\s]((?:[A-Za-z0-9]|%[0-9A-F]{2})[\w.%~+/:-]{11,4000}={0,2})")
# A word as people choose it for a password; after a user's name, too.
CHOSEN = late(
    r"(?<![\w.=?&#/:@$%~+*-])(?:\w{2,20}[/:][ ]?)?([A-Za-z0-9!#$%^&*?+~@_-]{6,40})(?![\w/=:@(\[{<>\\-]|\.\w)",
    re.ASCII,
)
# What is like a password: an option's value, standard input, an argument of a call that takes one.
CHOSEN_PLACES = [
    (needs, late(pattern, re.ASCII))
    for needs, pattern in (
        (" -", r"(?m)^[ \t]*(?:[$>#%][ \t]+)?[a-z][\w.-]{1,30}[ \t](?!(?:add|install|i)[ \t])[^\n|;]{0,300}?[ \t]-{1,2}[A-Za-z]{1,3}(?:[ \t=]{1,3})?[\"']?([^\s\"'$<>/:=,.()-]{8,80})(?=[\"'\s]|$)"),
        ("echo printf <<<", r"(?:\b(?:echo|printf)[ \t]+(?:-\w+[ \t]+|%s[ \t]+)?|<<<[ \t]*)[\"']?(?:\w{1,40}:)?([^\s\"'$<>|:()]{8,200})"),
        ("( & ' \"", r"(?i)\b[\w.]{0,40}(?:hmac|jwt|sign|verify|crypt|cipher|secretkey|auth|login|connect|wifi|credential|ftp)[\w.]{0,20}\((?:[^()\n]{0,120}?,[ \t]*)?[bru]?[\"']([^\s\"'/:=.()]{8,120})[\"']"),
        (": & @", r"(?<![\w/:@.-])[\w.-]{1,40}:([^\s:@/\"'\\()]{8,80})(?=@(?!sha256|\d)[\w([])"),
        (" -u --user", r"[ \t](?:-u|--user)[ \t=]+[\"']?(?:[\w.-]{1,40}:[\"']|(?=[^\s:\"']{16}))([^\s:\"']{8,400}):?(?=[\"'\s]|$)"),
        ("net", r"(?i)\bnet[ \t]+use[ \t]+(?:\w:[ \t]+)?\S+[ \t]+([^\s\"'/$<*]{6,80})"),
        ("auth cred dsn login", r"(?i)(?:auth|creds?|credentials|dsn|login)[\"']?[ \t]*[:=][ \t]*[\"']?[\w.@-]{2,60}:([^\s:@/\"'\\()]{8,80})"),
    )
]  # fmt: skip
LOGIN_AS = late(
    rf"(?i)\b(?:{SECRETS['users']})\b"
    r"(?:[^\n=]{0,40}?[ \t(:][\w.@-]{2,60}[ \t]*[/|]|[ \t]*[:/]"
    rf"|[^\n=]{{0,40}}? (?:{SECRETS['with']}))[ \t]*"
    r"([^\s,;/<>\"'()]{6,80})(?![^\s,;.)\"'])"
)

_CLOSED = r"(?:\\?[\"'`]|%22|&quot;)?[\])]?[}>]?"
SEPARATORS = [
    (sort, needs, late(pattern))
    for sort, needs, pattern in (
        ("assigned", "=", r"(?:[ \t]*:[ \t]*[&*]?[A-Za-z][\w.<>\[\] ?&']{0,40}?[ \t]*=|[ \t]+[A-Za-z]\w{0,20}[ \t]*:?=)"
                     r"[ \t]*(?=[\"'`brufLR@&])"),
        ("assigned", "", rf"{_CLOSED}[ \t]*(?:=>|→|[.+?|]{{0,2}}={{1,3}}|->|:{{1,3}}=?|%3[aAdD]|：|＝)[ \t]*"
                     r"(?:(?:>-?|\|-?)?\n[ \t]+(?=\S+[ \t]*(?:\n|$))|\w[\w.:]{0,30}\([\"'][^\"'\n]{1,60}[\"'],[ \t]*(?=[\"'])|[\w.:]{0,30}(?:[fF]rom\w*|decode|unhexlify|SecretStr)\((?=[\"']))?"),
        ("tagged", ">", r"(?:[\"' \t][^<>\n]{0,80})?>\s{0,40}"),
        ("assigned", "value --body -b -v", r"\\?[\"']?[ \t]*[,;]?(?:[ \t]*/>)?\s{0,40}[-{< ]{0,4}[\w:-]{0,20}?\\?[\"']?[vV]alue\\?[\"']?[ \t]*[:=][ \t]*|[ \t]+--?(?:body|value|b|v)[ \t=]+"),
        ("listed", "|", r"[ \t]*\|[ \t]*"),
        ("assigned", "[[", r"[ \t]*=[ \t]*\[\["),
        ("listed", ", ;", r"[,;](?=[^\s\"'`])"),
        ("listed", ", & ' \" `", r"\\?[\"'][ \t]*,[ \t]*(?=\\?[\"'`])"),
        ("beside", "( （ - – — ) ]", r"(?:[ \t]*[)\]]?[ \t]*(?:[(（]|[-–—][ \t])[ \t]*|[)\]])(?=(?:base64:)?[\w!#$%&*+/=@^-]{4,200}(?:[)）\s]|$))"),
        ("called", "(", r"[\"']?\(\s{0,20}(?=[brufLR@]{0,2}[\"'`])"),
        ("given", "' \"", rf"[ \t]+(?:(?:{SECRETS['to']})[ \t]+)?(?=[\"'])"),
        ("spoken", "", rf"[\"'`]?(?:(?=[ \t]|[^\x00-\x7f])[^\n.,;:：，。?!=()\[\]\"\\|]{{0,{40}}}?[ \t]?)?(?:{SECRETS['is']}|(?<!\d)[ \t]?[:：][ \t]*)(?:[ \t]*[:：])?[ \t]*"),
        ("beside", "", r"[ \t]{1,40}(?:\d[ \t]{1,9}|<\([ \t]*(?:echo|printf)[ \t]+)?"),
    )
]  # fmt: skip
