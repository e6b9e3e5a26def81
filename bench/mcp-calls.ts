// Servers at their pipes, interleaved: from the start to the first list of tools, ours and one of the SDK alone; and a call
// of a skill through ours beside the same call of the library. Started by suite-mcp.ts; prints its figures as JSON.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { removeTree } from '../src/base/files.ts';
import type { Skillwright } from '../src/index.ts';

const [root = '', counted = '20'] = process.argv.slice(2);
const rounds = Number(counted);
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-mcp-'));
const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
const OURS = [path.join(root, 'dist', 'cli.cjs'), 'mcp'];
const BARE = [path.join(root, 'bench', 'mcp-bare.mjs')];

try {
  plant();
  const library = (await import(path.join(root, 'dist', 'lib', 'index.js'))) as typeof import('../src/index.ts');
  await using sw = await library.openSkillwright({ project, home });
  await sw.grants.add({ skill: 'sample', script: 'scripts/run.sh' });
  process.stdout.write(JSON.stringify({ ...(await measureStarts()), ...(await measureCalls(sw)) }));
} finally {
  removeTree(folder);
}

function plant(): void {
  const skill = path.join(project, '.agent/skills/sample');
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(skill, 'SKILL.md'), '---\nname: sample\ndescription: Measured.\n---\n# Sample\n');
  writeFileSync(path.join(skill, 'scripts/run.sh'), 'echo done\n');
}

async function measureStarts() {
  const times = { bare: [] as number[], ours: [] as number[] };
  for (let round = -2; round < rounds; round++) {
    const taken = { bare: await timed(() => listOnce(BARE)), ours: await timed(() => listOnce(OURS)) };
    if (round >= 0) for (const key of ['bare', 'ours'] as const) times[key].push(taken[key]);
  }
  return times;
}

async function listOnce(args: readonly string[]): Promise<void> {
  const client = await connect(args);
  const { tools } = await client.listTools();
  if (tools.length === 0) throw new Error('no tools');
  // Not waited for: the end of the other process is not measured.
  void client.close();
}

async function measureCalls(sw: Skillwright) {
  const client = await connect(OURS);
  const times = { library: [] as number[], called: [] as number[] };
  const script = { skill: 'sample', script: 'scripts/run.sh' };
  for (let round = -3; round < rounds; round++) {
    const taken = {
      library: await timed(async () => {
        const outcome = await sw.exec(script.skill, script.script, []);
        if (outcome.state !== 'success') throw new Error(outcome.summary);
      }),
      called: await timed(async () => {
        const { structuredContent } = await client.callTool({ name: 'run_skill', arguments: script });
        if (Object(structuredContent).state !== 'success') throw new Error(JSON.stringify(structuredContent));
      }),
    };
    if (round >= 0) for (const key of ['library', 'called'] as const) times[key].push(taken[key]);
  }
  await client.close();
  return times;
}

async function connect(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], cwd: project, env }));
  return client;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
