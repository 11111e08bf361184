// Instant answers: predicted and marked as such, then counted; nothing is published on a prediction.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, offers, open, serve, settled, SIX, THREE, visitor } from './haggle.mjs';

const ANY_LEVEL = SIX.replace(/&levels=[^&]*/, '');

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Holds back the answer of a route until it is let go. */
async function holding(page, path) {
  let release;
  const free = new Promise((done) => (release = done));
  await page.route(`**${path}`, async (route) => {
    await free;
    await route.continue().catch(() => {});
  });
  return release;
}

test('predictions are shown at once, marked, and firmed up by counting', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, ANY_LEVEL);
  const release = await holding(page, '/api/instant');
  await page.getByRole('switch', { name: 'Fast estimate, then verify' }).check();

  const predicted = page.locator('[data-offer=predicted]');
  await predicted.getByText('predicted', { exact: true }).waitFor();
  assert.match(await predicted.textContent(), /about [\d,]+ of at most 321 suppressed; none at all with confidence .*%/);
  assert.equal(await predicted.getByRole('button', { name: 'Publish…' }).count(), 0, 'nothing is published on a prediction');
  await page.getByRole('figure', { name: /records suppressed, as predicted/ }).waitFor();

  release();
  await settled(page);
  const counted = page.locator('[data-offer=counted]');
  await counted.getByText('exact, counted', { exact: true }).waitFor();
  assert.match(await counted.textContent(), /Counted by \d+ scan/);
  const [offer] = await offers(page);
  assert.ok(offer.suppressed <= 321);

  const { scheme } = offer;
  await counted.getByRole('button', { name: 'Publish…' }).click();
  await settled(page);
  await page.getByText(`Scheme ${scheme} suppresses ${offer.suppressed.toLocaleString('en-GB')} of`).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.locator('[data-published]').getByText(/Proved from the written file: k = \d+/).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('a scheme that was only predicted is counted before it can be published', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&instant=on&pin=2,1,1&tab=publish`);
  await page.getByText('nothing is published on a prediction alone').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled());
  await page.getByRole('button', { name: 'Count it' }).click();
  await page.getByText('suppresses 55 of 30,162 records').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled());
  await close();
});

test('what cannot be predicted is answered exactly, with the reason', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE.replace('k-anonymity,k:10', 't-closeness,t:0.3')}&instant=on`);
  await page.getByText('Answered exactly instead: t-closeness cannot be predicted from a summary').waitFor();
  assert.ok((await offers(page)).length > 0);
  await page.getByRole('switch', { name: 'Fast estimate, then verify' }).uncheck();
  await settled(page);
  assert.equal(await page.locator('[data-unpredictable]').count(), 0);
  await close();
});

test('where nothing within the coarsest levels allowed will do, what lies beyond them is counted', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${SIX}&instant=on`);
  await page.getByText('Only beyond the coarsest levels allowed.').waitFor();
  const beyond = page.locator('[data-offer=height]');
  assert.match(await beyond.textContent(), /Scheme \[[\d,]+\] was counted: it suppresses [\d,]+/);
  await page.getByRole('switch', { name: 'Fast estimate, then verify' }).uncheck();
  assert.ok((await offers(page)).length > 3, 'what could give');
  await close();
});
