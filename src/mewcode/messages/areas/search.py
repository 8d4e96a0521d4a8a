"""What the search for tools says to people."""

MESSAGES = {
    "search.no_words": (
        "Nothing to search for. Give words (mewcode tools search create issue), or a file of queries with --queries.",
        "没有要搜索的内容。请给出关键词（mewcode tools search create issue），或用 --queries 指定查询文件。",
    ),
    "search.cannot_read": (
        "{file} cannot be read: {why}.",
        "无法读取 {file}：{why}。",
    ),
    "search.bad_line": (
        "{file}, line {line}: {why}. Each line holds one JSON object.",
        "{file} 第 {line} 行：{why}。每行应是一个 JSON 对象。",
    ),
}
