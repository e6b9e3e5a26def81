// A host that runs one order and waits for it, as a process of its own that a test can kill.
import { runProcess } from '../../../src/process/run.ts';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';
import { HIDDEN_FOR, type Level, orderOf } from './sandbox-support.ts';

const [level, cacheFolder = '', work = '', script = ''] = process.argv.slice(2);
const sandbox = await openSandbox({ cacheFolder, without: HIDDEN_FOR[level as Level] });
await runProcess(sandbox.prepare(orderOf({ argv: ['/bin/sh', '-c', script], work, timeoutMs: 60_000 })), {
  timeoutMs: 60_000,
});
