// Programs that code starts, home paths it uses, and devices it asks for.
import { COMPARED, type CodeFacts, type CodeWords, RAISED } from './code-facts.ts';
import type { FoundNeed } from './code-host.ts';
import { lastName, reachOf } from './flow.ts';
import { HOLE_START, type HostName, hostIn } from './host.ts';
import { isBaseProgram, programName } from './program.ts';
import { hostsOfWords } from './sdk.ts';

const STARTS =
  /^(?:run|call|check_call|check_output|Popen|system|popen|spawn|spawnSync|exec|execSync|execFile|execFileSync|execa|execaSync|\$|create_subprocess_exec|create_subprocess_shell|run_command|run_cmd|runCommand|getoutput|getstatusoutput|startfile)$/;
const LOOKS_UP = /^(?:which|whichSync|find_executable|commandExists|command_exists|hasCommand)$/;

/** Command lines that code hands to a shell, for the reader of shells. */
export interface ShellText {
  readonly text: string;
  readonly line: number;
}

export interface StartedPrograms {
  readonly needs: readonly FoundNeed[];
  readonly shell: readonly ShellText[];
}

export function programsInCode(facts: CodeFacts): StartedPrograms {
  const reach = reachOf(facts, (callee) => STARTS.test(lastName(callee)));
  const needs: FoundNeed[] = [];
  const shell: ShellText[] = [];
  for (const one of facts.words.filter(isCommand)) {
    const last = lastName(one.call);
    const isStarted =
      STARTS.test(last) || (one.call === '' && one.names.length > 0 && reach.has({ ...one, text: '', at: -1 }));
    if (LOOKS_UP.test(last)) needs.push(...programNeeds(one, false));
    else if (isStarted && isCommandLine(one)) shell.push({ text: one.words[0] ?? '', line: one.line });
    else if (isStarted) needs.push(...programNeeds(one, one.words.length > 1));
  }
  return { needs, shell };
}

/** What `stdio` may be: an option of the calls that start programs, and no program. */
const STDIO = /^(?:ignore|pipe|inherit|overlapped|ipc)$/;

function isCommand({ words, names }: CodeWords): boolean {
  return names.at(-1) !== ':stdio' && !words.every((word) => word === null || STDIO.test(word));
}

/** One text with blanks in it is for a shell; whatever is not known is a variable of it. */
function isCommandLine({ words }: CodeWords): boolean {
  return words.length >= 1 && /\S\s+\S/.test(words[0] ?? '');
}

function programNeeds({ words, line, call }: CodeWords, hasArguments: boolean): FoundNeed[] {
  const name = programName(words[0] ?? '');
  if (name === undefined || isBaseProgram(name)) return [];
  const hosts = hasArguments ? hostsOfWords([name, ...words.slice(1).map((word) => word ?? '')]) : [];
  const literal = hasArguments ? words.flatMap((word) => addressesIn(word ?? '')) : [];
  const how = call || name;
  return [
    { kind: 'program', name, line, sure: 'literal', how },
    ...hosts.map((host): FoundNeed => ({ kind: 'host', name: host, line, sure: 'implied', how: name })),
    ...(/^(?:curl|wget|git|yt-dlp|http|docker)$/.test(name)
      ? literal.map((host): FoundNeed => ({ kind: 'host', ...host, line, sure: 'literal', how: name }))
      : []),
  ];
}

function addressesIn(word: string): HostName[] {
  const host = hostIn(word);
  return host ? [host] : [];
}

export function homesInCode({ strings }: CodeFacts): FoundNeed[] {
  return strings.flatMap(({ text, line, call }): FoundNeed[] => {
    const [, below = ''] = /^~\/?(?:$|([\w.@+/ -]*))/.exec(text) ?? [];
    if (!/^~(?:$|\/)/.test(text) || /\s/.test(text) || call === RAISED || call === COMPARED) return [];
    if (below === '' && !text.includes(HOLE_START)) return [];
    return [{ kind: 'home', name: homeName(below), line, sure: 'literal', how: call || '~' }];
  });
}

/** Two steps say whose state it is; the rest is a detail. */
export function homeName(below: string): string {
  const steps = below.split('/').filter(Boolean);
  const depth = /^\.(?:config|cache|local|claude)$/.test(steps[0] ?? '') || steps[0] === 'Library' ? 2 : 1;
  return steps.slice(0, steps[0] === '.local' || steps[0] === 'Library' ? depth + 1 : depth).join('/');
}

const GPU_CALL = /(?:^|\.)(?:cuda|mps|is_cuda_available)(?:\.|$)|cuda\.is_available|backends\.mps/;
const CAMERA = /(?:^|\.)VideoCapture$/;
const MICROPHONE = /(?:^|\.)(?:InputStream|PyAudio|Microphone)$/;

export function devicesInCode({ strings, calls }: CodeFacts): FoundNeed[] {
  const device = (name: string, line: number, how: string): FoundNeed => ({
    kind: 'device',
    name,
    line,
    sure: 'likely',
    how,
  });
  return [
    ...calls.flatMap(({ callee, line }) => {
      if (GPU_CALL.test(callee)) return [device('gpu', line, callee)];
      if (CAMERA.test(callee)) return [device('camera', line, callee)];
      return MICROPHONE.test(callee) ? [device('audio', line, callee)] : [];
    }),
    ...strings.flatMap(({ text, line, call }) => {
      if (/^(?:cuda(?::\d+)?|mps)$/.test(text)) return [device('gpu', line, text)];
      const [, name] = /^\/dev\/((?:video|snd|dri|nvidia|ttyUSB|ttyACM|input|usb|kvm)[\w/]*)$/.exec(text) ?? [];
      return name === undefined ? [] : [device(deviceName(name), line, call || text)];
    }),
  ];
}

/** By what it is, where that is known; else by its name below /dev. */
function deviceName(node: string): string {
  const known = { gpu: /^(?:nvidia|dri)/, camera: /^video/, audio: /^snd/, kvm: /^kvm/ };
  return Object.entries(known).find(([, shape]) => shape.test(node))?.[0] ?? node;
}
