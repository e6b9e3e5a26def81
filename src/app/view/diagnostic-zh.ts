// Findings about files in Chinese, by the English sentence; `{}` stands for what varies in it. Loaded only when Chinese is spoken.
import type { Diagnostic } from '../../base/diagnostic.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  // The frontmatter as a whole.
  'Shorten SKILL.md to at most 1 MiB.': '请将 SKILL.md 缩短到 1 MiB 以内。',
  'Begin SKILL.md with a `---` block that has name and description.':
    '请让 SKILL.md 以含有 name 和 description 的 `---` 块开头。',
  'Add a frontmatter with name and description; until then only a person can choose the skill.':
    '请添加含有 name 和 description 的 frontmatter；在此之前只有人能选择该技能。',
  'Close the frontmatter with `---` within the first 64 KiB.': '请在前 64 KiB 之内用 `---` 结束 frontmatter。',
  'Write the value out: anchors, aliases and merge keys are not read.': '请直接写出值: 不读取锚点、别名与合并键。',
  'Flatten the field: values may be nested at most 8 deep.': '请减少字段的嵌套: 最多 8 层。',
  'Leave out what is not needed: at most 256 fields are read.': '请删去不需要的字段: 最多读取 256 个。',
  'The frontmatter is not readable: {}; mend this line.': '无法读取 frontmatter: {}；请修正这一行。',
  'The frontmatter is not readable: close it with a line `---` before the body.':
    '无法读取 frontmatter: 请在正文之前用一行 `---` 结束它。',
  'Remove the byte order mark at the beginning of the file.': '请删除文件开头的字节顺序标记 (BOM)。',
  'The lines end with CR LF; LF is the common form.': '行尾为 CR LF；通常使用 LF。',
  'Write the fences as a line of exactly three dashes, the first one on line 1.':
    '请将分隔线写成恰好三个连字符的一行，首条位于第 1 行。',
  'Move the comment below the frontmatter; the file has to begin with `---`.':
    '请将注释移到 frontmatter 之后；文件须以 `---` 开头。',
  'Remove the code fence around the frontmatter; the file has to begin with `---`.':
    '请删除 frontmatter 外的代码围栏；文件须以 `---` 开头。',
  'Put a line `---` before and after the fields at the beginning of the file.':
    '请在文件开头的字段前后各放一行 `---`。',
  'Move the fields to the beginning of the file, between two lines `---`; until then only a person can choose the skill.':
    '请将字段移到文件开头的两行 `---` 之间；在此之前只有人能选择该技能。',
  'Close the frontmatter with a line `---` before the body.': '请在正文之前用一行 `---` 结束 frontmatter。',
  'Rename the key {}; it was left out.': '请为键 {} 改名；它已被忽略。',
  'Put the value of {} in quotes: a comma cuts it.': '请将 {} 的值放入引号: 逗号会截断它。',
  'Put the value of {} in quotes.': '请将 {} 的值放入引号。',
  'Remove the second {}; the first one counts.': '请删除第二个 {}；以第一个为准。',
  'Mend the YAML of {}; it was kept as plain text.': '请修正 {} 的 YAML；目前按纯文本保留。',
  'Mend or remove this line; it belongs to no field.': '请修正或删除这一行；它不属于任何字段。',
  // Its fields.
  'Mend {}; until then it is left out, the most restrictive reading.': '请修正 {}；在此之前将其忽略，即最严格的读法。',
  'Mend {}; until then it is read as {}, the most restrictive reading.':
    '请修正 {}；在此之前按 {} 读取，即最严格的读法。',
  'Unknown fields are kept and have no effect: {}.': '未知字段予以保留，但不起作用: {}。',
  'Did you mean {}? {} is not a field.': '您是否想写 {}？{} 不是字段。',
  'Add a name; the folder name is used.': '请添加 name；目前使用目录名。',
  'Name the skill like its folder, {}; it answers to both.': '请让技能与其目录 {} 同名；目前两个名称都可用。',
  'Shorten the name to {} characters.': '请将名称缩短到 {} 个字符。',
  'Use small letters, digits and single hyphens in the name.': '名称请使用小写字母、数字和单个连字符。',
  'Add a description that says what the skill does and when to use it.':
    '请添加 description，说明技能做什么、何时使用。',
  'Shorten the description to {} characters; the catalog cuts it.': '请将描述缩短到 {} 个字符；目录会截断它。',
  'Write run-mode as inline or subagent; until then it is subagent.':
    'run-mode 请写 inline 或 subagent；在此之前为 subagent。',
  'Write {} as text; it is kept and has no effect.': '{} 请写成文本；它予以保留，但不起作用。',
  'Write {} as true or false.': '{} 请写 true 或 false。',
  'A map in requires is kept and has no effect.': 'requires 中的映射予以保留，但不起作用。',
  'Move the command into a script; it is not run because no shell reads {}.':
    '请将命令移入脚本；它不会运行，因为没有 shell 来解释 {}。',
  'Name a file of the skill or a program with arguments; a label alone is not run.':
    '请写技能中的文件，或带参数的程序；单独的标签不会运行。',
  'Name a file inside the skill folder as entry.': 'entry 请指向技能目录内的文件。',
  'Remove "{}" from {}: it {}.': '请从 {2} 中删除 "{1}": 它{3}。',
  'Remove "{}" from name.': '请从 name 中删除 "{}"。',
  'Write {word} instead of "{}" in {}; it is shown as text, never as a tag.':
    '请在 {2} 中用 {word} 代替 "{1}"；它按文本显示，不作为标签。',
  'could pass for the words of the system': '可能被当作系统的话',
  'could pass for the words of the model': '可能被当作模型的话',
  'could pass for the words of the user': '可能被当作用户的话',
  'could pass for instructions': '可能被当作指令',
  'could pass for a call of a tool or its result': '可能被当作工具调用或其结果',
  'could pass for what the model thinks': '可能被当作模型的思考',
  'could begin or end a part of the prompt': '可能开始或结束提示词的一部分',
  'could end a part of the prompt': '可能结束提示词的一部分',
  'is a control token of a chat format': '是对话格式的控制标记',
  'begins a comment that hides text from its reader': '是对读者隐藏文本的注释的开头',
  'Remove the hidden character {} from {}.': '请从 {2} 中删除隐藏字符 {1}。',
  'Write the parameters as a map or as a list with a name each.': '参数请写成映射，或每项带名称的列表。',
  'Write the actions as a map or as a list with a name each.': '操作请写成映射，或每项带名称的列表。',
  'Give each parameter its own name of letters, digits, - and _.':
    '每个参数须有各自的名称，由字母、数字、- 与 _ 组成。',
  'Give each action its own name of letters, digits, - and _.': '每个操作须有各自的名称，由字母、数字、- 与 _ 组成。',
  'Write required of {} as true or false; it was read as true.':
    '{} 的 required 请写 true 或 false；目前按 true 读取。',
  'Use one of {} as type of {}; it was read as string.': '{2} 的类型请使用 {1} 之一；目前按 string 读取。',
  'Write the choices in enum of {} as single values.': '{} 的 enum 中的选项请写成单个值。',
  'actions of {}: {}': '{} 的 actions: {}',
  // The text below it.
  'Move parts of the body into files of their own: {} lines, more than {}.':
    '请将部分正文移入单独的文件: 共 {} 行，超过 {} 行。',
  'Remove the hidden characters ({}), the first one is {}.': '请删除隐藏字符（{}），第一个是 {}。',
  'Add {} or correct the path; the skill has no such file.': '请添加 {} 或修正路径；技能中没有此文件。',
  'Add a section {}.': '请添加章节 {}。',
  // What the stricter profiles ask for.
  'Use 1 to 64 of a-z, 0-9 and - as name.': '名称请使用 1 至 64 个 a-z、0-9 和 -。',
  'Flatten {} to a text or a list of texts.': '请将 {} 改为文本或文本列表。',
  'Remove < and > from the frontmatter.': '请从 frontmatter 中删除 < 和 >。',
  'agentskills.io has no field {}; keep it for Skillwright, or leave it out of what you publish.':
    'agentskills.io 没有字段 {}；可为 Skillwright 保留，或在发布时去掉。',
  'agentskills.io has no field {}; move it into metadata.': 'agentskills.io 没有字段 {}；请移入 metadata。',
  'Shorten the description to {} characters.': '请将描述缩短到 {} 个字符。',
  'Write license as text.': 'license 请写成文本。',
  'Write compatibility as text of 1 to {} characters.': 'compatibility 请写成 1 至 {} 个字符的文本。',
  'Write metadata as a map of texts; put numbers in quotes.': 'metadata 请写成文本映射；数字请加引号。',
  'Write allowed-tools as one text with spaces between the tools.':
    'allowed-tools 请写成一段文本，工具之间用空格分隔。',
  // The settings.
  '{} is not used: {}': '{} 未采用: {}',
  'output_folder may not be {}: {}': 'output_folder 不能是 {}: {}',
  'only your own settings may choose this ({}): {}': '仅您自己的配置可选定此项（{}）: {}',
  'only your own settings may choose this ({})': '仅您自己的配置可选定此项（{}）',
  'only your own settings may loosen this ({}): {} still asks': '仅您自己的配置可放宽此项（{}）: {} 仍需询问',
  'only your own settings may loosen this ({}): {}': '仅您自己的配置可放宽此项（{}）: {}',
  'only your own settings may loosen this ({})': '仅您自己的配置可放宽此项（{}）',
  'unknown setting {}': '未知配置项 {}',
  'this folder is not trusted': '此目录未受信任',
  'it holds your home folder': '其中包含您的主目录',
  'it lies in {}': '它位于 {} 之内',
  'secrets are kept there': '该处存放机密',
  'skills are read from there': '技能从该处读取',
  'it is no folder inside the project': '它不是项目内的目录',
  'programs obey what lies in {}': '程序会执行 {} 中的内容',
  // The file itself.
  'Rename {} to SKILL.md: other tools look for that spelling only.': '请将 {} 改名为 SKILL.md: 其他工具只认这种写法。',
  'is not a file': '不是文件',
  'is not UTF-8 text': '不是 UTF-8 文本',
  'cannot be read ({})': '无法读取（{}）',
  'cannot be opened ({})': '无法打开（{}）',
  'SKILL.md is a link to nothing': 'SKILL.md 是失效的链接',
  'SKILL.md is a link that leaves the skill folder, to {}': 'SKILL.md 是指向技能目录之外的链接: {}',
  // The folders skills are found in.
  'the folder name holds hidden characters: {}': '目录名含有隐藏字符: {}',
  'the folder cannot be listed ({})': '无法列出目录（{}）',
  'a link to nothing, or to itself': '是失效的或指向自身的链接',
  'there is no SKILL.md in it, nor one folder below': '其中没有 SKILL.md，下一层目录中也没有',
  '{} should be spelt SKILL.md': '{} 应写作 SKILL.md',
  'a link to a folder it lies in': '是指向其上级目录的链接',
  'a link that leaves the folders skills are read from, to {}': '是指向技能目录之外的链接: {}',
  'more than {} folders: the rest was not looked at': '超过 {} 个目录: 其余未读取',
  'deeper than {} folders: the rest was not looked at': '超过 {} 层目录: 其余未读取',
  '{} is a link that leaves the project: not read': '{} 是指向项目之外的链接: 未读取',
  '{} is not there': '{} 不存在',
  '{} is not a folder': '{} 不是目录',
  '{} cannot be read ({})': '{} 无法读取（{}）',
  'another {} skill is called {} too: {} is used': '另有名为 {2} 的 {1} 技能: 使用 {3}',
  '{} skill {} has the same name: {} still names this one': '{} 技能 {} 与其同名: 仍可用 {} 指明此技能',
};

/** Those that know their Chinese already keep it; what nobody translated, such as a parser's words, stays as it is. */
export function withChinese(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const message = diagnostic.zh ? undefined : translate(diagnostic.message);
    return message === undefined ? diagnostic : { ...diagnostic, zh: { message } };
  });
}

function translate(message: string): string | undefined {
  for (const [english, chinese] of Object.entries(SENTENCES)) {
    const parts = patternOf(english).exec(message)?.slice(1);
    // A part may be a sentence of its own.
    if (parts)
      return fill(
        chinese,
        parts.map((part) => translate(part) ?? part),
      );
  }
  return undefined;
}

function patternOf(english: string): RegExp {
  return new RegExp(`^${english.split('{}').map(escapePattern).join('(.*?)')}$`, 's');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** `{}` takes the next part, `{2}` the second one. */
function fill(chinese: string, parts: readonly string[]): string {
  let next = 0;
  return chinese.replace(/\{(\d?)\}/g, (_, place: string) => parts[place === '' ? next++ : Number(place) - 1] ?? '');
}
