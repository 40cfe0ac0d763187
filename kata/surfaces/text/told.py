"""What the inner rooms explain, in the language that is spoken: refusals, checks, reasons, warnings.

Those rooms know no surfaces and explain themselves in English. Here stands each of their sentences as a template, with its
counterpart; what has none is shown as it came.
"""

import re
from collections.abc import Mapping
from functools import cache

Pairs = tuple[tuple[str, str], ...]

ZH: Pairs = (
    # refusals
    ("there is no kata {asked}", "没有 kata {asked}"),
    ("there is no event {position}", "没有事件 {position}"),
    ("The last one is {last}.", "最后一个是 {last}。"),
    ("{path} cannot be read: {why}", "无法读取 {path}：{why}"),
    ("there is no run {asked}", "没有执行记录 {asked}"),
    ("kata {number} has no version {version}", "kata {number} 没有版本 {version}"),
    ("It has versions 1 to {count}.", "它有版本 1 到 {count}。"),
    ("Did you mean {near}?", "您是不是要 {near}？"),
    ("See `list` for the numbers and names there are.", "`list` 会列出已有的编号和名称。"),
    ("See `runs` for those there are.", "`runs` 会列出已有的执行记录。"),
    ("{text} names no kata", "{text} 不是 kata 的编号或名称"),
    ("Use its number or its name, as `list` shows them.", "请使用 `list` 所示的编号或名称。"),
    ("kata {number} changed while you were reading{what}", "在您阅读时 kata {number} 发生了变化{what}"),
    ("Review it again: review {number}", "请重新审阅：review {number}"),
    ("no version of kata {number} has the digest {asked}", "kata {number} 没有指纹为 {asked} 的版本"),
    ("kata {number} was not reviewed here just now", "kata {number} 刚才没有在这里审阅过"),
    ("Read it first: review {number}", "请先阅读：review {number}"),
    ("input {name} cannot have that name", "输入参数 {name} 不能使用该名称"),
    (
        "A name has letters, digits and underscores, no digit first, 64 characters at most.",
        "名称由字母、数字和下划线组成，不以数字开头，最多 64 个字符。",
    ),
    ("a name must not look like a secret", "名称不能看起来像密钥"),
    (
        "Choose another name: everybody who sees the tool sees its names.",
        "请换一个名称：凡是看到该工具的人都会看到它的名称。",
    ),
    ("kata {number} does not pass its checks now: {failed}", "kata {number} 现在未通过检查：{failed}"),
    ("See them all: review {number}", "查看全部：review {number}"),
    (
        "kata {number} was changed just now by {by}: it is {state}",
        "kata {number} 刚刚被 {by} 更改：现在是 {state}",
    ),
    ("Look again: review {number}", "请重新查看：review {number}"),
    ("{verb} must come from a person", "{verb} 必须由人做出"),
    (
        "Open /kata in the chat or the Kata tab in the dashboard, or run this in your own terminal.",
        "请在聊天中打开 /kata 或在仪表板中打开 Kata 标签页，或在您自己的终端中执行此命令。",
    ),
    ("{name} is no input of it", "{name} 不是它的输入参数"),
    ("{name} is taken by another input", "{name} 已被另一个输入参数占用"),
    ("Its inputs: {inputs}.", "它的输入参数：{inputs}。"),
    ("{name} cannot be the name: {why}", "{name} 不能作为名称：{why}"),
    (
        "a name has small letters, digits and underscores, a letter first",
        "名称由小写字母、数字和下划线组成，以字母开头",
    ),
    ("it is longer than {count} characters", "它超过 {count} 个字符"),
    ("the tool {other} has it", "工具 {other} 已使用它"),
    (
        "it is too much like the tool {other}: the agent could call the wrong one",
        "它与工具 {other} 太相似：智能体可能调用错误的工具",
    ),
    ("Use {offer}.", "请使用 {offer}。"),
    (
        "kata {number} has an effect whose source you must choose: {places}",
        "kata {number} 的副作用有多个来源，须由您选择：{places}",
    ),
    ("{trigger} is refused in state {state}: {why}", "在状态 {state} 下 {trigger} 被拒绝：{why}"),
    ("Allowed here: {allowed}.", "此处允许：{allowed}。"),
    ("the state does not allow it", "此状态不允许"),
    ("only a person may decide this", "只有人可以决定"),
    ("{who} does this, nobody else", "只有 {who} 会这样做"),
    ("a newer Kata knows this state", "这是较新版本的 Kata 才有的状态"),
    ("Update Kata, or leave this kata to the newer one.", "请更新 Kata，或把它留给较新的版本。"),
    ("it needs that {fact}", "需要满足：{fact}"),
    ("the digest is the one that was reviewed", "指纹与审阅过的相同"),
    ("a fresh validation of that version passes", "该版本通过重新检查"),
    ("the name is free", "名称未被占用"),
    ("the version is later than every approved one", "该版本晚于所有批准过的版本"),
    ("the version was approved once", "该版本曾被批准"),
    ("nobody decided anything yet", "还没有人做过任何决定"),
    ("nobody decided anything about kata {number} yet", "还没有人对 kata {number} 做过任何决定"),
    ("Kata is looking for routines already", "Kata 已在查找例行流程"),
    ("Look again in a moment: list", "请稍后再看：list"),
    ("Try again in a moment.", "请稍后再试。"),
    ("Free some disk space; recording goes on by itself.", "请腾出磁盘空间；记录会自动继续。"),
    ("Check who owns Kata's data folder, and its permissions.", "请检查 Kata 数据文件夹的所有者和权限。"),
    ("Run `hermes kata verify`.", "请执行 `hermes kata verify`。"),
    ("the log cannot be opened: {error}", "无法打开日志：{error}"),
    ("nothing is recorded of a session {session}", "没有会话 {session} 的记录"),
    (
        "`audit --observations` and `why` name sessions; `forget last` is the newest one.",
        "`audit --observations` 和 `why` 会显示会话；`forget last` 指最新的一个。",
    ),
    ("what would go is not what was shown any more", "将被去除的内容已与显示的不同"),
    ("Look at it again: forget", "请再看一次：forget"),
    (
        "the outcome of {named} is not known: what it did would be done again without asking",
        "{named} 的结果未知：它做过的事会在不询问的情况下再做一次",
    ),
    ("Look at it, and allow a repeat first: run allow {run}", "请先查看并允许重复：run allow {run}"),
    ("say what to forget", "请说明要遗忘什么"),
    ("the note holds the very text", "备注中含有该文本"),
    ("Say it in other words.", "请换一种说法。"),
    ("a text of at least {count} characters can be forgotten", "只能遗忘至少 {count} 个字符的文本"),
    ("There is no file {path}.", "没有文件 {path}。"),
    ("{path} holds no history that can be read: {why}", "{path} 中没有可读取的历史：{why}"),
    ("none of its first lines is of a known form", "开头的行都不属于已知格式"),
    ("it is empty", "它是空的"),
    # what must hold, and troubles
    ("step {place} exists", "step {place} 存在"),
    ("step {place} has exactly {count} elements", "step {place} 恰好有 {count} 个元素"),
    ("step {place} has exactly {count} element", "step {place} 恰好有 {count} 个元素"),
    ("step {place} is not empty", "step {place} 不为空"),
    ("step {place} is one of {some}", "step {place} 是 {some} 之一"),
    ("{count} runs in a row failed", "连续 {count} 次执行失败"),
    ("{place}: property is gone", "{place}：属性已不存在"),
    ("{place}: new optional property", "{place}：新增可选属性"),
    ("{place}: required is new", "{place}：新成为必需"),
    ("{place}: no longer required", "{place}：不再必需"),
    ("{place}: enum value {some} is gone", "{place}：枚举值 {some} 已不存在"),
    ("seen in {fewer} of the {support} conversations it takes", "在所需的 {support} 个会话中见到 {fewer} 个"),
    # runs
    (
        "step {place} has {found}, the recordings always had {wanted}",
        "step {place} 有 {found}，而记录中始终是 {wanted}",
    ),
    ("{count} elements", "{count} 个元素"),
    ("{count} element", "{count} 个元素"),
    ("step {place} is missing", "缺少 step {place}"),
    ("step {place} is empty", "step {place} 为空"),
    ("step {place} has a value never seen before", "step {place} 的值从未见过"),
    ("not done: {why}", "未执行：{why}"),
    ("step {number} failed", "步骤 {number} 失败"),
    ("step {number} blocked", "步骤 {number} 被阻止"),
    ("step {number} unknown", "步骤 {number} 结果未知"),
    ("done in run {run}", "已在执行 {run} 中完成"),
    ("done by hand", "已手动完成"),
    ("stopped by the user", "被用户停止"),
    ("stopped by the user while it ran", "执行时被用户停止"),
    ("no answer within {seconds} s", "{seconds} 秒内没有返回"),
    ("the run reached its limit of {seconds} s", "执行达到了 {seconds} 秒的上限"),
    ("the list is empty", "列表为空"),
    # why an argument is as it is
    ("the same in all {count} conversations", "在全部 {count} 个会话中相同"),
    (
        "equals {text} in all {count} conversations, {number} distinct values",
        "在全部 {count} 个会话中等于 {text}，有 {number} 个不同的值",
    ),
    ("equals {text} in all {count} conversations, 1 value", "在全部 {count} 个会话中等于 {text}，有 1 个值"),
    ("text made as {text}, {number} distinct values", "文本组成为 {text}，有 {number} 个不同的值"),
    ("text made as {text}, 1 value", "文本组成为 {text}，有 1 个值"),
    ("always the same as the input {name}", "始终与输入参数 {name} 相同"),
    ("1 value, which nothing earlier explains", "1 个值，之前的内容都无法解释"),
    ("{number} distinct values, which nothing earlier explains", "{number} 个不同的值，之前的内容都无法解释"),
    ("it only says what the call does", "它只说明此调用做什么"),
    ("chosen by a person", "由人选择"),
    ("nothing ties step {number} to the steps before it", "步骤 {number} 与之前的步骤没有联系"),
    ("the recorded values were erased", "记录的值已被抹除"),
    # warnings
    ("all of the evidence is from one day ({day})", "全部依据都来自同一天（{day}）"),
    ("seen only in scheduled job {jobs}", "只在计划任务 {jobs} 中见过"),
    (
        "{where} takes {source} by its place in a list of several",
        "{where} 按位置从多个元素的列表中取 {source}",
    ),
    (
        "{where} holds {kind}, which looks bound to a time or a run: {text}",
        "{where} 含有 {kind}，看起来与某个时间或某次执行绑定：{text}",
    ),
    ("{where} takes {source} as free shell text", "{where} 把 {source} 作为任意 Shell 文本"),
    (
        "in {against} of {whole} conversations the same tools were used otherwise",
        "在 {whole} 个会话中的 {against} 个里，同样的工具以其他方式使用",
    ),
    ("Look whether {folder} is a folder that you may write in.", "请检查 {folder} 是否为您可写入的文件夹。"),
    ("the data folder cannot be used: {why}", "无法使用数据文件夹：{why}"),
    (
        "the log was damaged ({why}); it is kept in {folder}, and a new one was begun",
        "日志已损坏（{why}）；原文件保留在 {folder} 中，已开始新的日志",
    ),
    (
        "of {unknown} of {whole} conversations it is not known whether they go on from another one",
        "在 {whole} 个会话中，有 {unknown} 个不知道是否接续另一个会话",
    ),
    ("{tool} could not be registered: {why}", "{tool} 未能注册：{why}"),
    # checks
    ("no example is left", "没有留下示例"),
    (
        "the recordings that it was checked against were forgotten: {kept} of {wanted} are left, too few to tell",
        "用于检查它的记录已被遗忘：{wanted} 个中还剩 {kept} 个，不足以判断",
    ),
    ("{kept} of {wanted} examples are still kept", "{wanted} 个示例中仍保留 {kept} 个"),
    ("{tool} is not here", "这里没有 {tool}"),
    ("every tool is here with the schema it was recorded with", "每个工具都在，模式与记录时相同"),
    (
        "the schema of {tool} changed since it was recorded; the recorded calls still meet it",
        "{tool} 的模式自记录以来已改变；记录的调用仍符合",
    ),
    ("no credential and no masked value", "没有凭据，也没有脱敏的值"),
    ("{where} holds a masked value", "{where} 含有脱敏的值"),
    ("{where} holds a credential", "{where} 含有凭据"),
    (
        "{fit} of the held-out examples are reproduced, {least} are needed",
        "重现了被留出检验的示例的 {fit}，需要 {least}",
    ),
    ("{fit} of the held-out examples are reproduced", "重现了被留出检验的示例的 {fit}"),
    ("no example could be replayed", "没有示例可以重放"),
    # doctor
    ("is not installed", "未安装"),
    ("Install it: {command}", "请安装：{command}"),
    ("Install one that fits: {command}", "请安装合适的版本：{command}"),
    (
        "{version}; Kata was tried with {least} up to, not with, {below}",
        "{version}；Kata 试用过 {least} 至 {below}（不含）",
    ),
    ("{count} events; `verify` re-reads every byte", "{count} 条事件；`verify` 会重读每个字节"),
    (
        "anchor.json is missing or unreadable: whether the log's end was cut cannot be told",
        "anchor.json 缺失或无法读取：无法判断日志末尾是否被截断",
    ),
    (
        "anchor.json was missing or unreadable after event {position}: whether more stood there cannot be told",
        "第 {position} 条事件之后 anchor.json 曾缺失或无法读取：无法判断其后是否曾有内容",
    ),
    (
        "Compare with a backup. Once you know why: hermes kata verify --accept",
        "请与备份核对。查明原因后执行：hermes kata verify --accept",
    ),
    ("on, nothing lost", "正在记录，没有丢失"),
    ("off or paused", "已关闭或暂停"),
    ("hermes kata resume, or the setting record: true", "hermes kata resume，或设置 record: true"),
    ("{count} events were not stored ({reason})", "{count} 条事件未能保存（{reason}）"),
    (
        "Make room on the disk, or look at the reason; the agent is not affected.",
        "请腾出磁盘空间，或查看原因；智能体不受影响。",
    ),
    ("{count} MB are free where the log lies", "日志所在处剩余 {count} MB"),
    ("Make room: what cannot be stored is lost.", "请腾出空间：无法保存的会丢失。"),
    ("{name} can be read by others", "其他人可以读取 {name}"),
    ("Run Hermes with Python 3.11 or newer.", "请用 Python 3.11 或更新版本运行 Hermes。"),
    ("the {system} hooks in {place} are another Kata's", "{place} 中的 {system} 钩子属于另一个 Kata"),
    ("Please report this with its whole text.", "请附上全文报告此问题。"),
    # effects
    ("runs inline or downloaded code", "执行内联或下载的代码"),
    ("sensitive path", "敏感路径"),
    ("runs as another user", "以其他用户身份执行"),
    ("waits for a person at a terminal", "等待终端前的人"),
    ("runs a script or a project's own code", "执行脚本或项目自身的代码"),
)

TOLD: Mapping[str, Pairs] = {"zh": ZH}
EXPLANATIONS = frozenset(
    (
        "change",
        "detail",
        "fact",
        "failed",
        "found",
        "hint",
        "message",
        "reason",
        "values",
        "wanted",
        "what",
        "why",
    )
)
"""The places where something is explained; what stands in others, such as a command, is shown as it is, whatever it says."""

HOLE = re.compile(r"\{(\w+)\}")


def told(text: str, language: str) -> str:
    """Return an explanation of an inner room in a language; one that is not known there as it came.

    ``a; b`` is said part by part where every part is known: half of it could be a command.
    """
    if language not in TOLD or " " not in text:
        return text
    parts = [_said(part, language) for part in text.split("; ")]
    known = [part for part in parts if part is not None]
    return "；".join(known) if len(known) == len(parts) else _said(text, language) or text


def _said(text: str, language: str) -> str | None:
    for pattern, template in _patterns(language):
        match = pattern.fullmatch(text)
        if match is not None:
            found = match.groupdict()
            return template.format(
                **{name: told(one, language) if name in EXPLANATIONS else one for name, one in found.items()}
            )
    return None


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern(english), other) for english, other in TOLD[language])


def _pattern(english: str) -> re.Pattern[str]:
    """Make a sentence's holes match whatever stands there; a number is one, and a text goes on as far as it can."""
    forms = {"count": r"\d+", "number": r"\d+", "text": ".*"}
    pieces = HOLE.split(english)
    return re.compile(
        "".join(
            f"(?P<{piece}>{forms.get(piece, '.*?')})" if at % 2 else re.escape(piece)
            for at, piece in enumerate(pieces)
        ),
        re.DOTALL,
    )
