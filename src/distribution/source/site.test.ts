import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { skillText, writeSkill } from '../../../test/support/install-support.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import { buildZip } from '../../../test/support/zip-builder.ts';
import { Fault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { packSkills } from '../publish/pack.ts';
import { download, downloadIfThere } from './download.ts';
import { openIndex } from './site.ts';
import { openSource } from './source.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const INDEX = '/.well-known/agent-skills/index.json';

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

async function serve(t: TestContext, pages: Record<string, string | Buffer>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else if (request.url?.startsWith('/moved')) response.writeHead(302, { location: String(page) }).end();
    else response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const entry = (name: string, type: string, url: string, content: string | Buffer) => ({
  name,
  type,
  description: 'x',
  url,
  digest: `sha256:${sha256(content)}`,
});

async function makeSite(
  t: TestContext,
  change: (index: { $schema: string; skills: object[] }) => object = (index) => index,
) {
  const text = skillText({ name: 'review' });
  const zip = packSkills([writeSkill(temporaryFolder(t), { name: 'tools', files: { 'scripts/run.sh': 'x' } })], {
    blockAngleBrackets: true,
  }).bytes;
  const flat = buildZip([{ name: 'SKILL.md', content: skillText({ name: 'flat' }) }, { name: 'a/b.txt' }]);
  const skills = [
    entry('review', 'skill-md', '/.well-known/agent-skills/review/SKILL.md', text),
    entry('tools', 'archive', 'tools.zip', zip),
    entry('flat', 'archive', 'flat.zip', flat),
    { ...entry('later', 'container', 'x', 'x') },
  ];
  const index = JSON.stringify(change({ $schema: SCHEMA, skills }));
  const folder = path.dirname(INDEX);
  return await serve(t, {
    [INDEX]: index,
    [`${folder}/review/SKILL.md`]: text,
    [`${folder}/tools.zip`]: zip,
    [`${folder}/flat.zip`]: flat,
  });
}

test('a site offers its skills as single files and archives, with or without a folder inside', async (t) => {
  const site = await makeSite(t);
  const offers = await openIndex(site, { names: [], download });
  assert.deepEqual(
    offers.map(({ skills }) => skills.map(({ folder, files }) => [folder, files.length])),
    [[['review', 1]], [['tools', 2]], [['flat', 2]]],
  );
  assert.deepEqual(offers[0]?.origin.path, 'review');
  assert.equal((await openIndex(`${site}${INDEX}`, { names: ['flat'], download })).length, 1);
  await assert.rejects(openIndex(site, { names: ['nothing'], download }), isFault('SkillNotFound'));
});

async function withoutDigests(): Promise<typeof openIndex> {
  const change = { from: 'if (digest !== entry.digest)', to: 'if (false)' };
  const module = await changed<typeof import('./site.ts')>('src/distribution/source/site.ts', change);
  return module.openIndex;
}

test('a file that is not what the index promises is refused; without that check it passes', async (t) => {
  const site = await makeSite(t, (index) => ({
    ...index,
    skills: [{ ...index.skills[0], digest: `sha256:${'0'.repeat(64)}` }],
  }));
  await assert.rejects(openIndex(site, { names: [], download }), isFault('IntegrityMismatch'));
  assert.equal((await (await withoutDigests())(site, { names: [], download })).length, 1);
});

test('an index of another format, and an entry without a digest, are not read', async (t) => {
  await assert.rejects(
    openIndex(await makeSite(t, (index) => ({ ...index, $schema: 'https://example.com/9' })), { names: [], download }),
    isFault('InvalidJson'),
  );
  const without = await makeSite(t, (index) => ({ ...index, skills: [{ ...index.skills[0], digest: undefined }] }));
  await assert.rejects(openIndex(without, { names: [], download }), isFault('DataNotFound'));
});

test('plain http elsewhere, redirects and private addresses are refused', async (t) => {
  const site = await serve(t, { '/moved': 'http://169.254.169.254/latest' });
  await assert.rejects(download('http://example.com/x.zip'), isFault('PathBlocked'));
  await assert.rejects(download('file:///etc/passwd'), isFault('PathBlocked'));
  await assert.rejects(download('https://10.0.0.1/x.zip'), isFault('PathBlocked'));
  await assert.rejects(download(`${site}/moved`), isFault('ExternalServiceError'));
  await assert.rejects(download(`${site}/absent`), isFault('ExternalServiceError'));
});

test('threat 63 blocked: a site out there cannot name an address on this machine', async () => {
  const asked: string[] = [];
  const skills = [entry('inner', 'skill-md', 'http://127.0.0.1:9/shutdown', skillText({ name: 'inner' }))];
  const pretend = async (url: string) => {
    asked.push(url);
    return Buffer.from(
      url.endsWith('.json') ? JSON.stringify({ $schema: SCHEMA, skills }) : skillText({ name: 'inner' }),
    );
  };
  const site = 'https://skills.example.com';
  await assert.rejects(openIndex(site, { names: [], download: pretend }), isFault('PathBlocked'));
  assert.deepEqual(asked, [`${site}${INDEX}`]);
  const careless = await changed<typeof import('./site.ts')>('src/distribution/source/site.ts', {
    from: 'if (isLoopback(address) && !isLoopback(index)) throw',
    to: 'if (false) throw',
  });
  assert.equal((await careless.openIndex(site, { names: [], download: pretend })).length, 1);
});

test('an index that would fill the memory is refused', async () => {
  const skills = Array.from({ length: 7 }, (_, at) => ({ ...entry(`s${at}`, 'skill-md', `${at}`, 'x') }));
  const large = Buffer.alloc(9 << 20);
  const pretend = async (url: string) =>
    url.endsWith('.json') ? Buffer.from(JSON.stringify({ $schema: SCHEMA, skills })) : large;
  const options = { names: [], download: pretend };
  const open = await withoutDigests();
  await assert.rejects(open('https://skills.example.com', options), isFault('ARCHIVE_LIMIT'));
  assert.equal((await open('https://skills.example.com', { ...options, names: ['s0', 's1'] })).length, 2);
});

test('a signature that is missing is none; one that could not be fetched is a failure', async (t) => {
  const zip = buildZip([{ name: 'alpha/SKILL.md', content: skillText({ name: 'alpha' }) }]);
  const folder = temporaryFolder(t);
  const places = { cwd: folder, home: folder, project: folder, env: {}, work: folder };
  const site = await serve(t, { '/a.zip': zip, '/moved.zip.sig': '/elsewhere', '/moved.zip': zip });
  const [offer] = await openSource({ location: `${site}/a.zip`, names: [] }, places);
  assert.equal(offer?.signed, undefined);
  assert.equal(await downloadIfThere(`${site}/absent.sig`), undefined);
  await assert.rejects(downloadIfThere(`${site}/moved.zip.sig`), isFault('ExternalServiceError'));
});
