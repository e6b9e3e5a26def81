// Pictures of the HTML report for the docs, taken in a real Chromium: node scripts/report-shots.ts
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderHtml } from '../src/evals/report/html.ts';
import { openBrowser, openPage } from '../test/support/evals/evals-page.ts';
import { sampleReport } from '../test/support/evals/evals-sample.ts';

const images = path.join(path.dirname(import.meta.dirname), 'docs', 'images');

const SHOTS = [
  { name: 'eval-report-light', scheme: 'light', width: 1100, height: 1500, at: 'body' },
  { name: 'eval-report-dark', scheme: 'dark', width: 1100, height: 1500, at: 'body' },
  { name: 'eval-report-case', scheme: 'light', width: 1100, height: 1000, at: '#cases' },
  { name: 'eval-report-narrow', scheme: 'dark', width: 400, height: 1100, at: '#cases' },
] as const;

const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-shots-'));
const browser = await openBrowser(folder);
if (!browser) {
  process.stdout.write('not run: there is no Chromium here\n');
  rmSync(folder, { recursive: true, force: true });
} else {
  const file = path.join(folder, 'report.html');
  try {
    mkdirSync(images, { recursive: true });
    writeFileSync(file, renderHtml(await sampleReport()));
    for (const { name, scheme, width, height, at } of SHOTS) {
      const { page } = await openPage(browser, pathToFileURL(file).href, scheme, width);
      await page.setViewportSize({ width, height });
      await page.locator(at).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      const target = path.join(images, `${name}.png`);
      const { length } = await page.screenshot({ path: target });
      process.stdout.write(`docs/images/${name}.png ${Math.round(length / 1024)} KB\n`);
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
