// What `conform` says about good, careless and broken skills.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConformFinding, conform } from '../../../src/door/conform.ts';
import { door, type Files, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

async function findingsOf(
  t: Parameters<typeof makeProject>[0],
  files: Files,
  skill = 'sample',
): Promise<readonly ConformFinding[]> {
  const open = await door(makeProject(t, files));
  const { findings, stopped } = await conform({ skill, context: open.context, byPerson: true }, open);
  assert.equal(stopped, undefined);
  return findings;
}
const failing = (findings: readonly ConformFinding[], level: ConformFinding['level']) =>
  findings.filter((finding) => finding.level === level && !finding.ok).map(({ check }) => check);

const PROTOCOL = (body: string) =>
  `import json, random, sys\ntry:\n  r = json.load(sys.stdin)\nexcept ValueError:\n  print(json.dumps({"success": False, "error": {"code": "INVALID_JSON", "message": "x"}}))\n  sys.exit(1)\na = r["action"]\n${body}\n`;
const ANSWER =
  'print(json.dumps({"success": a == "go", "action": a, "data": VALUE, "error": {"code": "UNKNOWN_ACTION", "message": "x", "supported_actions": ["go"]}}))';

test('a skill that prints text or falls over breaks a must', async (t) => {
  const files = skillFiles('sample', 'name: sample\ndescription: x\nentry: a.py\nactions: [go]', {
    'a.py': 'print("hello")\n',
  });
  const findings = await findingsOf(t, files);
  assert.deepEqual(failing(findings, 'must'), [
    'an unknown action is answered with a failure',
    'a broken request is answered with a failure',
    'go: one well-formed response',
  ]);
});

test('an action that only the script or only SKILL.md knows is advice that names it', async (t) => {
  const script = PROTOCOL(ANSWER.replace('VALUE', '1').replace('["go"]', '["go", "extra", "test"]'));
  const head = 'name: sample\ndescription: x\nentry: a.py\nactions: [go, gone, describe]';
  const findings = await findingsOf(t, skillFiles('sample', head, { 'a.py': script }));
  const finding = findings.find(({ check }) => check === 'SKILL.md and the script name the same actions');
  assert.equal(finding?.ok, false);
  assert.equal(finding?.detail, 'only the script knows extra; only SKILL.md names gone');
});

test('conform speaks both languages, and sends other kinds of skills elsewhere', async (t) => {
  const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
  const run = (...args: string[]) => runCli(args, { cwd, home });
  const { stdout } = await run('conform', 'csv-insights', '--lang', 'zh');
  assert.match(stdout, /✓ 必须 未知操作以失败响应\n/);
  const prompt = await run('conform', 'skill-author');
  assert.match(prompt.stderr, /InvalidArgs: .*prompt skill[\s\S]*validate skill-author --profile strict/);
});

test('a skill from a template conforms untouched; a broken one makes the command fail', async (t) => {
  const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
  const run = (...args: string[]) => runCli(args, { cwd, home });
  for (const lang of ['python', 'javascript', 'typescript', 'bash']) {
    assert.equal((await run('new', `new-${lang}`, '--kind', 'protocol', '--lang', lang)).code, 0);
    const { code, stdout } = await run('conform', `new-${lang}`, '--yes', '--json');
    const { data } = JSON.parse(stdout);
    assert.deepEqual([code, data.failed, data.advice], [0, 0, 0], stdout);
  }
  const asked = await run('conform', 'new-python', '--json');
  const { state, data } = JSON.parse(asked.stdout);
  assert.deepEqual([asked.code, state, data.code], [4, 'interrupted', 'APPROVAL_REQUIRED']);
  assert.equal(data.resume_command, 'skillwright conform new-python --yes');
  for (const [lang, said] of Object.entries({ en: /^⏸️ a decision is needed: run new-python/, zh: /^⏸️ 需要批准: / })) {
    const { stdout, stderr } = await run('conform', 'new-python', '--lang', lang);
    assert.match(stdout + stderr, said);
    assert.match(stdout + stderr, /skillwright conform new-python --yes/);
  }
  const [, ...words] = String(data.resume_command).split(' ');
  assert.equal((await run(...words)).code, 0);
});
