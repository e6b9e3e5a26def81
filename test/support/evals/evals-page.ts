// The HTML report in a real browser: what it asks the network for, how well its text can be read, how wide it is.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { repository } from '../support.ts';

/** Undefined where this machine has no Chromium. */
/** `home` is where it keeps its settings and the reports of its crashes. */
export async function openBrowser(home: string): Promise<Browser | undefined> {
  const places = [
    process.env.CHROMIUM ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined) return undefined;
  const { chromium } = await import('playwright-core');
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  return await chromium.launch({ executablePath, args: ['--no-sandbox'], env });
}

export interface OpenPage {
  readonly page: Page;
  /** Everything it asked for beside itself. */
  readonly requests: readonly string[];
  /** Errors of its script and of its content policy. */
  readonly errors: readonly string[];
}

export async function openPage(
  browser: Browser,
  address: string,
  colorScheme: 'light' | 'dark',
  width = 1100,
): Promise<OpenPage> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  return { page, requests, errors };
}

export interface PoorText {
  readonly text: string;
  readonly ratio: number;
}

export interface Contrast {
  /** How many pieces of text were looked at. */
  readonly looked: number;
  readonly least: number;
  /** Below what WCAG AA asks of small text. */
  readonly poor: readonly PoorText[];
}

/** The contrast of every piece of text that is shown with what lies behind it. */
export async function measureContrast(page: Page): Promise<Contrast> {
  const script = path.join(repository, 'test', 'fixtures', 'evals', 'contrast.js');
  return await page.evaluate<Contrast>(readFileSync(script, 'utf8'));
}

/** Whether anything sticks out of the page to the side. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
