// Content inspection of a skill before a person decides. It reads every byte or says what it did not read.
import { isUtf8 } from 'node:buffer';
import type { Text } from '../../base/language.ts';
import { type VetSeverity, worst } from '../../config/severity.ts';
import type { Manifest } from '../../skill/skill.ts';
import { isWholeMedia } from './media.ts';
import type { FileKind } from './rule/rule.ts';
import { inspectText, type VetFinding } from './text.ts';

export interface Vetting {
  /** Most severe first. */
  readonly findings: readonly VetFinding[];
  readonly coverage: Coverage;
  readonly worst?: VetSeverity;
}

export interface Coverage {
  readonly state: 'complete' | 'partial';
  readonly inspected: number;
  readonly notInspected: readonly string[];
}

export interface Inspector {
  see(file: { readonly path: string; readonly executable: boolean }, content: Buffer): void;
  conclude(manifest?: Manifest): Vetting;
}

const SCRIPT =
  /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|applescript|r|go|rs|java|command)$/i;
const MEDIA = /\.(?:png|jpe?g|gif|webp|avif|heic|ico|bmp|mp[34]|m4a|wav|ogg|webm|mov|ttf|otf|woff2?|eot|pdf)$/i;
// A module that is only named, as in a list of names, opens nothing.
const NETWORK =
  /\b(?:requests\.\w+\(|urllib\.request|httpx\.|(?:import|from)\s+(?:aiohttp|['"]axios['"])|aiohttp\.\w|(?:require|import)\(['"]axios|axios[.(]|fetch\(|http\.client|node:https?|curl\s|wget\s|Invoke-WebRequest|socket\.socket)/;

interface Opaque {
  readonly id: string;
  /** The first bytes, in hexadecimal. */
  readonly head: RegExp;
  readonly severity: VetSeverity;
  readonly says: Text;
}

// Content decides: a name can say anything.
const OPAQUE: readonly Opaque[] = [
  {
    id: 'opaque-archive',
    head: /^(?:504b0304|1f8b|425a68|fd377a585a|377abcaf|52617221|28b52ffd)/,
    severity: 'MEDIUM',
    says: { en: 'an archive: not inspected', zh: '压缩包: 未检查' },
  },
  {
    id: 'opaque-program',
    head: /^(?:7f454c46|4d5a|cffaedfe|feedfac[ef]|cafebabe|0061736d)/,
    severity: 'HIGH',
    says: { en: 'a compiled program: not inspected', zh: '编译后的程序: 未检查' },
  },
  {
    id: 'opaque-bytecode',
    head: /^[0-9a-f]{4}0d0a0[0-3]000000/,
    severity: 'HIGH',
    says: { en: 'compiled Python: not inspected', zh: 'Python 字节码: 未检查' },
  },
];
const WHOLE_MEDIA: Opaque = {
  id: 'media',
  head: /^/,
  severity: 'INFO',
  says: {
    en: 'an image, sound or font, whole and with nothing behind it; what it shows is not judged',
    zh: '完整且无附加数据的媒体文件；其内容不作判断',
  },
};
const OPAQUE_MEDIA: Opaque = {
  id: 'opaque-media',
  head: /^/,
  severity: 'INFO',
  says: {
    en: 'named as an image, sound, font or page, but not of a shape that is known: not inspected',
    zh: '媒体文件，结构无法确认: 未检查',
  },
};
const OPAQUE_BINARY: Opaque = {
  id: 'opaque-binary',
  head: /^/,
  severity: 'MEDIUM',
  says: { en: 'not text: not inspected', zh: '非文本: 未检查' },
};

export function openInspector(): Inspector {
  const findings: VetFinding[] = [];
  const notInspected: string[] = [];
  let inspected = 0;
  let firstRequest: string | undefined;
  let firstScript: string | undefined;
  return {
    see(file, content) {
      const kind = kindOf(file, content);
      if (kind === 'opaque') {
        const found = opaqueFinding(file, content);
        if (found.id === WHOLE_MEDIA.id) inspected++;
        else notInspected.push(file.path);
        findings.push(found);
        return;
      }
      inspected++;
      const text = content.toString('utf8');
      findings.push(...inspectText(file.path, kind, text));
      if (kind === 'script') firstScript ??= file.path;
      if (kind === 'script' && firstRequest === undefined && NETWORK.test(text)) firstRequest = file.path;
    },
    conclude(manifest) {
      const all = [...findings, ...undeclared(manifest, firstScript, firstRequest)];
      const gravest = worst(all.map(({ severity }) => severity));
      return {
        findings: all.toSorted(byGravity),
        coverage: { state: notInspected.length === 0 ? 'complete' : 'partial', inspected, notInspected },
        ...(gravest && { worst: gravest }),
      };
    },
  };
}

type File = Parameters<Inspector['see']>[0];

function kindOf({ path, executable }: File, content: Buffer): FileKind | 'opaque' {
  if (!isUtf8(content) || content.includes(0)) return 'opaque';
  const isScript = executable || SCRIPT.test(path) || (content[0] === 0x23 && content[1] === 0x21);
  return isScript ? 'script' : 'prose';
}

function opaqueFinding({ path, executable }: File, content: Buffer): VetFinding {
  const head = content.subarray(0, 16);
  const byName = nameOpaque(path, content);
  const { id, severity, says } = OPAQUE.find((known) => known.head.test(head.toString('hex'))) ?? byName;
  const excerpt = head.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
  // An executable that nobody can read.
  return { id, severity: executable ? 'HIGH' : severity, file: path, line: 1, excerpt, says, count: 1 };
}

function nameOpaque(path: string, content: Buffer): Opaque {
  if (!MEDIA.test(path)) return OPAQUE_BINARY;
  return isWholeMedia(path, content) ? WHOLE_MEDIA : OPAQUE_MEDIA;
}

const RUNS = /^(?:\*|bash|shell|terminal|run_?command|run_?script|execute)/i;

/** What its scripts need and its SKILL.md does not declare. */
function undeclared(
  manifest: Manifest | undefined,
  script: string | undefined,
  request: string | undefined,
): VetFinding[] {
  const found = { severity: 'LOW', line: 1, excerpt: '', count: 1 } as const;
  const network = { en: 'uses the network without declaring it', zh: '使用网络但未声明' };
  const tools = { en: 'brings scripts, but allows no tool that runs them', zh: '带有脚本，但未允许执行脚本的工具' };
  const runsNothing = manifest?.allowedTools?.some(({ tool }) => RUNS.test(tool)) === false;
  return [
    ...(request !== undefined && manifest?.network === false
      ? [{ ...found, id: 'undeclared-network', file: request, says: network }]
      : []),
    ...(script !== undefined && runsNothing ? [{ ...found, id: 'undeclared-tool', file: script, says: tools }] : []),
  ];
}

function byGravity(a: VetFinding, b: VetFinding): number {
  if (a.severity !== b.severity) return worst([a.severity, b.severity]) === a.severity ? -1 : 1;
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}
