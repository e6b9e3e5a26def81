// The rules of content inspection, as data. It informs; it is not a security boundary, as each pattern can be evaded.
import type { Text } from '../../base/language.ts';
import type { VetSeverity } from '../../config/severity.ts';

export interface Rule {
  readonly id: string;
  readonly severity: VetSeverity;
  /** In files that run, in files that are read, or in both. */
  readonly where: 'script' | 'prose' | 'any';
  readonly pattern: RegExp;
  readonly says: Text;
  /** Set where the match decides the severity. */
  readonly weigh?: (found: string, kind: 'script' | 'prose') => VetSeverity;
}

const SHELL = '(?:sudo\\s+(?:-\\w+\\s+)*)?(?:/(?:usr/)?bin/)?(?:env\\s+)?(?:ba|z|da|k|fi)?sh\\b';
const INTERPRETER = `(?:${SHELL}|(?:sudo\\s+)?(?:python[\\d.]*|node|perl|ruby|php)\\b(?!\\s+-(?:m|c|e)\\b)|iex\\b|source\\s+/dev/stdin)`;
const FETCH = '\\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\\b';
const SECRET_PLACE =
  '(?:\\.ssh/(?:id_|\\*|authorized_keys)|\\.aws/credentials|\\.netrc\\b|\\.git-credentials|\\.kube/config|\\.gnupg/|\\.docker/config\\.json|\\.config/gcloud|\\.npmrc\\b|\\.pypirc\\b|/etc/shadow|Login Data\\b|Cookies\\.binarycookies|find-generic-password|wallet\\.dat|\\.config/solana/id\\.json)';
const SEND =
  '\\b(?:curl\\b|wget\\b|ncat?\\b|socat\\b|scp\\b|rsync\\b|sftp\\b|requests\\.(?:post|put)|urlopen|fetch\\(|axios|http\\.request|Invoke-RestMethod|httpx\\.)';
// `[^\n]{0,200}\|[^\n]{0,200}SEND` without backtracking over each pipe: after the last pipe
// in reach anything may follow, after an earlier one only what comes before the next.
const PIPED_TO_SEND = `(?:(?=([^\\n]{0,200}\\|))\\1[^\\n]{0,200}${SEND}|[^\\n]{0,200}\\|[^\\n|]{0,200}${SEND})`;
const SINK =
  '(?:webhook\\.site|requestbin|pipedream\\.net|\\.ngrok(?:-free)?\\.(?:io|app)|burpcollaborator|oastify\\.com|interact\\.sh|oast\\.\\w+|transfer\\.sh|discord(?:app)?\\.com/api/webhooks/\\d|api\\.telegram\\.org/bot\\d|pastebin\\.com/api|hastebin|file\\.io|0x0\\.st|beeceptor\\.com)';

const PASTE_SITE =
  /pastebin|paste\.|hastebin|ghostbin|rentry|glot\.io|gist\.|bit\.ly|tinyurl|t\.co\/|is\.gd|cutt\.ly|transfer\.sh|0x0\.st|ngrok|raw\.githack|trycloudflare/i;

// Every repetition of non-blanks is bounded: one line without blanks would otherwise be rescanned from each position.
export const RULES: readonly Rule[] = [
  {
    id: 'download-and-run',
    severity: 'HIGH',
    where: 'any',
    pattern: new RegExp(
      `${FETCH}[^\\n|;]{0,400}\\|\\s*${INTERPRETER}|(?:${SHELL}\\s+(?:-\\w+\\s+)?["']?(?:<\\(|\\$\\()|eval\\s+["']?\\$\\(|(?:iex|Invoke-Expression)\\s*[( ]+)\\s*${FETCH}[^\\n]{0,400}|(?:exec|eval)\\(\\s*(?:requests\\.get|urllib\\.request\\.urlopen|urlopen|(?:await\\s+){1,2}fetch)[^\\n]{0,400}`,
      'gi',
    ),
    says: { en: 'downloads a program and runs it unseen', zh: '下载程序并直接执行' },
    weigh: weighDownload,
  },
  {
    id: 'encoded-command',
    severity: 'CRITICAL',
    where: 'any',
    pattern: new RegExp(
      `base64\\s+(?:-d|-D|--decode)\\b[^\\n]{0,200}\\|\\s*${INTERPRETER}|xxd\\s+-r[^\\n|]{0,100}\\|\\s*${INTERPRETER}|(?:exec|eval|Function)\\s*\\(\\s*(?:compile\\()?\\s*(?:base64\\.(?:b64|urlsafe_b64)decode|atob|Buffer\\.from\\([^)\\n]{1,2000}base64|bytes\\.fromhex|zlib\\.decompress|codecs\\.decode|marshal\\.loads)|powershell[^\\n]{0,80}\\s-e(?:nc|ncodedcommand)?\\s+[A-Za-z0-9+/=]{16}`,
      'gi',
    ),
    says: { en: 'runs a command that was encoded so that nobody reads it', zh: '执行经过编码的命令' },
  },
  {
    id: 'reverse-shell',
    severity: 'CRITICAL',
    where: 'any',
    pattern:
      /\/dev\/(?:tcp|udp)\/[\w.$]+\/[\d$]|\b(?:nc|ncat|netcat)\s[^\n|]{0,80}\s-[a-z]*[ec]\s+\S{0,200}sh\b|\bbash\s+-i\s*>&|mkfifo\s[^\n]{0,120}\|\s*(?:nc|ncat)\b|socket\.socket\([^\n]{0,200}(?:dup2|pty\.spawn)/gi,
    says: { en: 'opens a shell to another machine', zh: '向其他主机打开 shell' },
  },
  {
    id: 'exfiltration',
    severity: 'CRITICAL',
    where: 'any',
    pattern: new RegExp(
      `${SEND}[^\\n]{0,400}${SECRET_PLACE}|${SECRET_PLACE}${PIPED_TO_SEND}|(?:\\benv\\b|printenv|cat\\s+\\S{0,200}\\.env\\b)\\s*\\|[^\\n]{0,200}(?:curl|wget|nc|ncat)\\b|(?:curl|wget)\\b[^\\n]{0,200}(?:-d|--data\\S{0,200}|-F|-T|--upload-file|--post-\\w+)[ =][^\\n]{0,80}(?:\\$\\((?:env|printenv)\\)|@\\S{0,200}\\.env\\b)`,
      'gi',
    ),
    says: { en: 'sends credentials away', zh: '外传凭据' },
  },
  {
    id: 'exfiltration-address',
    severity: 'HIGH',
    where: 'script',
    pattern: new RegExp(SINK, 'gi'),
    says: { en: 'names an address that collects data from strangers', zh: '包含常用于收集数据的地址' },
  },
  {
    id: 'exfiltration-address',
    severity: 'MEDIUM',
    where: 'prose',
    pattern: new RegExp(SINK, 'gi'),
    says: { en: 'names an address that collects data from strangers', zh: '包含常用于收集数据的地址' },
  },
  {
    id: 'credential-path',
    severity: 'MEDIUM',
    where: 'script',
    pattern: new RegExp(SECRET_PLACE, 'gi'),
    says: { en: 'touches a place where credentials are kept', zh: '涉及存放凭据的位置' },
  },
  {
    id: 'credential-path',
    severity: 'LOW',
    where: 'prose',
    pattern: new RegExp(SECRET_PLACE, 'gi'),
    says: { en: 'speaks of a place where credentials are kept', zh: '提及存放凭据的位置' },
  },
  {
    id: 'persistence',
    severity: 'HIGH',
    where: 'script',
    pattern:
      />>?\s*["']?(?:~|\$HOME|\$\{HOME\})\/\.(?:bashrc|bash_profile|profile|zshrc|zprofile|zshenv)|\|\s*crontab\s+-|>>?\s*["']?[^\s>]{0,200}\.ssh\/authorized_keys|launchctl\s+(?:load|bootstrap)|(?:LaunchAgents|LaunchDaemons)\/\S{1,200}\.plist|>>?\s*[^\s>]{0,200}\/etc\/(?:cron|profile|rc\.local|ld\.so\.preload)/gi,
    says: { en: 'makes itself run again later', zh: '设置自启动或持久化' },
  },
  {
    id: 'destruction',
    severity: 'HIGH',
    where: 'script',
    pattern:
      /\brm\s+-(?:rf|fr|r\s+-f|f\s+-r)\s+(?:--no-preserve-root\s+)?["']?(?:\/|(?:~|\$HOME|\$\{HOME\})["']?\/?)["']?\*?["']?(?:[\s;&|)"'`]|$)|\bmkfs\.\w+\s+\/dev\/|\bdd\s[^\n]{0,120}of=\/dev\/(?:sd|nvme|disk)/gim,
    says: { en: 'destroys files outside its own', zh: '破坏自身以外的文件' },
  },
  {
    id: 'command-from-outside',
    severity: 'HIGH',
    where: 'script',
    pattern:
      /\bos\.(?:system|popen)\(\s*os\.(?:environ|getenv)\b|\bsubprocess\.\w+\(\s*os\.(?:environ|getenv)\b[^\n]{0,200}shell\s*=\s*True|\b(?:exec|execSync)\(\s*process\.env\b|\beval\s+["']?\$\{?[A-Z_]{2,64}\}?["']?\s*$/gm,
    says: { en: 'runs whatever a variable of the environment says', zh: '执行环境变量给出的任意命令' },
  },
  {
    id: 'password-archive',
    severity: 'HIGH',
    where: 'any',
    pattern:
      /\bunzip\s+[^\n]{0,80}-P\s*\S|\b7z\s+x\s[^\n]{0,120}-p\S|(?:extract|unzip|解压)[^\n]{0,80}(?:with|using|use|the|密码)[^\n]{0,20}(?:password|passcode|pass:|密码)[\s:：`'"]{1,4}\S/gi,
    says: { en: 'an archive with a password hides its content from every scanner', zh: '带密码的压缩包可躲避检查' },
  },
];

/** Prompt injection: text addressed to the model instead of the reader. */
export const INJECTION: readonly Rule[] = [
  {
    id: 'injection-phrase',
    severity: 'HIGH',
    where: 'any',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|every|your|of|my|these|those|and)\s+){0,4}(?:(?:previous|prior|preceding|earlier|above|existing|other|system|former)\s+){1,3}(?:instructions?|prompts?|rules|directives?|guidelines|guardrails|messages?|context)|(?:忽略|无视|忘记|绕过)(?:掉|所有|全部|你|的|之前|以上|先前|前面|上述|此前|系统){1,8}(?:指令|指示|说明|规则|提示词|提示|限制)/gi,
    says: { en: 'asks the model to drop its instructions', zh: '要求模型忽略原有指令' },
  },
  {
    id: 'injection-concealment',
    severity: 'HIGH',
    where: 'any',
    pattern:
      /\b(?:do\s+not|don['’]?t|never|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?\s+(?:this|it)\s+to|mention(?:ing)?\s+(?:this|it|that)\s+to|show(?:ing)?\s+(?:this|it)\s+to)\s+(?:to\s+)?(?:the\s+)?(?:user|human|operator)s?\b(?!\s+(?:to|that\s+(?:you|it|this|the\s+(?:task|work|fix|build|test))|about|how|they|what|which|when|if|where|["'`]))|(?:不要|切勿|无需|不得)(?:告诉|告知|通知|提示|让)(?:用户|使用者)(?:知道|发现|此|这|。|，|$)/gi,
    says: { en: 'asks the model to keep something from its user', zh: '要求模型向用户隐瞒' },
  },
  {
    id: 'injection-authority',
    severity: 'HIGH',
    where: 'any',
    pattern:
      /<\/?(?:system|assistant|human)(?:[_-](?:prompt|message|instruction)s?)?>\s*\S{0,20}\s*(?:you|ignore|new|from)|\[\/?(?:INST|SYS)\]|<\|(?:im_start|im_end|system|endoftext)\|>|\bnew\s+system\s+prompt\s*:/gi,
    says: { en: 'writes in the voice of the system', zh: '冒充系统消息' },
  },
];

/** An instruction hidden where a reader of the rendered page sees nothing at all. */
export const HIDDEN_ORDER =
  /\b(?:you\s+(?:must|should|are|will|have\s+to)|(?:run|execute|send|upload|post|exfiltrate|delete|download|fetch|install|read|copy|print|reveal|output|include|append)\s+(?:the|this|these|all|any|every|your|following|contents?|it|~|\/|\$|`|curl|wget|bash|sh|python)|ignore\s|do\s+not\s+(?:tell|mention|inform|reveal)|secretly|silently|ai\s+(?:agent|assistant|model)s?|(?:dear|attention|note\s+to)[\s,:]+(?:agent|assistant|claude|ai|model|llm)|system\s+prompt|api[_ -]?keys?|credentials|\bcurl\s|\bwget\s)|(?:必须|执行|运行|发送|上传|忽略|不要告诉)/i;

// An installer fetched from a named site over https is common; everything else is not.
function weighDownload(found: string, kind: 'script' | 'prose'): VetSeverity {
  const address = /\bhttps?:\/\/[^\s"'`)]+|\b(?:[\w-]+\.)+[a-z]{2,}\/\S/i.exec(found)?.[0];
  if (address === undefined) return kind === 'script' ? 'HIGH' : 'LOW';
  const isNamed = /^https:\/\/(?:[\w-]+\.)+[a-z]{2,}(?:[/:?]|$)/i.test(address) && !PASTE_SITE.test(address);
  return kind === 'prose' && isNamed ? 'MEDIUM' : 'HIGH';
}
