// 311,040 schemes: too many to be annotated beforehand, so the page looks at those around the answer.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync, rmSync } from 'node:fs';
import { hierarchy, intervals, records, suppressed } from './census.mjs';
import { eleven, HUGE_NAMES } from './huge.mjs';
import { addressOf, haggle, launch, offers, open, problems, serve, settled, still, tooWide, visitor } from './haggle.mjs';

let server, browser, folder;
const table = records();
const hierarchies = Object.fromEntries([
  ...HUGE_NAMES.slice(0, 9).map((name) => [name, hierarchy('adult-9', name)]),
  ['education-num', intervals([2, 4])],
  ['hours-per-week', intervals([5, 10, 20, 40])],
]);
before(async () => {
  folder = eleven();
  [server, browser] = await Promise.all([serve(['serve', folder]), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const lost = (scheme) => suppressed(table, hierarchies, scheme, 5).length;
const schemeOf = (text) => /\[([\d,]+)\]/.exec(text)[1].split(',').map(Number);
const rows = (page) => page.locator('[aria-label="List of schemes"] tbody tr').evaluateAll((all) => all.map((row) => [row.dataset.scheme.split(',').map(Number), Number(row.querySelectorAll('td')[1].firstChild.textContent.replaceAll(',', ''))]));

test('the answer is that of the command line, and its neighbourhood is counted right', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address);
  await page.getByText(/of 311,040 schemes, around the answer/).waitFor();
  const [card] = await offers(page);
  const answer = JSON.parse(haggle('ask', folder, '--optimize', 'lm', '--json').stdout);
  assert.deepEqual(schemeOf(card.text), answer.exact.scheme);
  assert.equal(card.suppressed, lost(answer.exact.scheme));

  await page.getByRole('tab', { name: 'Explore' }).click();
  await settled(page);
  await page.getByLabel('Show', { exact: true }).selectOption('all');
  const shown = await rows(page);
  const tops = [1, 4, 1, 2, 3, 2, 2, 2, 1, 3, 5];
  const steps = answer.exact.scheme.reduce((sum, level, i) => sum + Number(level > 0) + Number(level < tops[i]), 0);
  assert.equal(shown.length, 1 + steps);
  for (const [scheme, count] of shown.slice(0, 4)) assert.equal(count, lost(scheme), `[${scheme}]`);
  const why = page.getByRole('region', { name: 'Why', exact: true });
  assert.match(await why.locator('[data-suppressed]').textContent(), new RegExp(`^${card.suppressed.toLocaleString('en-GB')} records`));
  assert.deepEqual(complaints, []);
  await close();
});

test('pinning a scheme brings its own neighbourhood', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address);
  const many = async () => Number(/([\d,]+) of 311,040/.exec(await page.getByText(/of 311,040 schemes/).textContent())[1]);
  const before = await many();
  const canvas = page.getByRole('application', { name: /^Lattice/ });
  await canvas.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.ok((await many()) > before);
  assert.match(await addressOf(page), /pin=/);
  await close();
});

test('attributes are switched on and off at any time, small and large', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address);
  const switches = page.getByRole('group', { name: 'Negotiated attributes' });
  await switches.getByRole('button', { name: 'hours-per-week' }).click();
  await switches.getByRole('button', { name: 'education-num' }).click();
  await page.getByText('12,960 schemes of 9 attributes').waitFor();
  await settled(page);
  await switches.getByRole('button', { name: 'hours-per-week' }).click();
  await page.getByText(/of 77,760 schemes/).waitFor();
  await settled(page);
  assert.match(await addressOf(page), /hours-per-week/);
  await close();
});

test('a long answer shows its seconds and can be cancelled', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address);
  const before = await offers(page);
  let release;
  const held = new Promise((done) => (release = done));
  await page.route('**/api/ask', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.getByLabel('k of k-anonymity, exact').fill('6');
  await page.getByLabel('k of k-anonymity, exact').press('Enter');
  const wait = page.getByRole('group', { name: 'Looking for the best scheme' });
  await wait.locator('[data-seconds]').getByText(/^[1-9]\d* s$/).waitFor();
  await page.unroute('**/api/ask');
  await wait.getByRole('button', { name: 'Cancel' }).click();
  release();
  assert.deepEqual((await offers(page)).map(({ title }) => title), before.map(({ title }) => title));
  assert.equal(await page.getByLabel('k of k-anonymity, exact').inputValue(), '5');
  await close();
});

/** The points of the front as the chart reads them: threshold, loss, scheme, suppressed. */
async function frontPoints(page) {
  const figure = page.locator('[data-figure=front]');
  const many = await figure.locator('svg circle').count();
  await figure.locator('svg').focus();
  const points = [];
  for (let i = 0; i < many; i++) {
    await page.keyboard.press('ArrowRight');
    const [, k, loss, scheme, gone] = /k = ([\d,]+) costs lm ([\d.]+): scheme \[([\d,]+)\], ([\d,]+) suppressed/.exec(await figure.locator('.reading').textContent());
    points.push({ k: Number(k.replaceAll(',', '')), loss: Number(loss), scheme: scheme.split(',').map(Number), gone: Number(gone.replaceAll(',', '')) });
  }
  return points;
}

test('the front is searched threshold by threshold, and a point of it can be asked for', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address);
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  await page.getByRole('button', { name: 'Search the front' }).click();
  const figure = page.locator('[data-figure=front]');
  await figure.getByRole('group', { name: 'Searching the front' }).getByText(/thresholds \d+ of 1[67]/).waitFor();
  await figure.locator('svg circle').first().waitFor({ timeout: 600_000 }); // 17 searches
  const saved = (format) => Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: `as ${format}` }).click()]);
  const [numbers] = await saved('CSV');
  const rows = readFileSync(await numbers.path(), 'utf8').trim().split('\n');
  assert.match(rows[0], /^k,/);
  const [picture] = await saved('SVG');
  assert.match(readFileSync(await picture.path(), 'utf8'), /^<svg/);
  const points = await frontPoints(page);
  assert.deepEqual(rows.slice(1).map((row) => Number(row.split(',')[0])), points.map(({ k }) => k).reverse(), 'the saved numbers are those shown');
  assert.ok(points.length > 5, `${points.length} points`);
  for (const [i, { k, loss }] of points.slice(1).entries()) assert.ok(k > points[i].k && loss > points[i].loss, 'more privacy costs more');
  for (const { k, scheme, gone } of [points[0], points[5], points.at(-1)]) {
    assert.equal(gone, suppressed(table, hierarchies, scheme, k).length, `[${scheme}] at k = ${k}`);
    const answer = JSON.parse(haggle('ask', folder, '--k', String(k), '--optimize', 'lm', '--json').stdout);
    assert.deepEqual(scheme, answer.exact.scheme, `k = ${k}`);
  }
  await page.keyboard.press('Enter');
  await figure.getByRole('button', { name: `Ask for k = ${points.at(-1).k}` }).click();
  await settled(page);
  assert.match(await addressOf(page), new RegExp(`k-anonymity,k:${points.at(-1).k}&`));
  assert.deepEqual(complaints, []);
  await close();
});

test('searching the front can be cancelled', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address);
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  await settled(page);
  await page.route('**/api/pareto', () => {}); // never answered
  await page.getByRole('button', { name: 'Search the front' }).click();
  const wait = page.getByRole('group', { name: 'Searching the front' });
  await wait.locator('[data-seconds]').getByText(/^[1-9]\d* s$/).waitFor();
  await wait.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Search the front' }).waitFor();
  await settled(page);
  await close();
});

for (const tab of ['negotiate', 'trade-offs', 'explore', 'review']) {
  test(`${tab} of a large lattice is accessible`, async () => {
    const { page, close } = await visitor(browser);
    await open(page, server.address);
    await page.getByRole('tab', { name: new RegExp(`^${tab}$`, 'i') }).click();
    await still(page);
    assert.deepEqual(await problems(page), []);
    await page.setViewportSize({ width: 390, height: 800 });
    await still(page);
    assert.equal(await tooWide(page), 0, 'pixels too wide');
    await close();
  });
}
