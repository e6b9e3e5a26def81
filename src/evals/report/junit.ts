// The report for build servers: one test case per eval case.
import type { Report, ReportedCase } from './report.ts';

/**
 * The report as build servers read it.
 * @example
 * writeFileSync('report.xml', renderJunit(report));
 */
export function renderJunit({ suite, cases, metrics, created }: Report): string {
  const { total, failed, error, skipped } = metrics.cases;
  const counts = `tests="${total}" failures="${failed}" errors="${error}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(suite)}" ${counts} timestamp="${escapeXml(created)}">`,
    ...cases.map(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function renderCase(one: ReportedCase): string {
  const { id, state, passes, runs, failures, file, line } = one;
  const place = `file="${escapeXml(file)}"${line === undefined ? '' : ` line="${line}"`}`;
  const open = `    <testcase name="${escapeXml(id)}" classname="${escapeXml(one.attempts[0]?.skills[0] ?? 'eval')}" ${place}`;
  if (state === 'passed') return `${open}/>`;
  if (state === 'skipped')
    return `${open}>\n      <skipped message="${escapeXml(failures[0] ?? 'not judged')}"/>\n    </testcase>`;
  const tag = state === 'error' ? 'error' : 'failure';
  const message = `${passes} of ${runs} runs passed`;
  return `${open}>\n      <${tag} message="${escapeXml(message)}">${escapeXml(failures.join('\n'))}</${tag}>\n    </testcase>`;
}

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// Characters XML 1.0 cannot contain, escaped or not.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
