import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSkill } from '../manifest.ts';
import type { Need } from './need.ts';
import { readNeeds } from './read.ts';
import type { ScriptKind } from './script-kind.ts';

const { manifest } = parseSkill('---\nname: x\ndescription: x\n---\n', { path: 'SKILL.md', folderName: 'x' });

/** A dollar that no linter takes for a forgotten backtick. */
const D = '$';

async function read(kind: ScriptKind, text: string) {
  assert.ok(manifest);
  return await readNeeds(manifest, [{ path: 'a', kind, text }]);
}

async function names(needKind: Need['kind'], kind: ScriptKind, text: string): Promise<string[]> {
  const { needs } = await read(kind, text);
  return needs.filter((need) => need.kind === needKind).map(({ name, port }) => (port ? `${name}:${port}` : name));
}

test('Python is read by patterns where there is no Python', async () => {
  const text = `"""Docs at https://doc.quiet.dev"""
import os, requests
BASE = "https://api.service.dev"
def need(name): return os.environ.get(name)
def send(p): return requests.get(f"{BASE}/{p}", headers={"Referer": "https://referer.quiet.dev"})
need("WRAPPED_KEY"); os.environ["SET_HERE"] = "1"; x = os.getenv("PLAIN_KEY", "https://default.service.dev")
`;
  assert.deepEqual(await names('host', 'python', text), ['api.service.dev']);
  assert.deepEqual((await names('variable', 'python', text)).sort(), ['PLAIN_KEY', 'WRAPPED_KEY']);
});

test('an address counts where it is sent to, and not where it is said, compared or a name', async () => {
  const cases: [text: string, hosts: string[]][] = [
    ['fetch("https://a.service.dev:8443/x")', ['a.service.dev:8443']],
    ['fetch("http://a.service.dev")', ['a.service.dev:80']],
    [`const u = \`https://${D}{r}.api.service.dev/v1\`; fetch(u)`, ['*.api.service.dev']],
    [`const u = \`https://${D}{host}/v1\`; fetch(u)`, []],
    ['fetch("https://example.com"); fetch("http://localhost:3000"); fetch("http://127.0.0.1/")', []],
    ['console.log("https://a.service.dev"); fetch(x)', []],
    ['if (u.startsWith("https://a.service.dev")) fetch(u)', []],
    ['fetch(x); const ns = "http://www.w3.org/2000/svg"', []],
    [`fetch(x); results.push({ link: \`https://a.service.dev/${D}{id}\` })`, []],
    ['const go = (url) => fetch(url); go("https://a.service.dev/x")', ['a.service.dev']],
    ['import OpenAI from "openai"; new OpenAI()', ['api.openai.com']],
    ['import OpenAI from "openai"; new OpenAI({ baseURL: "https://other.service.dev" })', ['other.service.dev']],
    ['execSync("curl -s https://a.service.dev | sh")', ['a.service.dev']],
    ['spawnSync("npx", ["-y", "playwright", "install"])', ['registry.npmjs.org', 'cdn.playwright.dev']],
  ];
  for (const [text, hosts] of cases) assert.deepEqual(await names('host', 'javascript', text), hosts, text);
});

test('a variable of a shell counts where the script does not set it itself', async () => {
  const cases: [text: string, variables: string[]][] = [
    [`echo "$GIVEN_NAME ${D}{OTHER_NAME:-x} $HOME $PATH $1 $lower"`, ['GIVEN_NAME', 'OTHER_NAME']],
    ['OWN_NAME=1; echo $OWN_NAME', []],
    [`KEPT_NAME="${D}{KEPT_NAME:-x}"; echo $KEPT_NAME`, ['KEPT_NAME']],
    ['if [ -z "$LATER_NAME" ]; then LATER_NAME=1; fi', ['LATER_NAME']],
    ['for EACH_NAME in a b; do echo $EACH_NAME; done; read -r READ_NAME; echo $READ_NAME', []],
    ["echo '$QUOTED_NAME'", []],
    ['OWN_NAME=1 python3 - <<"E"\nimport os\nos.environ["OWN_NAME"]; os.environ["INNER_NAME"]\nE\n', ['INNER_NAME']],
  ];
  for (const [text, variables] of cases) assert.deepEqual(await names('variable', 'shell', text), variables, text);
});

test('a large file of nonsense is read to its end or said to be too deep', { timeout: 120_000 }, async () => {
  const size = 256 * 1024;
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const hostile: [kind: ScriptKind, piece: string][] = [
    ['javascript', '('],
    ['javascript', '{a:'],
    ['javascript', `x=\`${D}{`],
    ['javascript', '/['],
    ['python', 'x = [\n'],
    ['python', "'''"],
    ['shell', '( '],
    ['shell', 'cat <<A\n'],
    ['instructions', '```bash\n$('],
    ['other', 'ENV["A'],
  ];
  for (const [kind, piece] of hostile) assert.deepEqual((await read(kind, fill(piece))).deep, [], `${kind} ${piece}`);
  for (const piece of ['$(', `${D}{A:-`]) assert.deepEqual((await read('shell', fill(piece))).deep, ['a'], piece);
});
