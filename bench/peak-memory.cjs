// Preloaded into a measured process: leaves its peak resident memory (KB) in the file the bench named.
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS)));
