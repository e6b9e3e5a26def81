// Skills by the Skills extension, as resources and as prompts: what is listed is what is served, for every host that checks.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { SKILLS_EXTENSION_ID, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { sha256 } from '../../../src/base/ids.ts';
import { skillFiles, writeFiles } from '../../support/door-support.ts';
import { callTool, connect, connectProcess, ERAS, servedProject, type Wish } from '../../support/mcp/client.ts';
import { dataFolder, isLong } from '../../support/support.ts';

const ODD = `---
name: My Odd Skill!
description: >
  Folds a line
  over two.
metadata: {version: 1.2, tags: [a, b]}
license: MIT
compatibility: {node: ">=24"}
x-note: "tab\\tand \\u2028 and 😀"
---
# Odd
Body stays, byte for byte.\r
`;
const FILES = {
  ...skillFiles('plain', 'name: plain\ndescription: Reads well.\nmetadata:\n  author: x', {
    'references/Q&A 100%.md': '# Q\n',
    'references/deep/more.md': 'more\n',
    'scripts/go.sh': 'echo go\n',
    '.env': 'SECRET=1\n',
    id_rsa: 'key\n',
  }),
  '.claude/skills/odd/SKILL.md': ODD,
  ...skillFiles('secretive', 'name: secretive\ndescription: For people.\ndisable-model-invocation: true'),
  ...skillFiles('outside', 'name: outside\ndescription: Has a link.'),
  'outside.txt': 'not a skill\n',
};
const READS = { extensions: { [SKILLS_EXTENSION_ID]: {} } };

async function openSkills(t: TestContext, wish: Wish = {}) {
  const project = servedProject(t, FILES);
  symlinkSync('../../../outside.txt', path.join(project, '.claude/skills/outside/link.txt'));
  writeFileSync(path.join(project, '.claude/skills/plain/icon.png'), Buffer.from([0x89, 0x50, 0xff, 0x00]));
  const { client } = await connect(t, project, { capabilities: READS, ...wish });
  return { project, client, skills: new SkillsClient(client) };
}

for (const era of ERAS) {
  test(`${era}: every skill a model may choose is listed, got and read, and every byte of it is checked`, async (t) => {
    const { skills, project } = await openSkills(t, { era });
    assert.deepEqual([skills.supported, skills.directoryRead], [true, true]);
    const { skills: listed } = await skills.list();
    const uris = listed.map(({ uri }) => uri);
    assert.deepEqual(
      uris.filter((uri) => !/build-analysis|csv-insights|git-changelog|markdown-converter|skill-author/.test(uri)),
      ['skill://my-odd-skill/SKILL.md', 'skill://outside/SKILL.md', 'skill://plain/SKILL.md'],
    );
    for (const skill of listed) {
      assert.deepEqual((await skills.get(skill.uri)).skill, skill);
      assert.ok(Array.isArray(skill.resources));
      for (const { uri } of skill.resources) assert.equal((await skills.read(skill, uri)).verified, true, uri);
    }
    const plain = listed.find(({ uri }) => uri === 'skill://plain/SKILL.md');
    assert.ok(plain && plain.resources !== 'dynamic');
    assert.deepEqual(plain.resources.map(({ uri }) => decodeURIComponent(uri.slice('skill://plain/'.length))).sort(), [
      'SKILL.md',
      'icon.png',
      'references/Q&A 100%.md',
      'references/deep/more.md',
      'scripts/go.sh',
    ]);
    assert.equal(plain._meta, undefined, 'what reads well is served as it is');
    const bytes = (await skills.read(plain)).bytes;
    assert.deepEqual(Buffer.from(bytes), readFileSync(path.join(project, '.claude/skills/plain/SKILL.md')));
  });

  test(`${era}: a skill that not every host would read is served as a repaired copy that names the original`, async (t) => {
    const { skills } = await openSkills(t, { era });
    const { skill } = await skills.get('skill://my-odd-skill/SKILL.md');
    assert.deepEqual(skill._meta, {
      'skillwright/original': {
        digest: `sha256:${sha256(ODD)}`,
        changed: ['name', 'metadata', 'compatibility'],
      },
    });
    const read = await skills.read(skill);
    assert.deepEqual(read.frontmatter, {
      name: 'my-odd-skill',
      description: 'Folds a line over two.\n',
      compatibility: '{"node":">=24"}',
      metadata: { version: '1.2', tags: '["a","b"]' },
      license: 'MIT',
      'x-note': 'tab\tand \u2028 and 😀',
    });
    assert.equal(
      read.body,
      '# Odd\nBody stays, byte for byte.\r\n'.replace('\r\n', read.body?.includes('\r') ? '\r\n' : '\n'),
    );
  });

  test(`${era}: folders are read one by one, and no spelling leads out of a skill or to what is hidden`, async (t) => {
    const { client, skills } = await openSkills(t, { era });
    const names = async (uri: string) =>
      (await skills.readDirectory(uri)).resources.map(({ name, mimeType }) => [name, mimeType]);
    assert.deepEqual(await names('skill://plain'), [
      ['SKILL.md', 'text/markdown'],
      ['icon.png', 'image/png'],
      ['references', 'inode/directory'],
      ['scripts', 'inode/directory'],
    ]);
    assert.deepEqual(await names('skill://plain/references'), [
      ['Q&A 100%.md', 'text/markdown'],
      ['deep', 'inode/directory'],
    ]);
    for (const uri of [
      'skill://plain/.env',
      'skill://plain/id_rsa',
      'skill://plain/../outside/SKILL.md/..',
      'skill://plain/%2e%2e/outside/SKILL.md',
      'skill://plain/references%2fdeep%2fmore.md/x',
      'skill://plain/..%2f..%2f..%2foutside.txt',
      'skill://plain//etc/passwd',
      'skill://outside/link.txt',
      'skill://secretive/SKILL.md',
      'skill://none/SKILL.md',
      'file:///etc/passwd',
    ])
      await assert.rejects(client.readResource({ uri }), `${uri} was read`);
    for (const uri of ['skill://none/SKILL.md', 'skill://secretive/SKILL.md', 'skill://plain/scripts/go.sh'])
      await assert.rejects(skills.get(uri), `${uri} was got`);
    await assert.rejects(skills.readDirectory('skill://plain/scripts/go.sh'));
  });

  test(`${era}: whoever reads skills by the extension is not offered the tools that load them`, async (t) => {
    const { client } = await openSkills(t, { era });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search_skills', 'run_skill', 'get_run'],
    );
    const { resources } = await client.listResources();
    const plain = resources.find(({ uri }) => uri === 'skill://plain/SKILL.md');
    assert.deepEqual([plain?.name, plain?.description, plain?.mimeType], ['plain', 'Reads well.', 'text/markdown']);
  });

  test(`${era}: skills of instructions are prompts, for people those that no model may choose, too`, async (t) => {
    const project = servedProject(t, {
      ...FILES,
      '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet $ARGUMENTS kindly.\n',
    });
    const { client } = await connect(t, project, { era });
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    assert.ok(
      ['greet', 'plain', 'secretive'].every((name) => names.includes(name)),
      String(names),
    );
    assert.ok(!names.includes('csv-insights'));
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { input: 'Ada' } });
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Greet Ada kindly.' } }]);
    await assert.rejects(client.getPrompt({ name: 'none' }), /there is no prompt none/);
    const few = await connect(t, project, { era, skills: ['plain'] });
    assert.deepEqual(
      (await few.client.listPrompts()).prompts.map(({ name }) => name),
      ['plain'],
    );
  });
}

test('what changes is served as it is by then, and clients are told that their lists are old', async (t) => {
  const project = servedProject(t, FILES);
  const told: string[] = [];
  const changed = Promise.withResolvers<void>();
  const { client } = await connectProcess(t, project, [], {
    era: 'legacy',
    capabilities: READS,
    prepare: (made) => {
      for (const list of ['tools', 'prompts', 'resources'] as const)
        made.setNotificationHandler(`notifications/${list}/list_changed`, () => {
          told.push(list);
          if (told.length === 3) changed.resolve();
        });
    },
  });
  const skills = new SkillsClient(client);
  await skills.list();
  writeFiles(project, skillFiles('late', 'name: late\ndescription: Came late.'));
  await changed.promise;
  assert.deepEqual(told.sort(), ['prompts', 'resources', 'tools']);
  const { skill } = await skills.get('skill://late/SKILL.md');
  writeFiles(project, skillFiles('late', 'name: late\ndescription: Is another one.'));
  await assert.rejects(skills.read(skill, undefined, { cacheMode: 'refresh' }), { reason: 'size' });
  const { skill: now } = await skills.get('skill://late/SKILL.md');
  assert.equal(now.frontmatter.description, 'Is another one.');
  assert.equal((await skills.read(now, undefined, { cacheMode: 'refresh' })).verified, true);
  rmSync(path.join(project, '.claude/skills/late'), { recursive: true });
  await assert.rejects(skills.get('skill://late/SKILL.md'));
});

test('names that would be alike are numbered, and those that are right already stay', async (t) => {
  const folders = ['a', 'b', 'c', 'd'];
  const names = ['Same Name', 'same-name', 'same name', '数据'];
  const files = folders.map((folder, at) => skillFiles(folder, `name: ${names[at]}\ndescription: ${folder}`));
  const project = servedProject(t, Object.assign({}, ...files));
  const { client } = await connect(t, project, { capabilities: READS });
  const { skills } = await new SkillsClient(client).list();
  const served = skills.map(({ uri, frontmatter }) => [uri.split('/')[2], frontmatter.description]);
  assert.deepEqual(
    served.filter(([, description]) => folders.includes(String(description))),
    [
      ['same-name', 'b'],
      ['same-name-2', 'a'],
      ['same-name-3', 'c'],
      ['skill', 'd'],
    ],
  );
});

test('a role that may not read is refused the files, and the refusal is told', async (t) => {
  const project = servedProject(t, {
    ...FILES,
    'agents/runner/agent.yaml': 'name: runner\nallowed_tools: [run_script]\n',
  });
  const { client } = await connect(t, project, { role: 'runner' });
  await assert.rejects(
    client.readResource({ uri: 'skill://plain/SKILL.md' }),
    /PERMISSION_DENIED|not allowed|PermissionDenied/,
  );
  assert.equal(
    Object((await callTool(client, 'load_skill', { name: 'plain' })).result.error).code,
    'PERMISSION_DENIED',
  );
});

test('every real skill that loads is served, and the own client of the SDK takes it', {
  timeout: 600_000,
}, async (t) => {
  const data = dataFolder(t);
  if (!data) return;
  const lines = readFileSync(path.join(data, 'skill-files', 'skills.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const texts = lines.filter((_, at) => isLong() || at % 16 === 0).map((line) => String(JSON.parse(line).text));
  const files = Object.fromEntries(texts.map((text, at) => [`.claude/skills/s${at}/SKILL.md`, text]));
  const project = servedProject(t, files);
  chmodSync(project, 0o755);
  mkdirSync(path.join(project, '.agent'), { recursive: true });
  const { client } = await connect(t, project, { capabilities: READS });
  const skills = new SkillsClient(client);
  const { resources } = await client.listResources();
  const { skills: listed } = await skills.list();
  assert.equal(listed.length, resources.length);
  for (const skill of listed) assert.equal((await skills.read(skill)).verified, true);
  const repaired = listed.filter(({ _meta }) => _meta !== undefined).length;
  t.diagnostic(`${texts.length} texts, ${listed.length} skills with the built-in ones, ${repaired} repaired`);
});
