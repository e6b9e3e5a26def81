// The guide and the page on the protocol, followed to the letter: what they tell people to type gives what they show.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf, commandsOf, patternOf } from '../../support/server/page.ts';
import { repository, runCli, temporaryFolder } from '../../support/support.ts';

for (const page of ['guide.md', 'guide.zh.md', 'jobs.md']) {
  test(`each command of ${page} prints what the page shows`, async (t) => {
    const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
    const env = page.endsWith('.zh.md') ? { LC_ALL: 'zh_CN.UTF-8' } : {};
    for (const { line, shown } of commandsOf(readPage(page))) {
      const [program, ...words] = wordsOf(line);
      assert.equal(program, 'skillwright', line);
      const { code, stdout, stderr } = await runCli(words, { cwd, home, env });
      assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
      assert.match(stdout, patternOf(shown), line);
    }
  });
}

const templates = path.join(repository, 'src/cli/templates');

const KITS = {
  ts: { file: 'main.mts', kit: 'protocol-typescript/scripts/define-skill.mts' },
  python: { file: 'main.py', kit: 'protocol-python/scripts/skillwright_skill.py' },
} as const;

for (const [language, { file, kit }] of Object.entries(KITS)) {
  test(`the complete ${language} example of the protocol page conforms and answers`, async (t) => {
    const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
    const scripts = path.join(cwd, '.agent', 'skills', 'line-count', 'scripts');
    mkdirSync(scripts, { recursive: true });
    cpSync(path.join(templates, kit), path.join(scripts, path.basename(kit)));
    const [example = ''] = blocksOf(readPage('protocol.md'), language);
    writeFileSync(path.join(scripts, file), example);
    const head = `name: line-count\ndescription: Counts lines.\nentry: scripts/${file}`;
    writeFileSync(path.join(scripts, '..', 'SKILL.md'), `---\n${head}\n---\n# Lines\n`);
    const ask = async (...words: string[]) =>
      JSON.parse((await runCli([...words, '--yes', '--json'], { cwd, home })).stdout);
    const conformed = await ask('conform', 'line-count');
    assert.deepEqual([conformed.data.failed, conformed.data.advice], [0, 0], JSON.stringify(conformed));
    const counted = await ask('call', 'line-count', 'analyze', '--params', JSON.stringify({ text: 'a\nb\nc' }));
    assert.deepEqual([counted.summary, counted.data.response.data.metrics], ['3 lines', { lines: 3 }]);
    assert.equal((await ask('call', 'line-count', 'analyze', 'text= ')).data.code, 'DATA_NOT_FOUND');
    assert.equal((await ask('call', 'line-count', 'analyze', 'text=a', 'unit=words')).data.code, 'INVALID_PARAM');
  });
}

function readPage(name: string): string {
  return readFileSync(path.join(repository, 'docs', name), 'utf8');
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|[^\s"])+/g), ([word]) => word.replaceAll('"', ''));
}
