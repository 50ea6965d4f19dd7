"""Words of human languages that the core needs: stop words, secrets' names, signs.

Written by `python -m tools.words` from `language/*/core.txt`, which is where to change them.
"""

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    a about again all also am an and any anyone anything are as at be because been before
    being but by can can't cannot could did didn't do does doesn't doing don't done each
    either else even ever every for from further get gets getting give given go goes going
    gone got had has hasn't have haven't having he help her here hers hey hi him his how
    however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep kind
    know let let's like look looks make makes making many may maybe me might more most much
    must my need needs new no not now of off ok okay on once one only or other our ours out
    over own please put really same see seem seems shall she should show so some something
    soon still such sure take tell than thank thanks that that's the their them then there
    these they thing things think this those though through to too try trying under until up
    us use used uses using very want wants was way we well were what what's when where whether
    which while who whom whose why will with within without won't work works would yes yet you
    you're your yours
    """.split()
)
STOP_PAIRS: Final = frozenset(
    """
    から した して する です ので ます まで 一下 一个 一些 不是 为什 么办 什么 他们 但是 你们 可以 因为 如何 就是 已经 帮忙 帮我 应该 怎么 怎样 想要 我们
    所以 时候 是不 是否 有没 没有 然后 现在 的时 的话 知道 能够 请帮 请问 还是 还有 这个 这些 这样 那个 那些 那样 需要
    """.split()
)
# Patterns by what they stand for, of all languages together.
SECRETS: Final = {
    "stems": "access|adgangskode|alarm|auth|bearer|clave|code|contrase|cookie|credential|door|entry|gate|geheimnis|haslo|hasło|heslo|hmac|identified|jelszo|jelszó|jwt|kennwort|key|losenord|lösenord|mdp|one|otp|p/|parola|pass|passe|passord|pin|pre|psk|puk|pw|pwd|salasana|salt|schlüssel|secret|securestring|security|seed|senha|sess|session|sid|sifre|sig|token|tür|unlock|verification|wachtwoord|webhook|wpa|zugangscode|şifre|парол|секрет",
    "names": "passwort|kennwort|geheimnis|zugangscode|pass(?:word|wd|phrase|code|key)?|p(?:ass)?w(?:or)?d|p/?w|pass[ -](?:word|phrase)|wachtwoord|l(?:ö|o)senord|has(?:ł|l)o|senha|parola|(?:ş|s)ifre|heslo|salasana|adgangskode|passord|jelsz(?:ó|o)|secret|(?:wpa[_-]?)?psk|pre[_-]?shared[_-]?key|credentials?|identified(?: with \\S{1,40})? by|securestring|contrase(?:ñ|n)a|clave|passe|mdp|пароль|пароля|секрет",
    "is": "[ \\t]+(?:ist|lautet|war)(?:[ \\t]+(?:jetzt|noch|nun|einfach))?[ \\t]+|[ \\t]+(?:is|was|are|be|to)(?:[ \\t]+(?:just|still|now|currently|simply|set[ \\t]+to))?[ \\t]+|(?:[ \\t]+|')(?:è|é|jest|är|este|s)[ \\t]+|[ \\t]+(?:es|era)[ \\t]+|(?:[ \\t]{0,4},)?[ \\t]{1,4}(?:c')?est[ \\t]{1,4}|[ \\t]*[はを][ \\t]*|[ \\t]*[은는가][ \\t]*|[ \\t]*[—–][ \\t]*|[ \\t]*(?:都?是|设?置?为|為|改[成为]了?|设成|叫做?|重置为)[ \\t]*",
    "stand-ins": "(?:bitte|hier|dein|ihr)(?![a-z])|(?:your|my|insert|enter|put|paste|replace|change|example|sample|dummy|fake|placeholder|todo|tbd|redacted|hidden|masked|removed|omitted|not[ _-]?(?:set|shown)|same|see)(?![a-z])|changeme|changeit|to-?be|xxx",
    "states": "[a-z]*(?:ig|lich|bar|los|isch|haft|iert)|\\b[a-z]*(?:ed|en|ing|able|ible|al|ary|ory|ous|ent|ant|ect|ive|ic|ful|less|ly|text|ong|hash|word|key|token|known|alid|here|there|where|this|that)|administrator|somewhere|something|everyone|sometimes|elsewhere|[a-z]*(?:ri[ao]|[ai]d[ao]|ta|cta)|[a-zé]*(?:ée?|oire|ible|able|te)",
    "chance": "schlüssel|key|auth|sig(?:nature)?|code|session(?:[_-]?id)?|hmac|s(?:ess)?id|cookie|seed|jwt|salt|bearer|webhook(?:[_-]?url)?",
    "behind": "(?:ist|als|für)[ \\t]+(?:(?:das|der|mein|unser)[ \\t]+)?|(?:is|as|for)[ \\t]+(?:(?:the|my|our|your)[ \\t]+)?",
    "users": "zugang(?:sdaten)?|benutzer|log(?:ged|ging)?[ -]?in|sign(?:ed)?[ -]?in|cred(?:ential)?s?|accounts?|user(?:name)?|admin|root|wi-?fi|wlan|unlock|basic[ -]auth|token|api[ -]?key|u/p",
    "keys": "token",
    "numbers": "pin|puk|otp|(?:verification|access|one[ -]?time|door|gate|alarm|entry|security|unlock|tür)[ -]?code",
    "qualifiers": "api|auth|access|secret|private|backup|recovery|set-?up|one[ -]?time|pairing|verification|unlock|sign(?:ing)?|encryption|account|licen[cs]e|app(?:lication)?|master|shared|deploy|service|admin|session|hook|client|server|consumer|subscription|function|storage|hmac|jwt|aes|write|ingest|project|api[_-]?v\\d",
    "no names": "publi[cs]|publishable|site[_-]?key|primary|foreign|partition|cache[_-]|kms|idempoten|next[_-]?(?:page)?[_-]?token|page[_-]?token|continuation|[_-](?:ids?|hash|digest|sha\\w*|fingerprint|thumbprint|checksum|arn|ur[il]|version|alias)$|(?:sort|object|s3|host|ssh)[_-]?key|(?<![a-z])(?:count|max|min)(?![a-z])",
    "types": "str(?:ing)?|text|u?int(?:eger)?|num(?:ber)?|bool(?:ean)?|object|bytes?|char|varchar\\S*|any|none|null|nil|undefined|true|false|yes|no|void|optional|required|default|unknown|invalid|missing|expired|empty|self|this|stdin|file|path|name|value|user|hidden|prompt|include|same-origin|omit|fail(?:ed|ure)?|options?|ok|skip(?:ped)?|\\d{1,3}",
    "with": "with",
    "to": "to|as",
    "endings": "base|prod|dev|test|staging|live|value|new|old|current|plain",
    "other words": "bypass|compass|trespass|surpass|impasse",
    "phrases": "pass[ -]?phrase|mnemonic|(?:seed|recovery|wallet)(?: phrase| words?)?",
    "phrase stems": "pass|mnemonic|seed|recovery|wallet",
    "sentence": "the|and|not|must|with|from|for|are|has|have|was|this|that|your|you|can|any|use|too|all|here|please",
    "words": "パスワード|暗証番号|秘密鍵|トークン|合言葉|비밀번호|비번|암호|패스워드|토큰|密码|口令|[密秘]钥|令牌|密鑰|密碼",
}
SIGNS: Final = {
    "turns": "benutzer|nutzer|mensch|assistent|user|human|assistant|system|developer|operator|ai|ユーザー|アシスタント|システム|用户|助手|系统",
    "diagnosis": "fehler fehlgeschlagen konnte konnten kann nicht kein keine keinen gefunden datei|verzeichnis zugriff verweigert ungültig ungültige ungültiger unbekannt unbekannte|unbekannter fehlt fehlen abgelaufen überschritten unerwartet unerwartetes verbindung|abgelehnt modul befehl wert typ name zeile spalte existiert bereits erwartet erhalten der|die das den dem ein eine einen ist war im in bei von zu und oder|equal equals|a abort aborted aborting access account actual address addresses after allowed already|ambiguous an and another architecture are aren't argument arguments array as assert|assertion at attempt attempted attribute attributes authority available bad be because|been before between beyond binary bind blank blocked bounds branch broken build built busy|but by byte bytes call called can can't cannot case cases cause caused certificate|certificates char character characters class classes client closed cluster code codec|column columns command commands compilation compile compiled compiling config|configuration configured conflict conflicting conflicts connect connected connecting|connection connections constraint container containers continuation corrupt corrupted|could couldn't crash crashed created daemon declaration declarations declared|decode default defined denied dependencies dependency deployment deprecated detail details|device dict did didn't different dimension dimensions directories directory disk do does|doesn't don't down driver duplicate duplicated during either element elements empty encode|encoding end entries entry environment eof err error errors exceeded exception exceptions|executable exist existing exists exit expected expired explicit exports fail failed|failing fails failure failures fatal fault feature features few field fields file files|first folder for forbidden foreign format found from function functions given got group|had handshake has hasn't have haven't head header heap here host hosts http identifier|identifiers illegal image images implicit import in incompatible index input|inside installed instance integer interpreter into invalid is isn't it item items its job|key keys killed kind label labels large last least left length less libraries library|limit limits line lines link linker linking list loaded loading local locked long lost|malformed manifest many map match matched matching member members memory merge message|method methods mismatch mismatched missing module modules more most msg name named names|namespace nan near negative neither network nil no node nodes none not null number object|objects of offset on one only open opened opening operand operands operation operations|operator option options or other out outdated output outside over overflow overflowed|package packages panic panicked parameter parameters parse parsed parsing path paths|pending per permission permissions phase platform pod pointer port ports position positive|present private process processes properties property protocol public query raised range|read reason received recent ref reference references refused registry rejected relation|remote repository request require required requires reset resolved resource resources|response return returned returns right role row rows rule same schema scope second|segmentation self server set service services setting severe shape shapes short signal signals|signed since size sizes small snapshot socket some source sources space specified ssl|stack stage stale start statement static status step string such supported symbol symbols|syntax table tables target targets task template tensor tensors terminated test tests than|that the there third this threw thrown throws time timed timeout timeouts tls to token|tokens too traceback tried trying two type types unable unauthorised unauthorized|unavailable unbound uncaught undeclared undefined under underflow unexpected unhandled|uninitialized unit unknown unmet unreachable unreadable unrecognised unrecognized|unresolved unsafe unsatisfied unstable unsupported unterminated unused up user value|values variable variables version versions via warn warning was wasn't were when while|with within without won't would written wrong zero|エラー 失敗 できません でき ません 見つかりません 存在しません 不明 未定義 不正 無効 拒否 権限 接続|ファイル ディレクトリ モジュール コマンド 引数 変数 関数 型 タイムアウト しました が を に は の で と|または|错误 失败 无法 不能 找不到 不存在 未找到 未知 未定义 缺少 超时 拒绝 连接 被 权限 不足 冲突 重复 无效|非法 异常 不支持 不匹配 目标 文件 目录 模块 命令 参数 变量 函数 类型 版本 端口 地址 数据库 表 字段|内存 磁盘 空间 溢出 已存在 没有 期望 实际 为 不为 是 不是 在 中 的 和 或 与 行 列 第 个 到 打开|读取 写入 解析 编译 链接 加载 导入",
    "days back": "0 0 heute|1 1 gestern|2 2 vorgestern|0 6 diese_woche|1 13 letzte_woche vorige_woche|1 61 letzten_monat|0 0 today this_morning|1 1 yesterday last_night|2 2 the_day_before_yesterday|0 6 this_week|1 13 last_week the_other_day|0 30 this_month|1 61 last_month|0 365 this_year|1 730 last_year|0 0 hoy|1 1 ayer|2 2 anteayer|1 13 la_semana_pasada|1 61 el_mes_pasado|0 0 aujourd'hui|1 1 hier|2 2 avant-hier|1 13 la_semaine_dernière|1 61 le_mois_dernier|0 0 今日|1 1 昨日|2 2 一昨日|0 6 今週|1 13 先週|0 30 今月|1 61 先月|1 730 昨年|0 0 오늘|1 1 어제|1 13 지난주|1 61 지난달|0 0 сегодня|1 1 вчера|2 2 позавчера|1 13 на_прошлой_неделе|1 61 в_прошлом_месяце|0 0 今天|1 1 昨天 昨晚|2 2 前天|0 6 这周 本周 这个星期|1 13 上周 上个星期|0 30 这个月 本月|1 61 上个月 上月|0 365 今年|1 730 去年",
    "trouble": "error|fail|fatal|exception|denied|refused|not found|cannot|can'?t|could(?: not|n'?t)|unable|invalid|panic|unknown|undefined|missing|mismatch|timed? ?out|expired|unsupported|not supported|does not|doesn'?t|is not|no such|conflict|requires?|expected|out of|killed|abort|unexpected|illegal|duplicate|violat|too (?:old|large|long|many)|rejected|错误|失败|无法|找不到|不存在|超时|拒绝|冲突|必须|缺少|不支持|不能|异常|未",
    "sure trouble": "\\b\\w*(?:Error|Exception|Panic)\\b|\\b(?:ERROR|FATAL|fatal|panic|error)\\b|错误[:：]",
    "no trouble": "\\b(?:0|no) (?:errors?|failures?|failed|problems?|warnings?)\\b|(?:errors?|failures?|failed): *0\\b",
    "naming": "err!|no|not|already|only|must|overflow|un(?:bound|declared|used|resolved|recognized|reachable)",
    "levels": "e|err|errors?|fatal|warn|warning|npm|info|os",
    "levelled": "\\b(?:error|fatal)\\b[^:]{0,30}:\\s+(?=\\S)|^[\\W_]*(?-i:FAILED|ERROR)\\s+\\S+\\s+-\\s+",
    "closing": "\\bexit(?:ed)?(?: with)? (?:code|status)|(?:returned|exit(?:ed)? with|status:?) \\d|exit status|error \\d+$|previous errors?|\\d+ errors?\\b|errors? (?:generated|occurred)|for (?:more )?(?:information|details|help)|see (?:above|the)|(?:full|complete) (?:command )?log|(?:lifecycle|generate) (?:script|step)|failed in workspace|command (?:sh|failed|')|returned (?:a )?non-zero|subprocess-|generation-failed|package metadata|toml-based|hook (?:id|failed)|worker process|automatic merge|please (?:refer|make|commit|check|read|see)|(?:^|\\] |> )(?:run with|re-?run)|after correcting|detailed explanations|for documentation|fixable|fix(?:es)? (?:available|can be)|(?:above|another) exception|to bypass|build (?:failed|failure|stopped)|compilation fail(?:ed|ure)|execution failed for task|failed to execute goal|\\b\\d+ (?:failed|failing|passed)(?=\\W*(?:$|[,;(]|in\\b))|tests? (?:suites?\\b|failed)|failures:$|short test summary|expect\\(received\\)|failed asserting|expected values to be|panicked at|required by|failed to push some refs|waiting for the condition|call stack|most recent call|backtrace|\\bhint:|\\bor run\\b|time elapsed|^[\\W_]*(?-i:FAIL(?:ED)?|ERROR)\\s+(?:at|in|of|collecting|\\S*(?:[/:]|[Tt]est)\\S*)(?:\\s(?!- )|$)|^[\\W_]*(?-i:FAIL): \\S+(?:\\s|$)|(?:\\.\\.\\.|\\]|\\w)\\s+(?-i:FAILED|ERROR)\\W*(?:\\[.*\\])?$|^(?:at|from|in|file) |^([_=!*#~\\u2500-\\u257f\\u23af-])\\1{3}|^\\W*\\[\\D*\\d+/\\d+\\]|^=> |(?:\\.\\.\\.|…)$",
    "structure": "\\b(?:tables?|columns?|schema|fields?|enum)\\b|表|字段|列|枚举",
    "defines": "\\b(?:means|stands for|denotes|signifies|represents|is short for)\\b|\\s=\\s|(?:的意思)?是指|表示|代表|意思是|指的是",
    "rule": "\\b(?:must|never|always|only|not allowed|forbidden|decided|agreed|policy|by law|required)\\b|必须|一律|只能|不能|不许|不准|禁止|统一|决定|定了|规定|口径",
    "query": "(?-i:\\bSELECT\\b.{1,300}?\\sFROM\\b|\\bINSERT INTO\\b|\\bDELETE FROM\\b|\\bUPDATE \\S{1,80} SET\\b)|\\bselect (?:\\*|[^.]{1,120}?)\\sfrom \\S{1,80} (?:where|limit|join|group\\s)\\b",
    "steps": "\\b(?:first|then|before|after|followed by)\\b|先.{1,20}(?:再|后|才)|之前|之后",
    "clause ends": "\\b(?:but|and)\\b|而是|但",
    "or": "[ ](?:or|and)[ ]|或|和",
    "denies": "\\b(?:no|not|never|without|neither|nor|avoid|former(?:ly)?|instead of|rather than|obsolete|(?:dropped|removed|deleted|renamed|deprecated)(?! (?:rows|records))|unlike|lack(?:s|ing)|previously|used to be|took over from|(?:replac|supersed)(?:es|ed|ing))\\b|n't\\b|不|没有|并无|勿|避免|废弃|弃用|取代|代替|替代|原名|曾用名|缺少",
    "gone": "(?:does not|doesn't|did not|didn't) exist|\\b(?:is|was|are|were|been|got|has|have|will be)\\b(?: (?:now|later|since|long|has|been|be))* (?:unused|reserved|(?:not|never) used|gone|no longer|not there|dropped|removed|deleted|renamed|replaced|retired|deprecated|obsolete|missing|superseded|moved|merged)|\\b(?:no longer|fails with)\\b|\\b(?:is now|became|moved to) `?\\w+\\.\\w|不存在|不再|改[为成]|已(?:被)?(?:删除|移除|废弃|弃用|改名|重命名|更名|替换)|(?:改名|重命名|更名)为|废弃|弃用",
    "addressed": "invoke\\s|use\\s+(?:the\\s+)?[\\w:]*\\w[-:]\\w",
    "agents": "\\bagents?\\b|assistant|claude",
    "units": "time 1e-6 µs μs us microseconds|time 1e-3 ms msec millisecond milliseconds|time 1 s sec secs second seconds|time 60 min mins minute minutes|time 3600 h hr hour hours|time 86400 d day days|time 604800 week weeks|time 2626560 month months|time 7888320 quarter quarters|time 31536000 year years|size 1 byte bytes|size 1e3 kb kib kilobyte kilobytes|size 1e6 mb mib mi megabyte megabytes|size 1e9 gb gib gi g gigabyte gigabytes|size 1e12 tb tib terabyte terabytes|share 1e-2 % percent per_cent|money 1 eur usd euro euros dollars chf gbp|rate 1 hz|rate 1e3 khz|rate 1e6 mhz|rate 1e9 ghz|voltage 1 v volt volts|voltage 1e-3 mv millivolt millivolts|pixels 1 px pixel pixels|pressure 1e3 kpa|pressure 1e5 bar|turns 1 rpm|energy 1 kwh|mass 1 kg kilogram kilograms|mass 1e3 tonne tonnes tons|mass 1e-3 gram grams|bandwidth 1e6 mbps mbit/s|bandwidth 1e9 gbps gbit/s|length 1e3 km|length 1 m metres meters|length 1e-2 cm|length 1e-3 mm|throughput 1 qps rps tps|frames 1 fps|degrees 1 °c ℃ °|time 1e-6 微秒|time 1e-3 毫秒|time 1 秒钟 秒|time 60 分钟|time 3600 小时 个小时|time 86400 天 日 号|time 604800 周 个星期 星期|time 2626560 个月 半月|time 7888320 个季度 季度|time 31536000 年|size 1 字节|money 1 元 块|voltage 1 伏|voltage 1e-3 毫伏|pixels 1 像素|pressure 1e3 千帕|energy 1 度电|mass 1 公斤 千克|mass 1e3 吨|mass 1e-3 克|length 1e3 公里|length 1 米|length 1e-2 厘米|length 1e-3 毫米",
    "scales": "100 hundred|1e3 k thousand|1e6 m million|1e9 billion|10 十|100 百|1e3 千|1e4 万|1e8 亿",
    "numbers": "0 zero|25e-2 quarter|5e-1 half|1 one single|2 two|3 three third|4 four fourth|5 five fifth|6 six sixth|7 seven seventh|8 eight|9 nine|10 ten|11 eleven|12 twelve dozen|13 thirteen|14 fourteen|15 fifteen|16 sixteen|18 eighteen|20 twenty|30 thirty|40 forty|50 fifty|60 sixty|90 ninety|100 hundred|1000 thousand",
    "no numbers alone": "one|half|quarter|single|third",
    "ordinals": "st|nd|rd|th",
    "months": "jan feb mar apr may jun jul aug sep oct nov dec",
    "words like months": "may|mar(?:ch|k|s)?",
    "weekdays": "monday tuesday wednesday thursday friday saturday sunday",
    "ago": "ago\\b|[之以]?前",
    "dates": "\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:19|20)\\d\\d\\b|(?<!\\d)(?:19|20)\\d\\d ?年(?: ?\\d{1,2} ?月(?: ?\\d{1,2} ?[日号])?)?",
    "clocks": "\\b1?\\d ?[ap]\\.?m\\b\\.?|half past \\w+|(?:晚上?|下午)?(?:[012]?\\d|[零〇一二两三四五六七八九十百千万亿]{1,3}) ?点(?![\\d几多])半?",
    "forenoon": "\\d ?a",
    "afternoon": "\\d ?p|晚|下午",
    "half of a day": "[ap]\\.?m\\b\\.?",
    "half": "half|半",
    "hours and minutes": "(?<!\\d)\\d+ ?h ?\\d+ ?min|(?<!\\d)\\d+ ?小时 ?\\d+ ?分钟?",
    "minutes and seconds": "(?<!\\d)\\d+ ?min ?\\d+ ?s\\b|(?<!\\d)\\d+ ?分钟? ?\\d+ ?秒",
    "one of a unit": "(?:per|every|each|once a) (?:second|minute|hour)\\b|\\b(?:for|after|within) an? (?:second|minute|hour|day|week|month|year)\\b|每一?个?(?:分钟|秒钟?|小时)",
    "half of a unit": "half an? (?:hour|year|day|month)|half hour|半个?(?:小时|年|天|月)|一半|半数",
    "codes": "\\b(?:ports?|codes?|status|errors?|exit(?: code)?|http|ids?|issue|line|rfc|cve)|localhost|端口|错误码|状态码|返回码|编号",
    "of a year": "\\b(?:in|since|before|after|until|from|of)[ ]",
    "bounds": "\\b(?:more|less|fewer|greater|higher|lower|larger|smaller|up to|at (?:least|most)|over|under|above|below|exceed(?:s|ed|ing)?|beyond|limit(?:ed)?|every|each|per|grows?|grew|new|not|never|no longer|should|must|may|until|unless)\\b|n't\\b|超过|至少|至多|最多|少于|大于|小于|每|新增|增长|不|没有",
    "bounds behind": "(?: \\w+)?,? (?:or (?:more|less|fewer)|at (?:least|most))\\b|[^,;.，；。]{0,40}?\\b(?:or (?:more|less|fewer)|at (?:least|most)|per|each|every|a (?:day|week|month|year)|allowed|limit)\\b|[^,;.，；。]{0,40}?以[上下内]",
    "counted": "(?:rows?|records?|entries|and|or|but|in|for|of|on|at|over|across|as|by|from|to|with|while|since|today|now|overall|altogether)\\b",
    "dated": "as of",
    "particles": "我|你|他|她|它|们|的|了|是|在|吗|呢|呀|啊|吧|嘛|哦|嘿|么|什|多少|几|哪|谁|怎",
    "digits": "0 零 〇|1 一|2 二 两|3 三|4 四|5 五|6 六|7 七|8 八|9 九",
    "numerals": "第?[零〇一二两三四五六七八九十百千万亿]{1,20}[多余来]? ?(?:个月|个小时|个季度|个星期|小时|分钟|秒|毫秒|天|日|周|年|月|个|条|台|次|种|层|级|张|份|项|路|步|类|列|行|位|字节|点|核|倍|人|批|款|名|家|套|组|件|页|字符|元|块|分|章|期|轮|档|单)|[二两三四五六七八九][零〇一二两三四五六七八九十百千万亿]{0,20}[百千万亿][零〇一二两三四五六七八九十百千万亿]{0,20}",
    "parts": "[百千万]分之(?:\\d+|[零〇一二两三四五六七八九十百千万亿]{1,20})",
    "codes behind": "端口",
    "month and day": "(?<!\\d)(?P<month>1[0-2]|[1-9])月(?:(?P<day>[0-3]?\\d)[日号])?",
}
