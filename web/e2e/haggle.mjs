// Starts the real binary and a headless browser; what every browser test begins with.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../..');

/** The binary under test: as `HAGGLE` says, else what cargo built last in the usual place. */
export const BINARY = process.env.HAGGLE ?? firstThere(['target/release/haggle', 'target/debug/haggle'].map((path) => resolve(root, path)), 'haggle; run cargo build, or name it in HAGGLE');

const BROWSER = process.env.CHROMIUM ?? firstThere(['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'], 'Chromium; install it, or name it in CHROMIUM');

function firstThere(paths, what) {
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`there is no ${what}`);
  return found;
}

/** What servers remember from one run to the next, away from the user's own. */
const STATE = mkdtempSync(join(tmpdir(), 'haggle-e2e-'));
process.on('exit', () => rmSync(STATE, { recursive: true, force: true }));

/** The tokens of running servers, by origin. */
const tokens = new Map();

/** A running server and its address; `port` as the command line takes it. */
export async function serve(command = ['demo'], port = '0') {
  const env = { ...process.env, XDG_STATE_HOME: STATE };
  const words = [...command, '--no-open', '--json', ...(port ? ['--port', port] : [])];
  const child = spawn(BINARY, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const { origin, token } = await new Promise((done, failed) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('\n')) done(JSON.parse(said.split('\n')[0]));
    });
    child.stderr.on('data', (chunk) => process.stderr.write(chunk));
    child.on('exit', () => failed(new Error(`haggle ended at once: ${said}`)));
  });
  tokens.set(origin, token);
  const address = `${origin}/`;
  const stop = () =>
    new Promise((done) => {
      child.once('exit', done);
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    });
  return { address, origin, token, stop };
}

export const launch = (...args) => chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', ...args] });

/** Runs haggle to its end. */
export const haggle = (...words) => spawnSync(BINARY, words, { encoding: 'utf8' });

/** As long as a busy machine may take, in milliseconds. */
const PATIENCE = 120_000;

/** With SLOW set, every question reaches the server late, by a different while each. */
const delay = (context) =>
  context.route('**/api/**', async (route) => {
    await new Promise((done) => setTimeout(done, 300 + 400 * Math.random()));
    await route.continue().catch(() => {}); // the page gave it up meanwhile
  });

const LAPTOP = { width: 1280, height: 800 };

/**
 * A page of its own with nothing remembered; whatever the browser complains of, and every address
 * that it asks for, is kept. The tour counts as seen unless a test is about it.
 */
export async function visitor(browser, { tour = false, viewport = LAPTOP, ...options } = {}) {
  const context = await browser.newContext({ viewport, acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE);
  if (process.env.SLOW) await delay(context);
  if (!tour) await context.addInitScript(() => localStorage.setItem('haggle-tour', 'seen'));
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  return { page, complaints, requests, close: () => context.close() };
}

/** The published example: three attributes of the census table, and the order of answers that was published. */
export const THREE = 'qi=age,race,workclass&privacy=k-anonymity,k:10&limit=321&levels=age:2,race:1,workclass:1&optimize=steps';
export const SIX = 'qi=age,education,marital-status,occupation,race,workclass&privacy=k-anonymity,k:10&limit=321&levels=age:2,education:2,marital-status:2,occupation:1,race:1,workclass:2&optimize=steps';
export const EIGHT = `${SIX.replace('workclass&', 'workclass,sex,native-country&')}`;

/** An address that signs one browser in, once. */
export async function entry(origin) {
  const headers = { authorization: `Bearer ${tokens.get(origin)}` };
  const answer = await fetch(`${origin}/api/address`, { method: 'POST', headers });
  return (await answer.json()).address;
}

/** Opens the page at a state, signed in, and waits for its first answer. */
export async function open(page, address, state = '') {
  const { origin, port, hash } = new URL(state ? `${address}#${state}` : address);
  const cookies = await page.context().cookies(origin);
  const known = cookies.some((cookie) => cookie.name === `haggle-${port}`);
  await page.goto(known ? `${origin}/${hash}` : `${await entry(origin)}${hash}`);
  await settled(page);
}

/** Waits until what is shown belongs to what was asked: the page is there and no part of it is busy. */
export async function settled(page) {
  await page.locator('[role=tabpanel]').waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
}

/** The same, and nothing moves or fades any more. */
export async function still(page) {
  await settled(page);
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity));
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the accessibility rules of axe-core find. */
export async function problems(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  return violations.map((v) => `${v.id}: ${v.nodes.map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
}

/** The binary's standing offer to programs: its answers without a browser. */
export async function call(origin, path, body) {
  const headers = { authorization: `Bearer ${tokens.get(origin)}`, ...(body && { 'content-type': 'application/json' }) };
  return fetch(`${origin}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
}

/** By how many pixels the page is wider than the screen. */
export const tooWide = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

/** The address as the page has it; the browser's own may lag behind. */
export const addressOf = (page) => page.evaluate(() => location.href);

/** The cards on offer for the request as it stands: what gives, scheme, suppressed. */
export async function offers(page) {
  await settled(page);
  const cards = page.locator('[data-offer]:visible');
  return cards.evaluateAll((all) =>
    all.map((card) => {
      const cell = (i) => card.querySelectorAll('dd')[i]?.textContent.trim();
      return { id: card.dataset.offer, title: card.querySelector('h3').textContent.trim(), scheme: /\[[\d,]+\]/.exec(card.textContent)?.[0], suppressed: parseInt(cell(0).replaceAll(',', ''), 10), text: card.textContent };
    }),
  );
}

/** Waits until the page offers just what is expected. */
export async function until(page, ready, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const found = await offers(page);
    if (ready(found)) return found;
    await page.waitForTimeout(50);
  }
  throw new Error(`${what}; the page offers ${JSON.stringify((await offers(page)).map((o) => `${o.title}: ${o.suppressed}`))}`);
}
