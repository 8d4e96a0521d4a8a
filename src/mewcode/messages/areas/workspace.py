"""Messages about files, paths, searches and processes."""

MESSAGES = {
    "workspace.no_roots": (
        "There is no workspace to look in: this call has no roots.",
        "没有可用的工作区：此调用没有任何根目录。",
    ),
    "workspace.outside": (
        "{path} is outside the workspace. Allowed: paths under {roots}.",
        "{path} 在工作区之外。允许的路径：{roots} 之下。",
    ),
    "workspace.not_in_read_scope": (
        "{path} may not be read by this caller: it is outside its read paths.",
        "此调用者无权读取 {path}：不在其可读路径之内。",
    ),
    "workspace.not_in_write_scope": (
        "{path} may not be written by this caller: it is outside its write paths.",
        "此调用者无权写入 {path}：不在其可写路径之内。",
    ),
    "workspace.read_only_root": (
        "{path} may be read but not written: {root} is a read-only root.",
        "{path} 只能读取不能写入：{root} 是只读根目录。",
    ),
    "workspace.bad_path": (
        "{path} is not a usable path: {reason}.",
        "{path} 不是可用的路径：{reason}。",
    ),
    "workspace.not_found": (
        "{path} does not exist.{hint}",
        "{path} 不存在。{hint}",
    ),
    "workspace.not_a_directory": (
        "{path} is not a directory.",
        "{path} 不是目录。",
    ),
    "workspace.is_directory": (
        "{path} is a directory, not a file. find_files lists what is in it.",
        "{path} 是目录，不是文件。可用 find_files 列出其内容。",
    ),
    "workspace.special_file": (
        "{path} is a {kind}, not a regular file; it is not opened.",
        "{path} 是 {kind}，不是普通文件，不会打开它。",
    ),
    "workspace.too_many_links": (
        "{path} leads through too many symbolic links (a loop?).",
        "{path} 经过的符号链接过多（可能是循环）。",
    ),
    "workspace.changed_meanwhile": (
        "{path} changed while it was being used. Try again.",
        "{path} 在使用过程中发生了变化，请重试。",
    ),
    "workspace.write_protected": (
        "{path} is write-protected (mode {mode}). Change its mode first if it should be written.",
        "{path} 受写保护（权限 {mode}）。如需写入，请先修改权限。",
    ),
    "workspace.not_permitted": (
        "{path} cannot be used: the operating system denies it ({reason}).",
        "无法使用 {path}：操作系统拒绝（{reason}）。",
    ),
    "workspace.failed": (
        "{path}: {reason}.",
        "{path}：{reason}。",
    ),
    "workspace.too_large": (
        "{path}: {size} bytes are more than the {limit} bytes allowed.",
        "{path}：{size} 字节，超过允许的 {limit} 字节。",
    ),
    "workspace.not_read": (
        "{path} exists and was not read in this session. Read it first, then write it, or use edit_file.",
        "{path} 已存在，但本会话尚未读取。请先读取再写入，或使用 edit_file。",
    ),
    "workspace.changed_since_read": (
        "{path} changed since it was last read. Read it again before writing it.",
        "{path} 自上次读取后已被修改。请重新读取后再写入。",
    ),
    "workspace.binary": (
        "{path} is a binary file ({size} bytes{kind}); its content is not shown.",
        "{path} 是二进制文件（{size} 字节{kind}），不显示其内容。",
    ),
    "workspace.no_such_job": (
        "There is no background job {job} in this session.{hint}",
        "本会话中没有后台任务 {job}。{hint}",
    ),
    "workspace.too_many_jobs": (
        "{count} background jobs run already in this session. Stop one first.",
        "本会话已有 {count} 个后台任务在运行，请先停止一个。",
    ),
    "workspace.cannot_run": (
        "The command could not be started: {reason}.",
        "无法启动命令：{reason}。",
    ),
    "workspace.bad_query": (
        "The search cannot be made: {reason}",
        "无法执行搜索：{reason}",
    ),
}
