// Takes the pictures that people look at: light and dark, small and large lattices, laptop and projector.
// `npm run screenshots -- FOLDER`; the first of them is docs/negotiate.png.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eleven } from './huge.mjs';
import { patients } from './patients.mjs';
import { EIGHT, entry, launch, open, serve, settled, SIX, still, THREE, visitor } from './haggle.mjs';

const folder = process.argv[2] ?? 'screenshots';
/** Only those that are named, if any is. */
const wanted = process.argv.slice(3);
const RELAXED = THREE.replace('limit=321', 'limit=32');
const PHONE = { width: 390, height: 844 };
const PROJECTOR = { width: 1920, height: 1080 };
const SHOTS = [
  ['negotiate', RELAXED, {}],
  ['negotiate-dark', RELAXED, { colorScheme: 'dark' }],
  ['exact', THREE, {}],
  ['six', `${SIX}&pin=1,2,1,1,1,1`, {}],
  ['six-dark', SIX, { colorScheme: 'dark' }],
  ['eight-projector', EIGHT, { viewport: PROJECTOR }],
  ['eight-projector-dark', EIGHT, { viewport: PROJECTOR, colorScheme: 'dark' }],
  ['trade-offs', `${THREE}&tab=trade-offs`, {}],
  ['trade-offs-six-dark', `${SIX}&tab=trade-offs`, { colorScheme: 'dark', viewport: PROJECTOR }],
  ['instant', `${SIX.replace(/&levels=[^&]*/, '')}&instant=on`, {}],
  ['instant-dark', `${SIX.replace(/&levels=[^&]*/, '')}&instant=on`, { colorScheme: 'dark' }],
  ['explore', `${THREE}&tab=explore&short=1,1,0;2,1,1`, {}],
  ['explore-dark', `${THREE}&tab=explore&short=1,1,0;2,1,1`, { colorScheme: 'dark' }],
  ['explore-phone', `${THREE}&tab=explore`, { viewport: { width: 390, height: 844 } }],
  ['data', `${THREE}&tab=data`, {}],
  ['data-dark', `${THREE}&tab=data`, { colorScheme: 'dark' }],
  ['review', `${THREE}&tab=review`, { calculate: true }],
  ['review-dark', `${THREE}&tab=review`, { calculate: true, colorScheme: 'dark' }],
  ['review-narrow', `${THREE}&tab=review`, { calculate: true, viewport: { width: 390, height: 2600 } }],
  ['publish', `${THREE}&tab=publish`, {}],
  ['publish-dark', `${SIX.replace(/&levels=[^&]*/, '')}&tab=publish`, { colorScheme: 'dark' }],
  ['usual', '', { finer: true }],
  ['chosen', `${THREE}&pin=2,1,1`, {}],
  ['phone', RELAXED, { viewport: PHONE }],
  ['phone-dark', THREE, { viewport: PHONE, colorScheme: 'dark' }],
  ['phone-trade-offs', `${THREE}&tab=trade-offs`, { viewport: PHONE }],
  ['phone-publish', `${THREE}&tab=publish`, { viewport: PHONE }],
  ['small-laptop', RELAXED, { viewport: { width: 1024, height: 768 } }],
  ['forced-colours', `${RELAXED}&pin=2,1,1`, { forcedColors: 'active' }],
  ['tour', THREE, { tour: true }],
];

/** One move to and fro, so that the time shown is that of a move and not that of loading. */
async function warm(page) {
  await page.locator('[data-offer]').first().waitFor();
  await page.locator('input[type=range]').first().focus();
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    await page.keyboard.press(key);
    await settled(page);
  }
  await page.evaluate(() => document.activeElement.blur());
}

/** Calculates whatever a button calculates. */
async function calculateAll(page) {
  const next = page.getByRole('button', { name: 'Calculate', exact: true });
  while (await next.count()) {
    await next.first().click();
    await settled(page);
  }
}

/** The front of a large lattice. */
async function searchFront(page) {
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  await page.getByRole('button', { name: 'Search the front' }).click();
  await page.locator('[data-figure=front] circle').first().waitFor();
}

/** A table that is being set up, with one of its columns. */
async function setUp(page, column) {
  await page.getByLabel('File with a table').setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(patients()) });
  await page.locator(`[data-column="${column}"]`).click();
  await page.waitForFunction(() => document.querySelector('.planner') && !document.querySelector('[aria-busy=true]'));
}

/** Opening that does not end, and what is there after Cancel. */
async function waitToOpen(page, address, { cancel }) {
  await page.route('**/api/build', () => {});
  await page.goto(address);
  await page.locator('[data-seconds]').waitFor();
  if (!cancel) return;
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).waitFor();
}

const DARK = { colorScheme: 'dark' };
const ON_PHONE = { viewport: PHONE };
/** States that take more than an address. */
const STATES = [
  ...[['', {}], ['-dark', DARK], ['-phone', ON_PHONE]].flatMap(([suffix, options]) => [
    [`large${suffix}`, 'large', options, async (page, server) => open(page, server.address)],
    [`large-front${suffix}`, 'large', options, async (page, server) => (await open(page, server.address), await searchFront(page))],
    [`large-explore${suffix}`, 'large', options, async (page, server) => (await open(page, server.address), await page.getByRole('tab', { name: 'Explore' }).click())],
    [`set-up-open${suffix}`, 'demo', options, async (page, server) => (await page.goto(`${await entry(server.origin)}#setup`), await page.getByLabel('File with a table').waitFor())],
    [`set-up${suffix}`, 'demo', options, async (page, server) => (await page.goto(`${await entry(server.origin)}#setup`), await setUp(page, 'age'))],
    [`opening${suffix}`, 'demo', options, async (page, server) => waitToOpen(page, await entry(server.origin), { cancel: false })],
    [`cancelled${suffix}`, 'demo', options, async (page, server) => waitToOpen(page, await entry(server.origin), { cancel: true })],
    [`problems${suffix}`, 'broken', options, async (page, server) => (await page.goto(await entry(server.origin)), await page.getByRole('alert').waitFor())],
  ]),
];

/** A project with problems. */
function broken() {
  const place = mkdtempSync(join(tmpdir(), 'haggle-broken-'));
  writeFileSync(join(place, 'people.csv'), 'age,sex\n30,f\n');
  writeFileSync(join(place, 'haggle.toml'), '[data]\npath = "people.csv"\n\n[[attribute]]\nname = "age"\nrule = "quasi-identifier"\n\n[request]\nk = "many"\n');
  return place;
}

const SERVERS = { demo: () => ['demo'], large: () => ['serve', eleven()], broken: () => ['serve', broken()] };
const isWanted = ([name]) => !wanted.length || wanted.includes(name);

async function takeState([name, , options, reach], server) {
  const { page, close } = await visitor(browser, { colorScheme: 'light', ...options });
  await reach(page, server);
  if (await page.locator('[role=tabpanel]').count()) await still(page);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await close();
  const call = async (path, method) => (await fetch(`${server.origin}${path}`, { method, headers: { authorization: `Bearer ${server.token}` } })).json();
  for (const { id } of (await call('/api/setup', 'GET')).tables) await call(`/api/setup/${id}/discard`, 'POST');
}

mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([serve(), launch()]);
for (const [name, state, { calculate = false, finer = false, ...options }] of SHOTS.filter(isWanted)) {
  const { page, close } = await visitor(browser, { colorScheme: 'light', ...options });
  await open(page, server.address, state);
  if (!state.includes('tab=') && !options.tour) await warm(page);
  if (calculate) await calculateAll(page);
  if (finer) await page.locator('[data-finer]').waitFor();
  await still(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
await server.stop();
for (const [kind, command] of Object.entries(SERVERS)) {
  const states = STATES.filter((state) => state[1] === kind && isWanted(state));
  if (!states.length) continue;
  const own = await serve(command());
  for (const state of states) await takeState(state, own);
  await own.stop();
}
await browser.close();
