// The linked views of schemes, and the selected one in depth; figures are counted here from the table itself.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { groups, hierarchy, records, suppressed } from './census.mjs';
import { addressOf, haggle, launch, open, problems, serve, settled, still, THREE, tooWide, visitor } from './haggle.mjs';

let server, browser;
const table = records();
const hierarchies = Object.fromEntries(['age', 'race', 'workclass'].map((name) => [name, hierarchy('adult', name)]));
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const EXPLORE = `${THREE}&tab=explore`;
const number = (text) => Number(text.replace(/[^\d.]/g, ''));
const rows = (page) => page.locator('[aria-label="List of schemes"] tbody tr');
const listed = (page) => rows(page).evaluateAll((all) => all.map((row) => ({ scheme: row.dataset.scheme, cells: [...row.querySelectorAll('td')].map((cell) => cell.firstChild.textContent.trim()) })));
const panel = (page, name) => page.getByRole('region', { name, exact: true });

test('the list has the published figures, whatever it is sorted by', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, 'qi=age,race,workclass&privacy=k-anonymity,k:3&limit=0&tab=explore');
  await page.getByLabel('Show', { exact: true }).selectOption('all');
  await page.getByRole('button', { name: 'Show 10 more' }).click();
  assert.equal((await listed(page)).length, 60);
  await page.locator('thead').getByRole('button', { name: /^Suppressed/ }).click();
  const least = new Map();
  for (const { cells } of await listed(page)) if (!least.has(cells[0])) least.set(cells[0], number(cells[1]));
  // Least suppression by height for k = 3, as published.
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((height) => least.get(String(height))), [554, 125, 28, 12, 4, 1, 0]);
  await page.locator('thead').getByRole('button', { name: /^Height/ }).click();
  const heights = (await listed(page)).map(({ cells }) => Number(cells[0]));
  assert.deepEqual(heights, [...heights].sort((a, b) => a - b));
  await page.locator('thead').getByRole('button', { name: /^Height/ }).click();
  assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'Height ↓');
  assert.deepEqual(complaints, []);
  await close();
});

test('the losses in the list are those of the command line', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, EXPLORE);
  const words = ['ask', 'demo:adult', '--qi', 'age,race,workclass', '--k', '10', '--only', '--levels', '2,1,1', '--max-suppressed', '321', '--optimize', 'lm', '--top', '100', '--json'];
  const answer = JSON.parse(haggle(...words).stdout);
  const expected = [answer.exact, ...answer.runners_up].map((one) => [one.scheme.join(','), Number(one.loss.lm).toPrecision(3)]);
  const shown = (await listed(page)).map(({ scheme, cells }) => [scheme, Number(cells[2]).toPrecision(3)]);
  assert.deepEqual(shown, expected);
  await close();
});

test('one selection in lattice, scatter, list and histograms', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, EXPLORE);
  const scatter = page.getByRole('application', { name: /^Loss against suppressed/ });
  assert.equal(await scatter.getAttribute('data-points'), '60');
  await rows(page).filter({ hasText: '[1,1,0]' }).hover();
  await page.locator('.details').getByText('[1,1,0]').waitFor();
  await page.getByText('Scheme [1,1,0], height 2: loses').waitFor();
  await page.getByRole('button', { name: 'Pin [2,0,1]' }).click();
  await settled(page);
  assert.match(await addressOf(page), /pin=2,0,1/);
  await page.getByText('Below: scheme [2,0,1], which you pinned').waitFor();
  // From the scatter by keyboard: the next scheme that no other beats in both.
  await scatter.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const said = await page.locator('[aria-label=Scatter] [aria-live]').textContent();
  const scheme = /\[([\d,]+)\]/.exec(said)[1];
  await page.keyboard.press('Enter');
  await settled(page);
  await page.getByText(`Below: scheme [${scheme}], which you pinned`).waitFor();
  const published = new Set(groups(table, { age: hierarchies.age }, [Number(scheme[0])]).keys());
  assert.match(await page.locator('[data-histogram=age] h4').textContent(), new RegExp(`→ ${published.size} value`));
  // The same selection under Trade-offs, next to the front.
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  await settled(page);
  await page.locator('[data-histogram=age]').waitFor();
  await page.locator('.details').getByText(`[${scheme}]`).waitFor();
  await close();
});

test('why: which records are suppressed, and which level would save most', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE.replace('limit=321', 'limit=32')}&tab=explore&pin=1,0,0`);
  const lost = (scheme) => suppressed(table, hierarchies, scheme, 10).length;
  const why = panel(page, 'Why');
  assert.equal(number((await why.locator('[data-suppressed]').textContent()).split(' record')[0]), lost([1, 0, 0]));
  const coarser = [[2, 0, 0], [1, 1, 0], [1, 0, 1]].map((scheme) => [scheme, lost(scheme)]).sort((a, b) => a[1] - b[1]);
  const [scheme, left] = coarser[0];
  const name = ['age', 'race', 'workclass'][scheme.findIndex((level, i) => level !== [1, 0, 0][i])];
  const best = await why.locator('[data-best]').textContent();
  assert.match(best, new RegExp(`Making ${name} one level coarser would save most: ${lost([1, 0, 0]) - left} records`));
  await why.locator('[data-best]').getByRole('button').click();
  await settled(page);
  assert.match(await addressOf(page), new RegExp(`pin=${scheme.join(',')}`));
  await close();
});

test('whose records are suppressed: suppression by subgroup and in cross-tables, as counted by hand', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${EXPLORE}&pin=1,1,0`);
  const gone = suppressed(table, hierarchies, [1, 1, 0], 10);
  const counts = (all, name) => all.reduce((sums, record) => sums.set(record[name], (sums.get(record[name]) ?? 0) + 1), new Map());
  const subgroups = panel(page, 'Suppression by subgroup');
  for (const name of ['race', 'hours-per-week']) {
    await subgroups.getByLabel('By', { exact: true }).selectOption(name);
    await settled(page);
    const [all, lost] = [counts(table, name), counts(gone, name)];
    const shown = await subgroups.locator('tbody tr').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
    assert.ok(shown.length > 4);
    for (const [value, suppressedOf, of] of shown) assert.deepEqual([number(suppressedOf), number(of)], [lost.get(value) ?? 0, all.get(value)], `${name} ${value}`);
  }
  await subgroups.getByText('Confidential: do not share').waitFor();

  const cross = panel(page, 'Cross-table');
  await cross.getByLabel('Rows').selectOption('age');
  await cross.getByLabel('Columns').selectOption('race');
  await settled(page);
  const cell = cross.locator('tbody tr').first().locator('td').first();
  const head = await cross.locator('thead th').nth(1).textContent();
  const side = await cross.locator('tbody th').first().textContent();
  const inCell = (record) => hierarchies.age.get(record.age)[1] === side && hierarchies.race.get(record.race)[1] === head;
  const before = table.filter(inCell).length;
  assert.equal(number((await cell.textContent()).split('of')[0]), before - gone.filter(inCell).length);
  await close();
});

test('weights change the answer to what matters', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, 'qi=age,race,workclass&privacy=k-anonymity,k:10&limit=321&optimize=lm&tab=explore');
  const chosen = () => page.locator('[data-about-scheme] .scheme').textContent();
  const weights = panel(page, 'Weights');
  await weights.getByLabel('age').fill('9');
  await weights.getByLabel('age').press('Enter');
  await settled(page);
  assert.match(await addressOf(page), /optimize=lm%3Aage%3D9/);
  const words = ['ask', 'demo:adult', '--qi', 'age,race,workclass', '--k', '10', '--only', '--max-suppressed', '321', '--optimize', 'lm:age=9', '--json'];
  assert.equal(await chosen(), `[${JSON.parse(haggle(...words).stdout).exact.scheme.join(',')}]`);
  await weights.getByRole('button', { name: 'All the same' }).click();
  await settled(page);
  assert.match(await addressOf(page), /optimize=lm(&|$)/);
  await close();
});

test('a shortlist side by side, kept in the address', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, EXPLORE);
  await page.getByLabel('Shortlist [1,1,0]').check();
  await page.getByLabel('Shortlist [2,1,1]').check();
  await settled(page);
  const shortlist = panel(page, 'Shortlist');
  const cells = () => shortlist.locator('tbody tr').first().locator('td').evaluateAll((all) => all.map((cell) => cell.firstChild.textContent.trim()));
  const expected = [[1, 1, 0], [2, 1, 1]].map((scheme) => String(suppressed(table, hierarchies, scheme, 10).length));
  assert.deepEqual(await cells(), expected);
  await page.reload();
  await settled(page);
  assert.deepEqual(await cells(), expected);
  await shortlist.getByRole('button', { name: 'Take [1,1,0] off the shortlist' }).click();
  await settled(page);
  assert.deepEqual(await cells(), expected.slice(1));
  assert.match(await addressOf(page), /short=2,1,1/);
  await close();
});

test('query and model utility are one click away', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, EXPLORE);
  await page.getByRole('button', { name: 'Ask a query…' }).click();
  await panel(page, 'Query').waitFor();
  await page.getByRole('tab', { name: 'Explore' }).click();
  await page.getByRole('button', { name: 'Models and rules…' }).click();
  await panel(page, 'Utility').waitFor();
  await close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`explore is accessible, ${colorScheme}`, async () => {
    const { page, close } = await visitor(browser, { colorScheme });
    await open(page, server.address, `${THREE.replace('limit=321', 'limit=32')}&pin=2,1,1&short=1,1,0;2,1,1&tab=explore`);
    await page.locator('[data-histogram=workclass] svg').waitFor();
    await still(page);
    assert.deepEqual(await problems(page), []);
    await close();
  });
}

test('explore fits a narrow window', async () => {
  const { page, close } = await visitor(browser, { viewport: { width: 390, height: 800 } });
  await open(page, server.address, `${EXPLORE}&short=1,1,0;2,1,1`);
  await page.locator('[data-histogram=workclass] svg').waitFor();
  await still(page);
  assert.equal(await tooWide(page), 0, 'pixels too wide');
  await close();
});
