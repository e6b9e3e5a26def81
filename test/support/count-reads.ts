// Loaded first into a process under test: leaves behind how much of which file that process read.
import fs from 'node:fs';
import { startWatch } from './watch-reads.ts';

const report = process.env.COUNT_READS_TO;
if (report !== undefined) {
  // Modules are read by other ways; files of skills and projects are not.
  const { files, stop } = startWatch('pass');
  process.on('exit', () => {
    stop();
    fs.writeFileSync(report, JSON.stringify([...files]));
  });
}
