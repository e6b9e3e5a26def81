// Why a process failed, by what it said: a table of the words in which interpreters and tools name a cause, and what helps.
import path from 'node:path';
import { isHiddenFile } from '../../base/hidden-files.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

export type CauseKind = 'missing-module' | 'missing-program' | 'hidden-file' | 'closed-path' | 'missing-file';

export interface Cause {
  readonly kind: CauseKind;
  /** The module, program or path, as the process wrote it. */
  readonly name: string;
  /** Of a module that a package may bring, which can be prepared. */
  readonly isPackaged?: true;
}

interface Row {
  readonly kind: CauseKind;
  readonly isPackaged?: true;
  /** The last group that matches is the name. */
  readonly words: readonly RegExp[];
}

// What an interpreter did not find: said once, anywhere.
const PARTS: readonly Row[] = [
  {
    kind: 'missing-module',
    isPackaged: true,
    words: [
      /ModuleNotFoundError: No module named '([^'\n]{1,100})'/,
      /: No module named ([\w.]{1,100})$/m,
      /Cannot find (?:package|module) '([^'\n/.][^'\n]{0,99})'/,
    ],
  },
  {
    kind: 'missing-module',
    words: [/cannot load such file -- ([^\s(]{1,100})/, /Can't locate (\S{1,100})\.pm in @INC/],
  },
  {
    kind: 'missing-program',
    words: [
      /^(?:.*: )?(?:line \d+: |\d+: )?([\w.+-]{1,64}): (?:command )?not found$/m,
      // Of subprocess only: a file that a script opens is no program.
      / in _execute_child\n.*\nFileNotFoundError: \[Errno 2\] No such file or directory: '([\w.+-]{1,64})'/,
      /spawn ([\w.+-]{1,64}) ENOENT/,
      /\b(?:env|xargs|timeout|nice|nohup): (?:failed to run command )?[‘'"]?([\w.+-]{1,64})[’'"]?: No such file or directory/,
      /Can't exec "([\w.+-]{1,64})": No such file or directory/,
    ],
  },
  // By its path: a file of the skill or the script itself.
  { kind: 'missing-file', words: [/Cannot find module '((?:\/|\.{1,2}\/)[^'\n]+)'/] },
];

const QUOTED = `(?:'([^'\\n]+)'|"([^"\\n]+)"|‘([^’\\n]+)’)`;
const BEFORE_COLON = `(?:^|: )(?:[Cc](?:annot|an't|ould not) (?:\\w+ )*)?(?:${QUOTED}|([^\\s:'"‘][^:\\n]*))`;

function inWordsOf(errors: string, numbers: string, codes: string): RegExp[] {
  return [
    // Python, then Node, then what shells and their tools print.
    new RegExp(`\\[Errno (?:${numbers})\\] (?:${errors}): ${QUOTED}`),
    new RegExp(`can't open file ${QUOTED}: \\[Errno (?:${numbers})\\]`),
    new RegExp(`\\b(?:${codes}): [^\\n,]+, \\w+ ${QUOTED}`),
    new RegExp(`(?:${errors}) @ \\w+ - ([^\\s(]+)`),
    new RegExp(`${BEFORE_COLON}: (?:${errors})(?: at |\\s*$)`, 'm'),
  ];
}

// What a path was refused for or is not there: the last complaint counts, since scripts go on after others.
const PATHS: readonly Row[] = [
  { kind: 'closed-path', words: inWordsOf('Permission denied|Operation not permitted', '1|13', 'EACCES|EPERM') },
  { kind: 'closed-path', words: inWordsOf('Read-only file system', '30', 'EROFS') },
  {
    kind: 'missing-file',
    words: [
      ...inWordsOf('No such file or directory|No such file', '2', 'ENOENT'),
      /(?:^|: )([^\s:][^:\n]*): \w+: does not exist \(No such file or directory\)/m,
    ],
  },
];

/** `said` is all of stderr that is looked at, `last` its last complaint. */
export function findCause(said: string, last: string): Cause | undefined {
  const part = firstOf(PARTS, said);
  if (part) return part;
  const about = firstOf(PATHS, last);
  return about?.kind === 'closed-path' && isHiddenFile(about.name) ? { ...about, kind: 'hidden-file' } : about;
}

/** A module or a program that somebody has to install. */
export function isPart({ kind }: Cause): boolean {
  return kind === 'missing-module' || kind === 'missing-program';
}

function firstOf(rows: readonly Row[], text: string): Cause | undefined {
  for (const { kind, words, isPackaged } of rows) {
    for (const pattern of words) {
      const name = pattern
        .exec(text)
        ?.slice(1)
        .findLast((group) => group !== undefined);
      if (name !== undefined) return { kind, name: name.trim(), ...(isPackaged && { isPackaged }) };
    }
  }
  return undefined;
}

/** The cause in a sentence, and what to do about it. */
export function explainCause({ kind, name, isPackaged }: Cause): { readonly detail: Text; readonly hint: Text } {
  const shown = visible(name);
  switch (kind) {
    case 'missing-module':
      return {
        detail: { en: `the module ${shown} is not installed`, zh: `未安装模块 ${shown}` },
        hint: isPackaged ? PREPARE : INSTALL,
      };
    case 'missing-program':
      return { detail: { en: `the program ${shown} is not installed`, zh: `未安装程序 ${shown}` }, hint: INSTALL };
    case 'hidden-file':
      return { detail: { en: `${shown} is hidden from skills`, zh: `${shown} 对技能隐藏` }, hint: HIDDEN };
    case 'closed-path':
      return { detail: { en: `${shown} is closed to the call`, zh: `此次调用不可使用 ${shown}` }, hint: CLOSED };
    case 'missing-file':
      return {
        detail: { en: `the file ${shown} does not exist`, zh: `文件 ${shown} 不存在` },
        hint: path.isAbsolute(name) ? NOT_SHOWN : NOT_THERE,
      };
  }
}

const INSTALL: Text = {
  en: 'Nothing is installed for a skill. Install it yourself, or name a runtime that has it in your settings.',
  zh: '不会自动安装任何依赖。请自行安装，或在用户配置中指定含有它的运行环境。',
};
/** The skill that was called takes the place of the word in brackets. */
const PREPARE: Text = {
  en: '`skillwright prepare <skill>` brings the packages that it imports; nothing is installed for it otherwise. Or install it yourself, or name a runtime that has it in your settings.',
  zh: '`skillwright prepare <技能>` 可准备其导入的软件包；除此之外不会自动安装任何依赖。也可自行安装，或在用户配置中指定含有它的运行环境。',
};
const HIDDEN: Text = {
  en: 'The sandbox refused it: by its name it holds secrets or records, and no setting shows those. Copy what the skill may know into a file of another name.',
  zh: '沙箱拒绝访问: 其名称表明它含有机密或记录，任何设置都不会显示。请将技能可知的内容复制到其他名称的文件。',
};
const CLOSED: Text = {
  en: 'The sandbox or the mode of the file refused it, not the skill. A call writes below the output folder (by {output} in its command, or in $SKILL_OUTPUT_DIR), in its temporary folder and, in a layer, in the project; the rest is read-only or closed.',
  zh: '是沙箱或文件权限拒绝了访问，而非技能出错。调用可写入输出目录（命令中的 {output}，或 $SKILL_OUTPUT_DIR）、临时目录以及层中的项目；其余只读或不可见。',
};
const NOT_THERE: Text = {
  en: 'Nothing is there under this name. Relative paths start at the working folder of the call, which is the project folder unless said otherwise.',
  zh: '此名称下没有文件。相对路径从调用的工作目录开始，除非另有说明即项目目录。',
};
const NOT_SHOWN: Text = {
  en: 'Nothing is there, or it lies outside of what a call sees: the system, the project and the folder of its skill. Copy it into the project and name the copy.',
  zh: '该处没有文件，或位于调用可见范围之外: 系统、项目与技能目录。请将其复制到项目中再使用副本。',
};
