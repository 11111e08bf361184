// Takes the pictures that people look at: light and dark, small and large lattices, laptop and projector.
// `npm run screenshots -- FOLDER`; the first of them is docs/negotiate.png.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EIGHT, launch, open, serve, settled, SIX, still, THREE, visitor } from './haggle.mjs';

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

mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([serve(), launch()]);
for (const [name, state, { calculate = false, finer = false, ...options }] of SHOTS.filter(([name]) => !wanted.length || wanted.includes(name))) {
  const { page, close } = await visitor(browser, { colorScheme: 'light', ...options });
  await open(page, server.address, state);
  if (!state.includes('tab=') && !options.tour) await warm(page);
  if (calculate) await calculateAll(page);
  if (finer) await page.locator('[data-finer]').waitFor();
  await still(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
await browser.close();
await server.stop();
