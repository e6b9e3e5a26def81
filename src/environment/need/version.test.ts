import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ecosystem } from './package-need.ts';
import { canAllHold, isExact, satisfies } from './version.ts';

test('demands of both ecosystems hold for the versions they name', () => {
  const cases: [ecosystem: Ecosystem, spec: string, yes: string[], no: string[]][] = [
    ['python', '==1.2', ['1.2', '1.2.0'], ['1.2.1', '1.3']],
    ['python', '==1.2.*', ['1.2', '1.2.9'], ['1.3', '1.1']],
    ['python', '~=1.4.2', ['1.4.2', '1.4.9'], ['1.4.1', '1.5']],
    ['python', '~=2.1', ['2.1', '2.9'], ['3.0', '2.0']],
    ['python', '>=1,<2,!=1.5', ['1.0', '1.9'], ['1.5', '2.0', '0.9']],
    ['python', '@ https://x', ['9'], []],
    ['node', '^1.2.3', ['1.2.3', '1.9.0'], ['2.0.0', '1.2.2']],
    ['node', '^0.2.3', ['0.2.9'], ['0.3.0']],
    ['node', '~1.2.3', ['1.2.9'], ['1.3.0']],
    ['node', '~1', ['1.9.0'], ['2.0.0']],
    ['node', '1.x || >=3 <4', ['1.5.0', '3.1.0'], ['2.0.0', '4.0.0']],
    ['node', '1.2 - 2.0', ['1.2.0', '2.0.0'], ['2.0.1']],
    ['node', '2', ['2.7.1'], ['3.0.0']],
    ['node', '*', ['0.0.1'], []],
  ];
  for (const [ecosystem, spec, yes, no] of cases) {
    for (const version of yes) assert.ok(satisfies(version, spec, ecosystem), `${version} ${spec}`);
    for (const version of no) assert.ok(!satisfies(version, spec, ecosystem), `${version} ${spec}`);
  }
});

test('several demands can or cannot be met by one version', () => {
  const cases: [ecosystem: Ecosystem, specs: string[], can: boolean][] = [
    ['python', ['>=4.10.0,<5.0', '>=4.10.0,<6.0'], true],
    ['python', ['==1.0', '>=1.5'], false],
    ['python', ['>1.0', '<1.0.1'], true],
    ['python', ['<2', '>=2'], false],
    ['python', ['~=1.4', '==1.9.*', '!=1.9'], true],
    ['python', ['==2.33.1', '==2.33.1'], true],
    ['python', ['==2.33.1', '==2.33.2'], false],
    ['python', ['', '==1', '@ https://x'], true],
    ['node', ['^1.2.0', '^1.9.0'], true],
    ['node', ['^1.2.0', '^2.0.0'], false],
    ['node', ['>=3', '1.x || 4.x'], true],
    ['node', ['workspace:*', '^1'], true],
  ];
  for (const [ecosystem, specs, can] of cases) assert.equal(canAllHold(specs, ecosystem), can, specs.join(' and '));
});

test('one version is told from several', () => {
  assert.deepEqual(
    ['==1.2', '===1', '==1.*', '>=1', '==1,!=2'].map((spec) => isExact(spec, 'python')),
    [true, true, false, false, false],
  );
  assert.deepEqual(
    ['1.2.3', 'v1.2.3-rc.1', '1.2', '^1.2.3'].map((spec) => isExact(spec, 'node')),
    [true, true, false, false],
  );
});
