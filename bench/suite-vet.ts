// Inspecting 10 MiB of the worst text of each rule, of marks of a page, and of plain prose, as the installation does it.
import { openInspector } from '../src/distribution/vet/vet.ts';
import { worstTexts } from '../test/support/vet/worst-texts.ts';
import type { SuiteOptions, SuiteResult } from './goal.ts';
import type { Measured } from './measure.ts';

const BYTES = 10 * 2 ** 20;
const SHOWN = 12;

export async function bench({ rounds }: SuiteOptions): Promise<SuiteResult> {
  const prose = 'The report lists each table with its figures and the day on which it was made, and who made it.\n';
  const texts = new Map([...worstTexts(), ['prose', prose]]);
  const measured = [...texts].map(([name, text]) => measureText(name, text, rounds));
  const slowest = measured.toSorted((a, b) => b.median - a.median);
  return {
    method: `${texts.size} texts of 10 MiB each, in this process, in wall time; those are shown that take longest.`,
    measured: slowest.slice(0, SHOWN),
    goals: [{ what: 'vet of 10 MiB of the worst text', value: slowest[0]?.min ?? Number.NaN, limit: 2000, unit: 'ms' }],
  };
}

/** Three rounds are enough: there are a hundred texts. */
function measureText(name: string, text: string, rounds: number): Measured {
  const content = Buffer.from(text.repeat(Math.ceil(BYTES / Buffer.byteLength(text)))).subarray(0, BYTES);
  const times = Array.from({ length: Math.min(rounds, 3) }, () => timed(content)).toSorted((a, b) => a.wall - b.wall);
  const cpu = Math.min(...times.map((time) => time.cpu));
  return { name, median: times[times.length >> 1]?.wall ?? Number.NaN, min: times[0]?.wall ?? Number.NaN, cpu };
}

function timed(content: Buffer): { wall: number; cpu: number } {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const inspector = openInspector();
  inspector.see({ path: 'references/notes.md', executable: false }, content);
  inspector.conclude();
  return { wall: performance.now() - startedAt, cpu: process.cpuUsage(cpu).user / 1000 };
}
