// What the offline model would select for real requests; nothing runs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { absolutePath } from '../../../src/base/value/absolute-path.ts';
import { readRoutingSet } from '../../../src/evals/routing/set.ts';
import { type Choice, chooseSkills, MARGIN } from '../../../src/model/offline/choose.ts';
import { readNames } from '../../../src/model/offline/mention.ts';
import { discover, type ListedSkill } from '../../../src/registry/discover.ts';
import { buildRankIndex } from '../../../src/registry/rank/index.ts';
import { rank } from '../../../src/registry/rank/rank.ts';
import type { RankDocument } from '../../../src/registry/rank/stream.ts';
import { readSearchText } from '../../../src/registry/search/text.ts';
import { isSkillId, type SkillId, skillIdOf } from '../../../src/skill/skill-id.ts';
import { dataFolder, repository } from '../../support/support.ts';

interface Asked {
  readonly request: string;
  /** Skills that fit; none of them for a request that is a near miss. */
  readonly labels: readonly string[];
  readonly isFitted: boolean;
}

interface Tally {
  readonly requests: number;
  readonly wrong: number;
  readonly right: number;
}

function askedOf(folder: string): Asked[] {
  const { queries, negatives } = readRoutingSet(folder);
  return [
    ...queries.map(({ id, query, relevant }) => ({ request: query, labels: relevant, isFitted: isFitted(id) })),
    ...negatives.map(({ query }) => ({ request: query, labels: [], isFitted: isFitted(query) })),
  ];
}

/** The half of the requests the margin was fixed on. */
function isFitted(id: string): boolean {
  const byte = createHash('sha256').update(id).digest().at(-1) ?? 0;
  return byte % 2 === 0;
}

/** Of any request, also one that fits nothing, a skill outside its labels is a wrong one. */
async function tally(asked: readonly Asked[], choose: (request: string) => Promise<Choice>): Promise<Tally> {
  let wrong = 0;
  let right = 0;
  for (const { request, labels } of asked) {
    const choice = await choose(request);
    if (choice.kind !== 'chosen') continue;
    if (choice.parts.every(({ skill }) => labels.map(idOfDocument).includes(skill.skillId))) right++;
    else wrong++;
  }
  return { requests: asked.length, wrong, right };
}

function chooserOver(pool: readonly RankDocument[]): (margin: number) => (request: string) => Promise<Choice> {
  const ranking = buildRankIndex(pool);
  const skills = pool.map(toSkill);
  const names = readNames({ skills, invalid: [], roots: [], diagnostics: [] });
  const byId = new Map(skills.map((skill) => [skill.skillId, skill]));
  const search = (request: string, { limit = 3 } = {}) => {
    const { hits, abstained } = rank(ranking, request, { limit });
    const found = hits.flatMap(({ id, ...hit }) => {
      const skill = byId.get(idOfDocument(id));
      return skill ? [{ ...hit, skill }] : [];
    });
    return { hits: found, abstained };
  };
  const chooser = { names, search: async () => ({ search }), exists: () => false };
  return (margin) => async (request) => await chooseSkills(request, chooser, margin);
}

function idOfDocument(id: string): SkillId {
  return isSkillId(id) ? id : skillIdOf('user', id);
}

function toSkill({ id, name, description }: RankDocument): ListedSkill {
  return {
    skillId: idOfDocument(id),
    name,
    folderName: name,
    source: 'user',
    root: '',
    folder: absolutePath(id),
    file: path.join(id, 'SKILL.md'),
    kind: 'prompt',
    state: 'visible',
    description,
    userInvocable: true,
    diagnostics: [],
    manifest: {
      name,
      description,
      disableModelInvocation: false,
      userInvocable: true,
      runMode: 'inline',
      network: false,
      deterministic: true,
    },
  };
}

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

test('offline selects a skill outside the labels for at most 3 % of requests it was not fitted on', async (t) => {
  const data = dataFolder(t);
  if (data === undefined) return;
  const folder = path.join(data, 'routing');
  const { pool } = readRoutingSet(folder);
  const asked = askedOf(folder);
  const fitted = asked.filter((one) => one.isFitted);
  const other = asked.filter((one) => !one.isFitted);
  const choose = chooserOver(pool);
  const onFitted = await tally(fitted, choose(MARGIN));
  const onOther = await tally(other, choose(MARGIN));
  const answerable = other.filter(({ labels }) => labels.length > 0).length;
  t.diagnostic(`margin ${MARGIN}; fitted half: ${onFitted.wrong} wrong of ${onFitted.requests}`);
  t.diagnostic(`other half: ${onOther.wrong} wrong of ${onOther.requests} (${share(onOther.wrong, onOther.requests)})`);
  t.diagnostic(`coverage: ${onOther.right} of ${answerable} requests (${share(onOther.right, answerable)})`);
  assert.ok(onFitted.wrong <= 0.02 * onFitted.requests, JSON.stringify(onFitted));
  assert.ok(onOther.wrong <= 0.03 * onOther.requests, JSON.stringify(onOther));
  assert.ok(onOther.right >= 0.15 * answerable, JSON.stringify(onOther));
  // The margin is what holds it: without one the same router is wrong far more often.
  const unbound = await tally(other, choose(0));
  assert.ok(unbound.wrong > 0.03 * unbound.requests, JSON.stringify(unbound));
});

function builtinSkills(): readonly ListedSkill[] {
  const roots = [{ folder: path.join(repository, 'skills'), source: 'builtin', label: 'skills' }] as const;
  return discover([...roots], { blockAngleBrackets: true }).skills;
}

/** As a first run knows them: by name and description; after a search also by what their files say. */
function builtinPools(): readonly (readonly RankDocument[])[] {
  const toDocument = ({ skillId, name, description }: ListedSkill) => ({ id: skillId, digest: '', name, description });
  const skills = builtinSkills();
  return [skills.map(toDocument), skills.map((skill) => ({ ...toDocument(skill), ...readSearchText(skill) }))];
}

test('where only the built-in skills are at hand, requests for anything else run none of them', async (t) => {
  const data = dataFolder(t);
  if (data === undefined) return;
  for (const pool of builtinPools()) {
    const { requests, wrong } = await tally(askedOf(path.join(data, 'routing')), chooserOver(pool)(MARGIN));
    t.diagnostic(`${wrong} of ${requests} requests (${share(wrong, requests)})`);
    assert.ok(wrong <= 0.03 * requests, `${wrong} of ${requests}`);
  }
});

const SPOKEN = path.join(repository, 'test', 'fixtures', 'offline', 'builtin-requests.json');

test('what people ask the built-in skills for is mostly done at once; what only sounds like it is left alone', async (t) => {
  const { requests, nearMisses } = JSON.parse(readFileSync(SPOKEN, 'utf8')) as {
    requests: Record<string, string[]>;
    nearMisses: string[];
  };
  const idOf = new Map(builtinSkills().map(({ name, skillId }) => [name, skillId]));
  const wanted = Object.entries(requests).flatMap(([name, texts]) =>
    texts.map((request) => ({ request, labels: [idOf.get(name) ?? ''], isFitted: true })),
  );
  const unwanted = nearMisses.map((request) => ({ request, labels: [], isFitted: true }));
  for (const pool of builtinPools()) {
    const choose = chooserOver(pool)(MARGIN);
    const meant = await tally(wanted, choose);
    const missed = await tally(unwanted, choose);
    t.diagnostic(
      `done ${meant.right} of ${meant.requests}, wrong ${meant.wrong}; near misses taken ${missed.wrong} of ${missed.requests}`,
    );
    assert.ok(meant.right >= 0.8 * meant.requests, JSON.stringify(meant));
    assert.equal(meant.wrong, 0);
    assert.ok(missed.wrong <= 0.04 * missed.requests, JSON.stringify(missed));
  }
});
