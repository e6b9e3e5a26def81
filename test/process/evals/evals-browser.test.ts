// The HTML report in a real Chromium: light and dark, wide and narrow, by keyboard alone, without a network.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Language } from '../../../src/base/language.ts';
import { renderHtml } from '../../../src/evals/report/html.ts';
import { isTooWide, measureContrast, openBrowser, openPage } from '../../support/evals/evals-page.ts';
import { sampleReport } from '../../support/evals/evals-sample.ts';
import { temporaryFolder } from '../../support/support.ts';

async function openReport(t: TestContext, language: Language = 'en') {
  const browser = await openBrowser(temporaryFolder(t));
  if (!browser) {
    t.diagnostic('not run: there is no Chromium here');
    return undefined;
  }
  t.after(() => browser.close());
  const file = path.join(temporaryFolder(t), 'report.html');
  writeFileSync(file, renderHtml(await sampleReport(), language));
  return (scheme: 'light' | 'dark', width?: number) => openPage(browser, pathToFileURL(file).href, scheme, width);
}

test('the report is readable in light and dark, wide and narrow, and asks the network for nothing', async (t) => {
  for (const language of ['en', 'zh'] as const) {
    const open = await openReport(t, language);
    if (!open) return;
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [1100, 380]) {
        const { page, requests, errors } = await open(scheme, width);
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        const { looked, least, poor } = await measureContrast(page);
        t.diagnostic(`${language} ${scheme} ${width}: ${looked} texts, least contrast ${least.toFixed(2)}`);
        assert.ok(looked > 300);
        assert.deepEqual(poor, []);
        assert.equal(await isTooWide(page), false, `${scheme} ${width} scrolls to the side`);
        assert.deepEqual([requests, errors], [[], []]);
      }
    }
  }
});

test('the report is used by keyboard alone: filter, find the case, open its steps', async (t) => {
  const open = await openReport(t);
  if (!open) return;
  const { page } = await open('light');
  const shown = () => page.textContent('#shown');
  const focused = () =>
    page.evaluate<string | undefined>('document.activeElement?.closest("details")?.querySelector("b")?.textContent');
  assert.equal(await shown(), '18 / 18');
  await page.keyboard.press('/');
  await page.keyboard.type('smoke');
  assert.equal(await shown(), '1 / 18');
  for (let pressed = 0; pressed < 6 && (await focused()) !== 'converter/page'; pressed++)
    await page.keyboard.press('Tab');
  assert.equal(await focused(), 'converter/page');
  const steps = page.locator('details[data-case*="converter/page"] td', { hasText: 'run_script' }).first();
  assert.equal(await steps.isVisible(), false);
  await page.keyboard.press('Enter');
  assert.equal(await steps.isVisible(), true);
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await page.keyboard.type('failed');
  assert.equal(await shown(), '6 / 18');
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.equal(await shown(), '7 / 18');
  assert.match((await page.locator('.diff').first().textContent()) ?? '', /−.*load_skill:git-changelog/);
});
