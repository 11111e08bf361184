// The Trade-offs tab: three charts, linked to the lattice, each exported three ways.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, open, serve, settled, SIX, THREE, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const CHARTS = ['front', 'histogram', 'study'];

test('charts show points, and the one looked at is shown in the lattice', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  for (const chart of CHARTS) await page.locator(`[data-figure=${chart}] svg circle, [data-figure=${chart}] svg .line`).first().waitFor();
  await page.locator('[data-figure=histogram]').getByText('limit 321').waitFor();
  await page.locator('[data-figure=front] svg').focus();
  await page.keyboard.press('ArrowRight');
  const reading = await page.locator('[data-figure=front] .reading').textContent();
  const scheme = /\[[\d,]+\]/.exec(reading)[0];
  assert.equal(await page.locator('.details .scheme').textContent(), scheme, 'the lattice shows the same scheme');
  await page.keyboard.press('Enter');
  await page.locator('.details').getByText('pinned').waitFor();
  await page.locator('[data-figure=histogram]', { hasText: scheme }).waitFor();
  await page.getByLabel('Measure').selectOption('precision');
  await page.waitForURL(/measure=precision/);
  await page.locator('[data-figure=front]').getByText('precision', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('each chart exports as SVG, PNG and CSV', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  const begins = { SVG: /^<(\?xml|svg)/, PNG: /^.PNG/, CSV: /^[\w -]+,/ };
  for (const chart of CHARTS) {
    for (const [format, begin] of Object.entries(begins)) {
      const button = page.locator(`[data-figure=${chart}]`).getByRole('button', { name: new RegExp(`as ${format}$`) });
      const [got] = await Promise.all([page.waitForEvent('download'), button.click()]);
      assert.equal(got.suggestedFilename(), `${chart}.${format.toLowerCase()}`);
      assert.match(readFileSync(await got.path(), 'latin1'), begin);
    }
  }
  await close();
});

test('a front that takes long shows its progress and can be cancelled', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${SIX}&tab=trade-offs`);
  const front = page.locator('[data-figure=front]');
  await front.locator('circle').first().waitFor();
  await page.getByLabel('Measure').selectOption('noise-scanning');
  const preparing = front.getByRole('group', { name: 'Preparing the front' });
  await preparing.getByText(/weighing by noise-scanning [\d,]+ of 3,600/).waitFor();
  await preparing.getByRole('button', { name: 'Cancel' }).click();
  await settled(page);
  assert.equal(await page.getByLabel('Measure').inputValue(), 'lm');
  await front.locator('circle').first().waitFor();
  await page.getByLabel('Measure').selectOption('precision');
  await front.getByText('precision', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('other recodings are compared for the same request, each verified', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  await settled(page);
  const panel = page.getByRole('region', { name: 'Compare strategies' });
  await panel.getByRole('button', { name: 'Compare' }).click();
  const row = (strategy) => panel.getByRole('row').filter({ has: page.getByRole('cell', { name: strategy, exact: true }) });
  // Of the schemes under the caps, [1,0,1] loses least by LM and suppresses 257.
  await row('lattice').getByText('[1,0,1]').waitFor();
  await row('lattice').getByText('Age in 16 groups, workclass in five groups').waitFor();
  await row('lattice').getByText('257', { exact: true }).waitFor();
  for (const strategy of ['lattice', 'refined', 'mondrian', 'm-instant']) await row(strategy).getByText(/^yes/).waitFor();
  // What the data counted of its scans, and the losses by other measures.
  await row('m-instant').getByText(/^\d+ scans?$/).waitFor();
  for (const name of ['lm', 'discernibility', 'looked at']) await panel.getByRole('columnheader', { name, exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});
