// What each layer says about a call, with the rule that made it say so.
import path from 'node:path';
import type { ToolRule } from '../skill/skill.ts';
import { findTool, isExecuting, riskOf, toolFor, toolOf } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import { commonName } from './command/common-name.ts';
import { type InsideCall, whyOutside } from './inside.ts';
import type { ObeyedFile, ToolNeed, ToolUse } from './need.ts';
import { coversCall, type Subject } from './pattern.ts';
import { isInOutput, isOwnState, type Places } from './place.ts';
import { type Allowance, EFFECTS, type Effect, type Layer, type Policy, type Tightening } from './policy.ts';
import { isOpen, spellWord } from './shell/script.ts';
import { ENDS_DAEMONS, isAtLeast, isUnconfined, type Tier } from './tier.ts';

export interface KnownCall extends InsideCall {
  readonly byPerson?: boolean;
  readonly files: readonly string[];
  /** For settings: the tool itself, and the tools its effects and extra wishes amount to. */
  readonly needs: readonly ToolNeed[];
  /** For lists of tools: all that the tool is used on, and its extra wishes. */
  readonly subjects: readonly Subject[];
}

export function strictest(layers: readonly Layer[]): Effect {
  return EFFECTS.find((effect) => layers.some((layer) => layer.effect === effect)) ?? 'deny';
}

export function stateLayer(call: KnownCall, places: Places): Layer[] {
  if (!call.files.some((file) => isOwnState(file, places))) return [];
  return [{ layer: 'state', rule: { kind: 'own-state' }, effect: 'deny' }];
}

/** A person's own command is its own answer. */
export function guardLayer({ byPerson }: KnownCall, obeyed: readonly ObeyedFile[]): Layer[] {
  if (byPerson) return [];
  return obeyed.map((file) => ({ layer: 'files', rule: { kind: 'guarded-path', ...file }, effect: 'ask' }));
}

export function globalLayer(call: KnownCall, policy: Policy): Layer {
  const layers = call.needs.map((need) => globalRule(need, call, policy));
  const effect = strictest(layers);
  return (
    layers.find((layer) => layer.effect === effect) ?? { layer: 'global', rule: { kind: 'no-tool' }, effect: 'deny' }
  );
}

function globalRule(need: ToolNeed, call: KnownCall, policy: Policy): Layer {
  const { settings, places } = policy;
  const layer = 'global';
  const { tool } = need;
  const isReading = riskOf(tool) === 'low';
  if (denies(settings.denied, tool)) return { layer, rule: { kind: 'denied', tool }, effect: 'deny' };
  if (settings.default === 'deny' && !isReading && !names(settings.enabled, tool))
    return { layer, rule: { kind: 'not-enabled', tool }, effect: 'deny' };
  if (call.byPerson && call.tool === toolFor('write')) return { layer, rule: { kind: 'own-command' }, effect: 'allow' };
  const asks = settings.requireApprovalFor ? names(settings.requireApprovalFor, tool) : !isReading;
  const asked = judgeAsked(tool, call, policy);
  // A result that nobody was asked about joins the change set.
  if (isResult(need, places) && !(call.inLayer && asked.effect === 'allow'))
    return { layer, rule: { kind: 'result' }, effect: 'allow' };
  if (asks || isResult(need, places)) return { layer, ...asked };
  return { layer, rule: isReading ? { kind: 'reading' } : { kind: 'no-approval', tool }, effect: 'allow' };
}

/** What needs a yes: asked about now, or, where that was chosen and it stays inside, with the change set. */
function judgeAsked(tool: ToolName, call: KnownCall, policy: Policy): Omit<Layer, 'layer'> {
  const { effectsOnly: by, tier } = policy;
  if (by === undefined) return { rule: { kind: 'approval-required', tool }, effect: 'ask' };
  const why = whyOutside(call, policy);
  if (why !== undefined) return { rule: { kind: 'outside', by, why }, effect: 'ask' };
  return { rule: { kind: 'inside', by, ...(tier && { tier }) }, effect: 'allow' };
}

/** Of a project, or of the program that has us as a library. */
export function tighteningLayer(
  layer: 'project' | 'runtime',
  call: KnownCall,
  tightening: Tightening | undefined,
  policy: Policy,
): Layer[] {
  if (!tightening) return [];
  const { places } = policy;
  return call.needs.map((need): Layer => {
    const { tool } = need;
    if (denies(tightening.denied, tool)) return { layer, rule: { kind: 'denied', tool }, effect: 'deny' };
    if (tightening.default === 'deny' && riskOf(tool) !== 'low')
      return { layer, rule: { kind: 'denied-by-default' }, effect: 'deny' };
    // The list says which tools need a yes; how often a person is asked for it is the user's to say, unless it is wanted each time.
    if (tightening.ask === 'each' && globalRule(need, call, policy).rule.kind === 'inside')
      return { layer, rule: { kind: 'each' }, effect: 'ask' };
    if (names(tightening.requireApprovalFor, tool) && !isResult(need, places))
      return { layer, ...judgeAsked(tool, call, policy) };
    return { layer, rule: { kind: 'adds-nothing' }, effect: 'allow' };
  });
}

/** A list of tools can only narrow: being on it means "not refused here", never "granted". */
export function listLayer(
  layer: 'role' | 'skill' | 'runtime',
  call: KnownCall,
  allowance: Allowance | undefined,
  places: Places,
): Layer[] {
  if (!allowance) return [];
  const { name: list, allowedTools, folder } = allowance;
  // A script reaches the network by its skill's declaration, not by a tool of that name.
  const network = toolFor('network');
  const declares = layer === 'skill' && isExecuting(call.tool) && call.needs.some(({ tool }) => tool === network);
  if (declares && !allowance.network) return [{ layer, rule: { kind: 'network-undeclared', list }, effect: 'deny' }];
  if (!allowedTools) return [{ layer, rule: { kind: 'no-list', list }, effect: 'allow' }];
  const at = folder === undefined ? places : { ...places, skill: folder };
  return call.subjects
    .filter(({ tool }) => !(declares && tool === network))
    .flatMap((subject) => judgeSubject({ list, allowedTools }, subject, at, call.files.length > 1))
    .map((judged) => ({ layer, ...judged }));
}

interface NamedList {
  readonly list: string;
  readonly allowedTools: readonly ToolRule[];
}

/** As a whole; or else part by part, each of which needs an entry. */
function judgeSubject(list: NamedList, subject: Subject, places: Places, isOneOfSeveral: boolean) {
  const whole = judgeList(list, subject, places, isOneOfSeveral);
  if (whole.effect === 'allow' || !subject.parts) return [whole];
  return subject.parts.map((part) => judgeList(list, part, places, true));
}

function judgeList(
  { list, allowedTools }: NamedList,
  subject: Subject,
  places: Places,
  isOneOfSeveral: boolean,
): Omit<Layer, 'layer'> {
  const reasons: string[] = [];
  let unsure = false;
  for (const rule of allowedTools) {
    const cover = coversCall(rule, subject, places);
    if (cover.covers) {
      const what = isOneOfSeveral && subject.argv ? ` (${nameSubject(subject, places)})` : '';
      return { rule: { kind: 'listed', list, entry: `${spell(rule)}${what}` }, effect: 'allow' };
    }
    unsure ||= cover.unsure === true;
    if (cover.why !== 'another tool') reasons.push(`${spell(rule)}: ${cover.why}`);
  }
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  const where = isOneOfSeveral && !subject.isIdle ? ` of ${nameSubject(subject, places)}` : '';
  const about = { list, tool: subject.tool, where: `${where}${why}` };
  // A script asks with its whole text; the words of one command say all there is to say.
  if (unsure && toolOf(subject.tool).about === 'shell')
    return { rule: { kind: 'not-judged', ...about }, effect: 'ask' };
  return { rule: { kind: 'not-listed', ...about }, effect: 'deny' };
}

/** Which of several things an answer is about. */
function nameSubject({ path: file, argv, written, unjudged }: Subject, places: Places): string {
  if (unjudged) return shorten(unjudged.text);
  if (written !== undefined) return `> ${shorten(written)}`;
  return argv ? shorten(argv.map(spellWord).join(' ')) : relativePath(file ?? '', places);
}

const SHOWN = 120;

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** A list of programs holds for whatever starts one: commands, scripts, skills and tasks. */
export function programLayer(tool: ToolName, asked: ToolUse, { settings, project, caller }: Policy): Layer[] {
  if (!isExecuting(tool)) return [];
  const programs = programsOf(asked);
  const judge = (layer: 'global' | 'project' | 'runtime', listed: readonly string[] | undefined): Layer[] => {
    if (!listed) return [];
    const names = new Set(listed.map(commonName));
    const unlisted = programs.filter((program) => program === undefined || !names.has(program));
    return unlisted.map((program) => ({ layer, rule: { kind: 'program-unlisted', program }, effect: 'deny' }));
  };
  return [
    ...judge('global', settings.programs),
    ...judge('project', project?.programs),
    ...judge('runtime', caller?.programs),
  ];
}

/** Of a script each program that it starts; what cannot be judged has no name that a list could hold. */
function programsOf({ program, judged, shell }: ToolUse): (string | undefined)[] {
  const own = shell === undefined ? [program] : [];
  if (!judged) return shell === undefined ? own : [undefined];
  const started = judged.commands.filter(({ kind }) => kind === 'program' || kind === 'wrapper');
  const names = started.map(({ words: [first] }) => (first === undefined || isOpen(first) ? undefined : nameOf(first)));
  return [...new Set([...own, ...names, ...(judged.unjudged.length > 0 ? [undefined] : [])])];
}

/** A path names a program only to whoever looks there. */
function nameOf(word: string): string | undefined {
  const bare = word.replace(/^\/(?:usr\/)?bin\//, '');
  return bare.includes('/') ? undefined : commonName(bare);
}

export function sandboxLayer(call: KnownCall, tier: Tier | undefined): Layer[] {
  if (!tier || !isExecuting(call.tool)) return [];
  const layer = 'sandbox';
  if (isUnconfined(tier)) return [{ layer, rule: { kind: 'grant-required', tier }, effect: 'ask' }];
  if (!isAtLeast(tier, ENDS_DAEMONS)) return [{ layer, rule: { kind: 'daemons-survive', tier }, effect: 'ask' }];
  return [{ layer, rule: { kind: 'confined', tier }, effect: 'allow' }];
}

function isResult({ tool, path: file }: ToolNeed, places: Places): boolean {
  return tool === toolFor('write') && file !== undefined && isInOutput(file, places);
}

function relativePath(file: string, { project }: Places): string {
  return path.relative(project, path.resolve(project, file));
}

function names(list: readonly string[] | undefined, tool: ToolName): boolean {
  return list?.some((name) => findTool(name) === tool) ?? false;
}

/** What can do the same as a refused tool is refused with it. */
function denies(list: readonly string[] | undefined, tool: ToolName): boolean {
  const { deniedWith } = toolOf(tool);
  return (
    names(list, tool) || (list?.some((name) => deniedWith !== undefined && findTool(name) === deniedWith) ?? false)
  );
}

function spell(rule: ToolRule): string {
  return rule.pattern === undefined ? rule.tool : `${rule.tool}(${rule.pattern})`;
}
