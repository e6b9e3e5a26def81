// placeholder
import type { Report } from './report.ts';
export function renderHtml(report: Report): string {
  return JSON.stringify(report);
}
