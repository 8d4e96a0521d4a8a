"""Messages about settings files. None of them quotes a value: it might be a secret."""

MESSAGES = {
    "config.is_directory": (
        "{file} is a directory where a settings file should be. Move it away.",
        "{file} 是一个目录,而这里应当是设置文件。请把它移走。",
    ),
    "config.unreadable": (
        "{file} cannot be read: {reason}. Check its owner and permissions.",
        "无法读取 {file}:{reason}。请检查其所有者和权限。",
    ),
    "config.not_regular": (
        "{file} is a pipe, socket or device, not a file. Put a plain text file in its place.",
        "{file} 是管道、套接字或设备,不是文件。请换成普通文本文件。",
    ),
    "config.too_large": (
        "{file} is larger than {limit} KiB, which no settings file needs. Is it something else?",
        "{file} 超过 {limit} KiB,设置文件不需要这么大。它是不是别的东西?",
    ),
    "config.not_utf8": (
        "{file} is not UTF-8 text (line {line}). Save it as UTF-8.",
        "{file} 不是 UTF-8 文本(第 {line} 行)。请以 UTF-8 保存。",
    ),
    "config.syntax": ("{file} cannot be understood: {reason}.", "无法理解 {file}:{reason}。"),
    "config.bad_character": (
        "{file} has a character that YAML does not allow (a control character).",
        "{file} 含有 YAML 不允许的字符(控制字符)。",
    ),
    "config.too_deep": (
        "{file} is nested deeper than {limit} levels.",
        "{file} 的嵌套超过 {limit} 层。",
    ),
    "config.too_many_values": (
        "{file} holds more than {limit} values (aliases written out), which no settings file needs.",
        "{file} 超过 {limit} 个值(含展开的别名),设置文件不需要这么多。",
    ),
    "config.not_mapping": (
        "{file} must hold settings as “name: value” lines.",
        "{file} 必须由“名称: 值”的行组成。",
    ),
    "config.duplicate_key": (
        "the key “{key}” stands here a second time. Keep one of them.",
        "键“{key}”在这里重复出现。请只保留一个。",
    ),
    "config.bad_merge": (
        "“<<” takes an alias of a mapping, or a list of such aliases.",
        "“<<”只能接受映射的别名或这类别名的列表。",
    ),
    "config.bad_key": ("a key must be plain text.", "键必须是普通文本。"),
    "config.bad_tag": (
        "tags like !name are not used in settings. Write the plain value.",
        "设置中不使用 !name 这样的标签。请直接写值。",
    ),
    "config.second_document": (
        "a second document (---) begins here. Settings are one document.",
        "这里开始了第二个文档(---)。设置只能是一个文档。",
    ),
    "config.unknown_alias": (
        "this alias (*name) has no anchor (&name) further up.",
        "这个别名(*name)在前面没有对应的锚点(&name)。",
    ),
    "config.bad_number": ("this number is too long.", "这个数字太长。"),
    "config.unknown_key": ("there is no setting “{key}”.", "没有名为“{key}”的设置。"),
    "config.unknown_key_near": (
        "there is no setting “{key}”. Did you mean “{near}”?",
        "没有名为“{key}”的设置。是否想写“{near}”?",
    ),
    "config.missing_key": ("“{key}” is missing.", "缺少“{key}”。"),
    "config.wrong_type": ("“{key}” must be {expected}.", "“{key}”必须是{expected}。"),
    "config.type_text": ("text", "文本"),
    "config.type_whole": ("a whole number", "整数"),
    "config.type_number": ("a number", "数字"),
    "config.type_bool": ("true or false", "true 或 false"),
    "config.type_list": ("a list", "列表"),
    "config.type_mapping": ("a mapping of names to values", "名称到值的映射"),
    "config.type_other": ("a value of another kind", "另一种值"),
    "config.not_one_of": ("“{key}” must be one of: {choices}.", "“{key}”必须是以下之一:{choices}。"),
    "config.not_one_of_near": (
        "“{key}” must be one of: {choices}. Did you mean “{near}”?",
        "“{key}”必须是以下之一:{choices}。是否想写“{near}”?",
    ),
    "config.out_of_range": ("“{key}” must be {bound}.", "“{key}”必须 {bound}。"),
    "config.bad_format": ("“{key}” does not have the right form.", "“{key}”的格式不对。"),
    "config.not_url": (
        "“{key}” must be a URL that begins with http:// or https://.",
        "“{key}”必须是以 http:// 或 https:// 开头的网址。",
    ),
    "config.bad_duration": (
        "“{key}” must be a duration: 500ms, 30s, 5m, or seconds as a number.",
        "“{key}”必须是时长:500ms、30s、5m,或以秒为单位的数字。",
    ),
    "config.bad_size": (
        "“{key}” must be a size in bytes: 4000, 64MiB, 10 MB.",
        "“{key}”必须是字节大小:4000、64MiB、10 MB。",
    ),
    "config.command_and_url": (
        "“{key}” has both a command and a url. Keep the one that reaches the server.",
        "“{key}”同时有 command 和 url。请只保留能连到服务器的那个。",
    ),
    "config.no_command_no_url": (
        "“{key}” needs a command (stdio) or a url (HTTP).",
        "“{key}”需要 command(stdio)或 url(HTTP)。",
    ),
    "config.stdio_without_command": (
        "“{key}” is of type stdio and needs a command.",
        "“{key}”的类型是 stdio,需要 command。",
    ),
    "config.http_without_url": ("“{key}” is reached over HTTP and needs a url.", "“{key}”通过 HTTP 连接,需要 url。"),
    "config.unset_variable": (
        "“{key}” needs the environment variable {name}, which is not set. Set it, or write ${{{name}:-default}}.",
        "“{key}”需要环境变量 {name},但它没有设置。请设置它,或写成 ${{{name}:-默认值}}。",
    ),
    "config.secret_file": (
        "“{key}” needs the file {name}, which cannot be read: {reason}.",
        "“{key}”需要文件 {name},但无法读取:{reason}。",
    ),
    "config.bad_reference": (
        "“{key}” has a ${{ that does not become ${{VAR}}, ${{VAR:-default}} or ${{file:PATH}}. "
        "Write $${{ for the text itself.",
        "“{key}”里的 ${{ 不是 ${{VAR}}、${{VAR:-默认值}} 或 ${{file:路径}}。若要保留原文,请写 $${{。",
    ),
    "config.trust_damaged": (
        "{file} is damaged ({reason}). Nothing in it counts. Move it away and trust your servers again.",
        "{file} 已损坏({reason}),其中内容都不算数。请把它移走并重新信任服务器。",
    ),
    "config.project_ignored": (
        "a project file may not set “{key}”; it is ignored. Put it into your own settings ({user_file}).",
        "项目文件不能设置“{key}”,已忽略。请写到自己的设置中({user_file})。",
    ),
    "config.project_loosens": (
        "a project file may only tighten “{key}”; it is ignored. Your own settings ({user_file}) may loosen it.",
        "项目文件只能收紧“{key}”,已忽略。要放宽,请改自己的设置({user_file})。",
    ),
    "config.project_model": (
        "the project's “{key}” is not among your models and is ignored. Set up its provider in {user_file} first.",
        "项目的“{key}”不在你的模型之中,已忽略。请先在 {user_file} 中设置其提供方。",
    ),
    "config.project_reference": (
        "“{key}” stands in a project file, where ${{…}} is expanded only in trusted servers and rules.",
        "“{key}”位于项目文件中;那里只有受信任的服务器和规则才会展开 ${{…}}。",
    ),
    "config.foreign_key": (
        "“{key}” of another program is not used here.",
        "“{key}”属于其他程序,这里不使用。",
    ),
    "config.managed_broken": (
        "the managed settings {file} are broken, so nothing runs: {reason} Tell whoever looks after this machine.",
        "受管设置 {file} 有误,因此什么都不会运行:{reason} 请告知这台机器的管理员。",
    ),
    "config.not_editable": (
        "{file} is written in a way that cannot be changed safely (aliases, or several documents). Edit it by hand.",
        "{file} 的写法无法安全地自动修改(别名或多个文档)。请手工编辑。",
    ),
    "config.unwritable": ("{file} cannot be written: {reason}.", "无法写入 {file}:{reason}。"),
    "config.broken_for_edit": (
        "mend the file first, nothing was changed: {reason}",
        "请先修好文件,尚未做任何更改:{reason}",
    ),
    "config.command_line": ("the command line is wrong: {reason}", "命令行有误:{reason}"),
    "config.rule": ("“{key}”: {reason}", "“{key}”:{reason}"),
    "config.check_ok": ("no problems in {count} file(s).", "{count} 个文件没有问题。"),
    "config.check_none": (
        "there are no settings files; every setting has its default.",
        "没有设置文件;所有设置都是默认值。",
    ),
    "config.check_failed": ("{errors} error(s), {warnings} warning(s).", "{errors} 个错误,{warnings} 个警告。"),
    "config.more_defaults": (
        "{count} more settings have their default; --all shows them.",
        "另有 {count} 个设置为默认值;用 --all 查看。",
    ),
    "config.no_such_key": ("there is no setting “{key}”.", "没有名为“{key}”的设置。"),
}
