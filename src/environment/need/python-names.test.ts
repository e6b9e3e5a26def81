import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownImports, packagesOfImport } from './python-names.ts';
import { STANDARD } from './python-standard.ts';
import { normalName } from './requirement.ts';

test('the table of imports holds facts enough, each once, in the spelling of the index, and nothing of the standard library', () => {
  const known = [...knownImports()];
  const differing = known.filter(([name, [first]]) => first !== name);
  assert.ok(known.length >= 1000, `${known.length}`);
  assert.ok(differing.length >= 300, `${differing.length}`);
  for (const [name, packages] of known) {
    assert.match(name, /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/);
    assert.ok(
      packages.length > 0 && packages.every((one) => one === normalName(one) && /^[a-z0-9][a-z0-9-]*$/.test(one)),
      name,
    );
    assert.equal(new Set(packages).size, packages.length, name);
    assert.ok(!STANDARD.has(name) || ['bpy', 'uno'].includes(name), name);
  }
});

test('no name of the table is written twice', async () => {
  const { readFileSync } = await import('node:fs');
  const text = readFileSync(`${import.meta.dirname}/python-names.ts`, 'utf8');
  const [, table = ''] = /const NAMES = `([^`]*)`/.exec(text) ?? [];
  const names = table
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => entry.split('=')[0]);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

test('the names that authors stumble over', () => {
  const cases: [module: string, first: string][] = [
    ['cv2', 'opencv-python'],
    ['PIL.Image', 'pillow'],
    ['yaml', 'pyyaml'],
    ['sklearn.linear_model', 'scikit-learn'],
    ['fitz', 'pymupdf'],
    ['docx', 'python-docx'],
    ['pptx.util', 'python-pptx'],
    ['bs4', 'beautifulsoup4'],
    ['dateutil.parser', 'python-dateutil'],
    ['dotenv', 'python-dotenv'],
    ['Crypto.Cipher', 'pycryptodome'],
    ['google.cloud.storage.blob', 'google-cloud-storage'],
    ['google.genai', 'google-genai'],
    ['google.protobuf', 'protobuf'],
    ['OpenSSL', 'pyopenssl'],
    ['serial', 'pyserial'],
    ['usb.core', 'pyusb'],
    ['win32api', 'pywin32'],
    ['attr', 'attrs'],
    ['jwt', 'pyjwt'],
    ['magic', 'python-magic'],
    ['mpl_toolkits.mplot3d', 'matplotlib'],
    ['skimage', 'scikit-image'],
  ];
  for (const [module, first] of cases) assert.equal(packagesOfImport(module)?.packages[0], first, module);
  assert.equal(packagesOfImport('of_nobody'), undefined);
});
