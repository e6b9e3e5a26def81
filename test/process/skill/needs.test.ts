// What a skill needs is found by reading it, and shown with where it stands and whether it is there.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace, skillText } from '../../support/place.ts';

interface ShownNeed {
  readonly kind: string;
  readonly name: string;
  readonly found_in: readonly string[];
  readonly sure: string;
  readonly state: string;
  readonly command: string | null;
}

const FRONT = `name: reach
description: Reaches out.
compatibility: Needs ffmpeg and DECLARED_API_KEY.
metadata:
  openclaw:
    requires: { bins: [no-such-program], env: [CLAW_TOKEN] }
    install: [{ kind: node, package: no-such-package, bins: [no-such-program] }]`;
const BODY = `
Set \`PROSE_API_KEY\` first. See https://docs.quiet.dev for more.

\`\`\`bash
curl -s https://shown.service.dev/v1 -H "X: $SHOWN_TOKEN"
\`\`\`
`;
const PYTHON = `"""Talks to https://docstring.quiet.dev."""
import os, sys, subprocess, urllib.request
from pathlib import Path

BASE = "https://api.service.dev/v1"  # not https://comment.quiet.dev
STATE = Path.home() / ".config" / "reach"

def need(name):
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"set {name}, see https://help.quiet.dev")
    return value

def send(path):
    return urllib.request.urlopen(urllib.request.Request(f"{BASE}/{path}", headers={"Referer": "https://referer.quiet.dev"}))

print("more at https://printed.quiet.dev", file=sys.stderr)
key = need("WRAPPED_KEY")
region = os.environ["PLAIN_NAME"]
os.environ["ONLY_SET"] = "1"
send("x")
subprocess.run(["ffprobe", "-version"])
`;
const SHELL = `#!/usr/bin/env bash
API="\${API_URL:-https://shell.service.dev}"
LOCAL_NAME=1
echo "$LOCAL_NAME $HOME https://echoed.quiet.dev"
curl -fsS "$API/status" -H "Authorization: $SHELL_TOKEN" > ~/.reach/cache
git clone https://git.service.dev/x.git
`;
const SCRIPT = `// https://comment.quiet.dev
const { TAKEN_APART } = process.env;
const api = \`https://\${process.env.REGION_NAME}.js.service.dev/v1\`;
console.log('see https://logged.quiet.dev');
await fetch(api + '/x', { headers: { authorization: process.env['BRACKET_KEY'] } });
process.env.ONLY_WRITTEN = '1';
`;

const FILES = {
  'project/.agent/skills/reach/SKILL.md': skillText(FRONT) + BODY,
  'project/.agent/skills/reach/scripts/a.py': PYTHON,
  'project/.agent/skills/reach/scripts/b.sh': SHELL,
  'project/.agent/skills/reach/scripts/c.mjs': SCRIPT,
  'project/.agent/skills/reach/.env.example': 'LISTED_NAME=\n# NOT_THIS=1\n',
};

const WANTED: Readonly<Record<string, readonly string[]>> = {
  host: [
    '*.js.service.dev scripts/c.mjs:3',
    'api.service.dev scripts/a.py:5',
    'git.service.dev scripts/b.sh:6',
    'shell.service.dev scripts/b.sh:5',
    'shown.service.dev SKILL.md:15',
  ],
  variable: [
    'API_URL scripts/b.sh:2',
    'BRACKET_KEY scripts/c.mjs:5',
    'CLAW_TOKEN SKILL.md:7',
    'DECLARED_API_KEY SKILL.md:4',
    'LISTED_NAME .env.example:1',
    'PLAIN_NAME scripts/a.py:19',
    'PROSE_API_KEY SKILL.md:12',
    'REGION_NAME scripts/c.mjs:3',
    'SHELL_TOKEN scripts/b.sh:5',
    'SHOWN_TOKEN SKILL.md:15',
    'TAKEN_APART scripts/c.mjs:2',
    'WRAPPED_KEY scripts/a.py:18',
  ],
  home: ['~/.config/reach scripts/a.py:6', '~/.reach scripts/b.sh:5'],
};

test('inspect names what code and instructions need, each with its place, and nothing that is only said', async (t) => {
  const { run } = makePlace(t, FILES);
  const needs: ShownNeed[] = JSON.parse((await run('inspect', 'reach', '--json')).stdout).data.needs;
  for (const [kind, wanted] of Object.entries(WANTED)) {
    const found = needs.filter((need) => need.kind === kind).map(({ name, found_in }) => `${name} ${found_in[0]}`);
    assert.deepEqual(found.sort(), wanted, kind);
  }
  const programs = needs.filter(({ kind }) => kind === 'program').map(({ name }) => name);
  assert.deepEqual(programs.sort(), ['curl', 'ffmpeg', 'ffprobe', 'git', 'no-such-program', 'node', 'python3']);
  const again: ShownNeed[] = JSON.parse((await run('inspect', 'reach', '--json')).stdout).data.needs;
  assert.deepEqual(again, needs, 'the same from the cache');
});

test('doctor with a skill says what is missing or not granted, and what mends it, never a value', async (t) => {
  const { runWith } = makePlace(t, FILES);
  const env = { PLAIN_NAME: 'value-nobody-sees' };
  const { stdout, code } = await runWith({ env }, 'doctor', 'reach', '--json');
  assert.equal(code, 6);
  const needs: ShownNeed[] = JSON.parse(stdout).data.needs;
  const shown = (name: string) => {
    const { state, command } = needs.find((need) => need.name === name) ?? {};
    return [state, command];
  };
  assert.deepEqual(shown('WRAPPED_KEY'), ['missing', 'export WRAPPED_KEY=…']);
  assert.deepEqual(shown('PLAIN_NAME'), ['not-granted', 'skillwright consent reach']);
  assert.deepEqual(shown('api.service.dev'), ['not-granted', 'skillwright consent reach']);
  assert.deepEqual(shown('node'), ['present', null]);
  assert.equal(shown('no-such-program')[0], 'missing');
  const human = await runWith({ env }, 'doctor', 'reach');
  for (const text of [stdout, human.stdout]) assert.doesNotMatch(text, /value-nobody-sees/);
  assert.match(human.stdout, /WRAPPED_KEY +variable +missing +scripts\/a\.py:18/);
});

test('files that are no text or too deep are named, and the rest is read', async (t) => {
  const { cwd, run } = makePlace(t, { ...FILES, 'project/.agent/skills/reach/scripts/deep.sh': '$('.repeat(1000) });
  writeFileSync(path.join(cwd, '.agent/skills/reach/scripts/raw.py'), Buffer.from([0xff, 0xfe, 0x80]));
  const { data } = JSON.parse((await run('inspect', 'reach', '--json')).stdout);
  const unread = data.diagnostics.filter(({ code }: { code: string }) => code === 'needs-not-read');
  const files = unread.map((one: { path: string }) => path.basename(one.path));
  assert.deepEqual(files.sort(), ['deep.sh', 'raw.py']);
  assert.ok(data.needs.some(({ name }: ShownNeed) => name === 'api.service.dev'));
});

test('what an author says in prose is a program by its own name, and a host only where it is one', async (t) => {
  const cases: [said: string, programs: string[], hosts: string[]][] = [
    ['Python 3.8 or newer', ['python3'], []],
    ['Requires Node.js 18+, Git and Docker.', ['node', 'git', 'docker'], []],
    ['Works with Vue.js, Next.js and React.js; asp.net and ASP.NET too. See package.json.', [], []],
    ['Make sure to Go online; needs a Stripe account.', [], []],
    ['Stripe CLI, GitHub CLI and Go 1.22', ['stripe', 'gh', 'go'], []],
    ['ImageMagick and poppler-utils', ['convert', 'pdftotext'], []],
    ['Reaches api.service.dev, https://asp.net/docs and `socket.io`.', [], ['api.service.dev', 'asp.net', 'socket.io']],
    [
      'See https://github.com/git/docker for http://plain.service.dev:8080',
      [],
      ['github.com', 'plain.service.dev:8080'],
    ],
    ['需要 Python 3，可访问 api.service.dev。', ['python3'], ['api.service.dev']],
  ];
  const skills = cases.map(([said], at) => [
    `project/.agent/skills/said-${at}/SKILL.md`,
    skillText(`name: said-${at}\ndescription: d\ncompatibility: ${JSON.stringify(said)}`),
  ]);
  const { run } = makePlace(t, Object.fromEntries(skills));
  const found = await Promise.all(
    cases.map(async ([said], at) => {
      const { data } = JSON.parse((await run('inspect', `said-${at}`, '--json')).stdout);
      const of = (kind: string) =>
        data.needs
          .filter((need: ShownNeed) => need.kind === kind)
          .map(({ name, port }: ShownNeed & { port?: number }) => (port ? `${name}:${port}` : name));
      for (const { found_in } of data.needs) assert.deepEqual(found_in, ['SKILL.md:4'], said);
      return [said, of('program').sort(), of('host').sort()];
    }),
  );
  assert.deepEqual(
    found,
    cases.map(([said, programs, hosts]) => [said, programs.sort(), hosts.sort()]),
  );
});

test('doctor takes an option of spawn for no program, and asks nobody to install a program that is here', async (t) => {
  const script = `import { spawnSync } from 'node:child_process';
const QUIET = ['ignore', 'inherit', 'inherit'];
spawnSync('no-such-tool', ['x'], { stdio: ['ignore', 'pipe', process.stderr] });
spawnSync(process.argv[2], ['y'], { stdio: QUIET });
`;
  const { run } = makePlace(t, {
    'project/.agent/skills/starts/SKILL.md': skillText('name: starts\ndescription: d'),
    'project/.agent/skills/starts/scripts/a.mjs': script,
  });
  const [starts, builtIn] = await Promise.all([run('doctor', 'starts', '--json'), run('doctor', 'build-analysis')]);
  const names = JSON.parse(starts.stdout).data.needs.map(({ name }: ShownNeed) => name);
  assert.deepEqual(names.sort(), ['no-such-tool', 'node']);
  assert.equal(builtIn.code, 0, builtIn.stdout);
  assert.match(builtIn.stdout, /python3/);
  assert.doesNotMatch(builtIn.stdout, /missing/);
});
