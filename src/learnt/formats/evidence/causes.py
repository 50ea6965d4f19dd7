"""Why a command failed, as far as its output tells, and the line that tells it best.

Standard library only; a byte-for-byte copy of this folder lies beside the hook, which spools what
the worker would have made of the same call.
"""

import re

from .runners import one_line

CAUSED_BY = 40  # lines of an output's end that are asked for the cause
_ENVIRONMENT = re.compile(
    r"could not resolve host|name or service not known|temporary failure in name resolution|"
    r"connection (?:refused|reset|timed out|aborted)|\bECONN\w+|"
    r"ERR_(?:CONNECTION|NAME|INTERNET)\w*|"
    r"ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EADDRINUSE|address already in use|port .{0,20} in use|"
    r"network is unreachable|no route to host|unable to access|no space left|ENOSPC|disk quota|"
    r"permission denied|EACCES|EPERM|operation not permitted|access denied|are you root|"
    r"read-only file system|command not found|not recognized as an internal|"
    r"program not found|executable file not found|executable doesn't exist|not executable|"
    r"no such (?:command|program)|cannot connect to the docker daemon|daemon running|"
    r"rate limit|too many requests|status code (?:401|403|407|408|429|5\d\d)\b|"
    r"could not find a version|no matching distribution|SSL(?:Error)?:|"
    r"out of memory|cannot allocate memory|oom-?kill|\bKilled\b|timed? ?out (?:after|waiting)|"
    r"deadline exceeded|service unavailable|bad gateway|unauthori[sz]ed|authentication (?:failed|"
    r"required)|looks like playwright|please run .{0,30} install|unable to (?:connect|acquire)|"
    r"lock file|already allocated|response from daemon|"
    r"(?:certificate|TLS|quota|licen[cs]e)[^\n]{0,40}(?:expired|invalid|exceeded|denied|verif|error)|"
    r"could not find (?:directory of )?(?:openssl|library|java|python)|denied to user|"
    r"ImagePullBackOff|timed out waiting|"
    r"无法连接|连接(?:被拒绝|超时)|请求超时|(?:没有|无|权限)(?:权限|不足)|拒绝访问|磁盘(?:已满|不足|空间)|未找到命令|限流|网络(?:错误|不可达|超时)",
    re.IGNORECASE,
)
_INPUT = re.compile(
    r"JSONDecodeError|KeyError|UnicodeDecodeError|ParserError|ParseError|yaml\.\w*Error|"
    r"File does not exist|FileNotFoundError|No such file|"
    r"invalid (?:input|date|value|literal|format|json|utf|data|csv|header)|malformed|"
    r"could not convert|unexpected (?:token|end of)|"
    r"does not exist|not found: \S+\.(?:csv|json|ya?ml|txt|xlsx?|pdf|xml)|"
    r"unknown (?!option|command|argument|flag|switch)[a-z]{2,20} ['\"`]|"
    r"violates|encrypted|corrupt|格式(?:错误|不)|不存在|找不到|无效|乱码|缺少",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"error|fail|fatal|exception|denied|refused|not found|cannot|unable|invalid|panic|✘|×|"
    r"错误|失败|无法",
    re.IGNORECASE,
)
_NO_TROUBLE = re.compile(
    r"\b(?:0|no) (?:errors?|failures?|failed|problems?|issues|vulnerabilities|warnings?)\b"
    r"|(?:errors?|failures?|failed): *0\b|没有错误|0 个错误",
    re.IGNORECASE,
)


def telling(text: str) -> str:
    """The last line that names a trouble, else the last line of all."""
    lines = [line for line in text.split("\n") if line.strip()]
    for line in reversed(lines):
        if _TELLING.search(_NO_TROUBLE.sub("", line)):
            return one_line(line)
    return one_line(lines[-1]) if lines else ""


def cause_of(output: str, code: int | None) -> str:
    """Why something failed, as far as its output tells: environment, input, or nothing.

    >>> cause_of("bash: ffmpeg: command not found", 127), cause_of("KeyError: 'a'", 1)
    ('environment', 'input')
    """
    last = "\n".join(output.split("\n")[-CAUSED_BY:])
    if code in {126, 127, 137} or _ENVIRONMENT.search(last):
        return "environment"
    return "input" if _INPUT.search(last) else ""
