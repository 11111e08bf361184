// The page in Firefox: from the demonstration to a publication. Firefox is driven through WebDriver BiDi.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { entry, haggle, serve } from './haggle.mjs';

/** As long as a busy machine may take, in milliseconds. */
const PATIENCE = 120_000;
const FIREFOX = process.env.FIREFOX ?? ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));

let server, browser, folder;
before(async () => {
  if (!FIREFOX) throw new Error('there is no Firefox; install firefox-esr, or name it in FIREFOX');
  folder = mkdtempSync(join(tmpdir(), 'haggle-firefox-'));
  const preferences = { 'browser.download.folderList': 2, 'browser.download.dir': folder, 'browser.download.useDownloadDir': true };
  const launch = puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox: preferences, defaultViewport: { width: 1280, height: 800 } });
  [server, browser] = await Promise.all([serve(), launch]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settled = (page) => page.waitForFunction(() => document.querySelector('[role=tabpanel]') && !document.querySelector('[aria-busy=true]'), { timeout: PATIENCE });
const shown = (page, text) => page.waitForFunction((text) => document.body.innerText.includes(text), { timeout: PATIENCE }, text);
const cards = (page) => page.$$eval('[data-offer]', (all) => all.map((card) => ({ id: card.dataset.offer, scheme: /\[[\d,]+\]/.exec(card.textContent)?.[0] })));

/** Clicks what has this role and name. */
async function click(page, role, name) {
  const found = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, { timeout: PATIENCE });
  await found.click();
}

/** The only file whose name ends so, once it is whole. */
async function downloaded(ending) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const names = readdirSync(folder);
    const found = names.find((name) => name.endsWith(ending));
    if (found && !names.some((name) => name.endsWith('.part')) && readFileSync(join(folder, found)).length) return join(folder, found);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no download ends in ${ending}: ${readdirSync(folder)}`);
}

test('a slider is moved, an offer accepted, and what is published verifies', async () => {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.evaluateOnNewDocument(() => location.protocol === 'http:' && localStorage.setItem('haggle-tour', 'seen'));
  const state = 'qi=age,race,workclass&privacy=k-anonymity,k:9&limit=32&levels=age:2,race:1,workclass:1&optimize=steps';
  await page.goto(`${await entry(server.origin)}#${state}`);
  await settled(page);

  const slider = await page.waitForSelector('input[type=range][aria-label="k of k-anonymity"]');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /k-anonymity,k:10&/.test(location.hash), { timeout: PATIENCE });
  await settled(page);
  await shown(page, 'Not possible as asked');

  const offered = (await cards(page)).find(({ id }) => id === 'suppression');
  const card = await page.$('[data-offer=suppression]');
  const accept = await card.$('::-p-text(Accept)');
  await accept.click();
  await settled(page);
  await shown(page, 'Possible. Best match:');
  const [best] = await cards(page);
  assert.equal(best.scheme, offered.scheme, 'accepting gives what the card shows');

  await click(page, 'tab', 'Publish');
  await settled(page);
  await click(page, 'button', 'Publish');
  await shown(page, 'Proved from the written file:');
  const headline = await page.$eval('[data-published] .proved', (one) => one.textContent);
  const [, proved] = /Proved from the written file: k = (\d+) over age, race, workclass/.exec(headline) ?? assert.fail(headline);
  assert.ok(Number(proved) >= 10, headline);
  await (await page.waitForSelector('[data-download=data]')).click();
  const file = await downloaded('.csv');
  const verified = haggle('verify', file, '--qi', 'age,race,workclass', '--k', proved);
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  assert.equal(haggle('verify', file, '--qi', 'age,race,workclass', '--k', String(Number(proved) + 1)).status, 1, 'the headline claims no less than there is');
  assert.deepEqual(complaints, []);
});
