// The report of a suite as files, in the wanted forms.
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import type { Language } from '../../base/language.ts';
import { renderJunit } from '../../evals/report/junit.ts';
import { renderMarkdown } from '../../evals/report/markdown.ts';
import type { Report } from '../../evals/report/report.ts';

export const REPORT_FORMS = ['json', 'markdown', 'html', 'junit'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

const FILES: Record<ReportForm, string> = {
  json: 'report.json',
  markdown: 'report.md',
  html: 'report.html',
  junit: 'junit.xml',
};

/** The paths, by form. */
export async function writeReports(
  report: Report,
  folder: string,
  forms: readonly ReportForm[],
  language: Language,
): Promise<Partial<Record<ReportForm, string>>> {
  makeFolder(folder, 0o755);
  const written: Partial<Record<ReportForm, string>> = {};
  for (const form of forms) {
    const file = path.join(folder, FILES[form]);
    writeFileAtomic(file, await render(report, form, language), { mode: 0o644 });
    written[form] = file;
  }
  return written;
}

async function render(report: Report, form: ReportForm, language: Language): Promise<string> {
  switch (form) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'markdown':
      return renderMarkdown(report);
    case 'junit':
      return renderJunit(report);
    case 'html':
      return (await import('../../evals/report/html.ts')).renderHtml(report, language);
  }
}
