// Packages that real skills import, from the public registry; in the long run only, since they come from elsewhere.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lockOf, openEnvironmentDesk } from '../../support/environment/desk.ts';
import { isLong } from '../../support/support.ts';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const USES = `import { Document, Packer, Paragraph } from 'docx';
import pptx from 'pptxgenjs';
import { parse } from 'csv-parse/sync';
import { marked } from 'marked';
const written = await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph('text')] }] }));
console.log(written.length > 1000, typeof new pptx().addSlide, parse('a,b\\n1,2').length, marked('# title').trim());
`;

test('environments: docx, pptxgenjs, csv-parse and marked are locked, built and used', {
  skip: isLong() ? false : 'in the long run only',
}, async (t) => {
  const dependencies = { docx: '^9', pptxgenjs: '^4', 'csv-parse': '^6', marked: '*' };
  const files = { 'package.json': JSON.stringify({ dependencies }), 'scripts/use.mjs': USES };
  const desk = await openEnvironmentDesk(t, files);
  const settings = existsSync(CERTIFICATES) ? { network: { ca_file: CERTIFICATES } } : {};
  writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify(settings));
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  const names = lockOf(desk).environments.flatMap(({ packages }) => packages.map(({ name }) => name));
  for (const name of Object.keys(dependencies)) assert.ok(names.includes(name), name);
  assert.match(await desk.exec('scripts/use.mjs'), /^true function 2 <h1>title<\/h1>\n/);
});
