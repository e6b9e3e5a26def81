import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readServerSkill } from '../../network/mcp/server-skill.ts';
import { readServedName } from './served-name.ts';

const read = (written: string, servers: readonly string[] = ['files', 'github', 'mcp']) => {
  const found = readServedName(written, servers);
  return found && [found.server, found.skill];
};

test('a skill of a server is named by the server of the settings, and by nothing that another source is named by', () => {
  assert.deepEqual(read('files:pdf'), ['files', 'pdf']);
  assert.deepEqual(read('files:skill://a/pdf/SKILL.md'), ['files', 'skill://a/pdf/SKILL.md']);
  assert.deepEqual(read('mcp:files:pdf'), ['files', 'pdf']);
  assert.deepEqual(read('mcp:gone:skill://pdf/SKILL.md'), ['gone', 'skill://pdf/SKILL.md']);
  assert.deepEqual(read('mcp:pdf'), ['mcp', 'pdf']);
  assert.deepEqual(read('mcp:skill://pdf/SKILL.md'), ['mcp', 'skill://pdf/SKILL.md']);
  assert.deepEqual(read('github:pdf'), ['github', 'pdf']);
  assert.deepEqual(read('mcp:github:owner/name'), ['github', 'owner/name']);
  const others = ['github:owner/name', 'github:owner/name.git', 'other:pdf', 'files', 'files:', './files:pdf'];
  for (const written of [
    ...others,
    'https://files/pdf',
    'files://pdf',
    'git@files:pdf',
    'git+ssh://files:pdf',
    'C:\\files',
  ])
    assert.equal(read(written), undefined, written);
});

test('the digest of a served skill is of every address and digest, in whatever order they are listed', () => {
  const file = (uri: string, hex: string) => ({ uri, digest: `sha256:${hex.repeat(64)}`, size: 1 });
  const digest = (...resources: object[]) => {
    const frontmatter = { name: 'pdf', description: 'Reads.' };
    const found = readServerSkill({ uri: 'skill://pdf/SKILL.md', frontmatter, resources });
    return 'digest' in found ? found.digest : assert.fail(found.reason.en);
  };
  const [own, other] = [file('skill://pdf/SKILL.md', 'a'), file('skill://pdf/a.md', 'b')];
  assert.equal(digest(own, other), digest(other, own));
  const all = [digest(own), digest(own, other), digest(own, file('skill://pdf/a.md', 'c'))];
  assert.equal(new Set([...all, digest(own, file('skill://pdf/b.md', 'b'))]).size, 4);
});
