"""What the interactive session says."""

MESSAGES = {
    "terminal.prompt": ("> ", "> "),
    "terminal.call": ("  {tool} {arguments}", "  {tool} {arguments}"),
    "terminal.call_done": ("  {tool} done in {seconds} s: {first}", "  {tool} 完成，{seconds} 秒：{first}"),
    "terminal.call_failed": ("  {tool} failed after {seconds} s: {first}", "  {tool} 失败，{seconds} 秒：{first}"),
    "terminal.ask": ("Allow this? {action}", "允许吗？{action}"),
    "terminal.confirm": ("Please confirm, this is a high-risk call: {action}", "请再次确认，这是高风险调用：{action}"),
    "terminal.why": ("  why: {reason}", "  原因：{reason}"),
    "terminal.rule": ("  rule: {rule} at {source}", "  规则：{rule}，位于 {source}"),
    "terminal.always": ("  always: would write {rule} to {file}", "  始终允许：将把 {rule} 写入 {file}"),
    "terminal.choices": (
        "y once, s this session, a always, n no (a comment may follow): ",
        "y 仅此一次，s 本次会话，a 始终，n 拒绝（后面可写给模型的说明）：",
    ),
    "terminal.mode_unknown": (
        "no mode {mode}; there are plan, default, accept-edits and auto",
        "没有模式 {mode}；可用：plan、default、accept-edits、auto",
    ),
}
