// The sandbox of this machine as `doctor` shows it: what it leaves open, and how escape attempts ended.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { renderTable, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import type { AttackResult } from '../../process/sandbox/attack/attack.ts';
import { describeOpenPoint } from '../../process/sandbox/not-enforced.ts';

export function renderOpenPoints(points: readonly string[], language: Language): string[] {
  return points.map((point) => {
    const meaning = describeOpenPoint(point);
    return meaning ? `${point}: ${inLanguage(meaning, language)}` : visible(point);
  });
}

const MARKS: Record<'stopped' | 'open' | 'broken', Text> = {
  stopped: { en: '✓ stopped', zh: '✓ 已阻止' },
  open: { en: '– open, as listed', zh: '– 开放（已列出）' },
  broken: { en: '✗ GOT THROUGH', zh: '✗ 突破' },
};

/** One row per attempt, one column per tier. */
export function renderAttacks(results: readonly AttackResult[], language: Language, terminal: Terminal): string {
  const tiers = [...new Set(results.map(({ tier }) => tier))];
  const probes = [...new Set(results.map(({ probe }) => probe))];
  const cell = (probe: string, tier: string): string => {
    const found = results.find((result) => result.probe === probe && result.tier === tier);
    if (!found) return '';
    if (found.blocked) return MARKS.stopped[language];
    return MARKS[found.expected ? 'broken' : 'open'][language];
  };
  const columns = [{ title: 'PROBE', style: 'cyan' } as const, ...tiers.map((tier) => ({ title: tier }))];
  return renderTable(
    columns,
    probes.map((probe) => [probe, ...tiers.map((tier) => cell(probe, tier))]),
    terminal,
  );
}
