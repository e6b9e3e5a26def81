import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSkillId, skillIdOf } from './skill-id.ts';

test('an id has its source and its name; a name, a folder or a source alone is none', () => {
  const made = [skillIdOf('user', 'pdf', '1.2.0'), skillIdOf('project', 'a/b'), skillIdOf('builtin', 'x:y')];
  assert.deepEqual(made, ['user:pdf@1.2.0', 'project:a/b', 'builtin:x:y']);
  for (const id of made) assert.ok(isSkillId(id), id);
  for (const odd of ['', 'pdf', 'user', 'user:', ':pdf', 'home:pdf', '/p/.agent/skills/pdf', 'USER:pdf', 1, null])
    assert.equal(isSkillId(odd), false, String(odd));
});
