// The judge of evals, its metrics and its doubts about itself.
import path from 'node:path';
import { test } from 'node:test';
import { CHECKS } from '../../support/evals/evals-check.ts';
import { loadModules } from '../../support/evals/evals-support.ts';
import { repository } from '../../support/support.ts';

const modules = await loadModules(path.join(repository, 'src', 'evals'));

for (const { name, run } of CHECKS) test(name, () => run(modules));
