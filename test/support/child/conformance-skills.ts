// What the protocol's conformance suite starts as "the host" of its skills: our command line, whose user has settings that
// name the suite's server, lists what it has, looks at each skill and installs it.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTree } from '../../../src/base/files.ts';
import { runCli } from '../support.ts';

const root = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
const [project, home] = ['project', 'home'].map((name) => path.join(root, name)) as [string, string];

try {
  await play(process.argv.at(-1) ?? '');
} finally {
  removeTree(root);
}

/** It ends well whatever is refused: what it asked for is judged by the suite. */
async function play(url: string): Promise<void> {
  mkdirSync(path.join(project, '.agent'), { recursive: true });
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ mcp_servers: { suite: { url } } }));
  const listed = await skillwright('list', '--from', 'suite', '--json');
  const { skills } = JSON.parse(listed.stdout).data;
  for (const { address } of process.env.MCP_CONFORMANCE_SCENARIO?.includes('no-prefetch') ? [] : skills) {
    await skillwright('inspect', address, '--body');
    await skillwright('install', address, '--yes');
  }
}

async function skillwright(...args: string[]) {
  const ran = await runCli(args, { cwd: project, home });
  process.stderr.write(ran.stdout + ran.stderr);
  return ran;
}
