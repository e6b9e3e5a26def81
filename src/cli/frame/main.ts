// One command from the first word to the exit code.

import { statSync } from 'node:fs';
import type { Runtime } from '../../app/runtime.ts';
import type { Servers } from '../../app/serve/mcp-order.ts';
import { speak } from '../../base/diagnostic.ts';
import { ERRORS } from '../../base/error/catalogue.ts';
import { Fault } from '../../base/errors.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Answering, exitCode, failedOutcome, makeOutcome, tell } from '../../base/outcome.ts';
import type { Loss } from '../../base/telemetry.ts';
import { visible, visibleLines } from '../../base/text.ts';
import { nameFault } from '../../door/fail.ts';
import { renderDiagnostics } from '../view/diagnostic.ts';
import { wasStopped } from './ask-line.ts';
import { type CommandEntry, type OptionValues, type Reply, textOption } from './command.ts';
import {
  chooseFormat,
  chooseLanguage,
  describeTerminal,
  isUnattended,
  type TerminalSurroundings,
} from './global-options.ts';
import { findCommand, findGroup, parseArguments, readGlobalOptions } from './parse.ts';
import { type Page, renderReply } from './render.ts';
import { spokenCommand } from './spoken-command.ts';

interface Sink {
  write(text: string): unknown;
}

export interface Process extends TerminalSurroundings {
  readonly stdout: TerminalSurroundings['stdout'] & Sink;
  stderr(): Sink;
  /** Brought by the bin: rooms of one row do not know each other. */
  readonly servers?: Servers;
}

export async function main(
  args: readonly string[],
  process: Process,
  version: string,
  commands: readonly CommandEntry[],
): Promise<number> {
  const wishes = readGlobalOptions(args);
  const usual: Page = {
    format: chooseFormat(wishes),
    language: chooseLanguage(wishes, process.env),
    terminal: describeTerminal(wishes, process),
  };
  const opened: Opened = { page: usual };
  const reply = await answer(args, wishes, { process, version, commands }, opened);
  const { page } = opened;
  const { stdout, stderr } = renderReply(reply, page);
  if (stderr !== '') process.stderr().write(stderr);
  for (const block of stdout) process.stdout.write(block);
  const loss = await opened.runtime?.telemetry?.close();
  if (loss) process.stderr().write(`${inLanguage(lossText(loss), page.language)}\n`);
  return isStopped(reply) ? STOPPED : (reply.exit ?? exitCode(reply.outcome));
}

function serveNothing(): never {
  throw new Fault('Usage', { en: 'nothing can be served from here', zh: '此处无法提供服务' });
}

const NO_SERVERS: Servers = { mcp: serveNothing, mcpOverHttp: serveNothing };

/** What answers, and in which surroundings. */
interface Program {
  readonly process: Process;
  readonly version: string;
  readonly commands: readonly CommandEntry[];
}

/** What has to be closed behind a command. */
interface Opened {
  runtime?: Runtime;
  /** Its language may be that of a request. */
  page: Page;
}

function lossText({ spans, metrics, reason }: Loss): Text {
  if (spans + metrics === 0) return { en: `telemetry ${reason}`, zh: `遥测${reason}` };
  return {
    en: `telemetry not delivered: ${spans} spans, ${metrics} metrics (${reason})`,
    zh: `遥测未送达: ${spans} 个 span，${metrics} 个指标 (${reason})`,
  };
}

// What shells report for a command that Ctrl-C ended.
const STOPPED = 130;

function isStopped({ stopped = false, outcome }: Reply): boolean {
  return stopped || ('failure' in outcome && wasStopped(outcome.failure));
}

async function answer(
  args: readonly string[],
  wishes: OptionValues,
  { process, version, commands }: Program,
  opened: Opened,
): Promise<Reply> {
  let { page } = opened;
  let by = answering(page.language);
  let named = '';
  try {
    const line = spokenCommand(args);
    const group = wishes.help === true ? findGroup(line, commands) : undefined;
    if (group !== undefined) {
      const { groupHelp } = await import('./help.ts');
      return groupHelp(group, commands, by, page.terminal);
    }
    const found = findCommand(line, commands);
    if (!found) {
      if (wishes.version === true)
        return { outcome: makeOutcome(by, 'success', version, { version }), document: version };
      const { generalHelp } = await import('./help.ts');
      return generalHelp(commands, by, page.terminal);
    }
    named = `${found.entry.name} `;
    const { command } = await found.entry.load();
    const { positionals, options: written } = parseArguments(found.rest, command);
    const options = isUnattended(written, process.env) ? { ...written, 'non-interactive': true } : written;
    if (options.lang === undefined) {
      page = { ...page, language: command.languageOf?.(positionals) ?? page.language };
      by = answering(page.language);
      opened.page = page;
    }
    if (options.help === true) {
      const { commandHelp } = await import('./help.ts');
      return commandHelp(found.entry, command, by, page.terminal);
    }
    const runtime = await openRuntime(options, page, process);
    opened.runtime = runtime;
    const { servers = NO_SERVERS } = process;
    return await command.run({ positionals, options, runtime, terminal: page.terminal, commands, servers });
  } catch (thrown) {
    if (wishes.debug === true) explain(thrown, process.stderr());
    const fault = nameFault(thrown);
    const hint = inLanguage(fault.hint === ERRORS.Usage.hint ? helpLine(named) : fault.hint, page.language);
    return { outcome: tell(failedOutcome(by, fault), { hint }), hint };
  }
}

/** The whole line to type; `named` is the command with a space behind it, or nothing. */
function helpLine(named: string): Text {
  const line = `\`skillwright ${named}--help\``;
  return named === ''
    ? { en: `${line} lists the commands.`, zh: `${line} 列出全部命令。` }
    : { en: `${line} shows how it is used.`, zh: `${line} 显示用法。` };
}

async function openRuntime(options: OptionValues, { language, terminal }: Page, process: Process) {
  const { createRuntime } = await import('../../app/runtime.ts');
  const project = textOption(options, 'project');
  if (project !== undefined) checkProject(project);
  const runtime = await createRuntime({ env: process.env, language, ...(project !== undefined && { project }) });
  const problems = runtime.configDiagnostics.filter(({ severity }) => severity !== 'info');
  if (problems.length > 0) {
    const said = speak(problems, language);
    process.stderr().write(`${renderDiagnostics(said, runtime.project, terminal)}\n`);
  }
  return runtime;
}

function checkProject(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const shown = visible(folder);
  throw new Fault('Usage', { en: `no such folder: ${shown}`, zh: `目录不存在: ${shown}` });
}

function answering(language: Language): Answering {
  return { agent: 'skillwright', surface: 'own', language, startedAt: Date.now(), now: () => Date.now() };
}

function explain(thrown: unknown, stderr: Sink): void {
  const source = thrown instanceof Fault && thrown.cause ? thrown.cause : thrown;
  const text = source instanceof Error ? (source.stack ?? source.message) : String(source);
  stderr.write(`${visibleLines(text)}\n`);
}
