// The Publish tab: preview, publishing with proof, downloads that verify.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { haggle, launch, open, serve, settled, SIX, THREE, visitor } from './haggle.mjs';

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haggle-'));
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

async function download(page, what) {
  const [got] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-download=${what}]`).click()]);
  const path = join(folder, got.suggestedFilename());
  await got.saveAs(path);
  return path;
}

test('the preview shows rows, distributions and losses', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  const rows = page.getByRole('region', { name: 'First rows of the table' }).locator('tbody tr');
  await rows.first().waitFor();
  assert.ok((await rows.count()) >= 10);
  const after = page.getByRole('region', { name: 'Before and after' });
  await after.getByRole('heading', { name: /^race/ }).waitFor();
  await after.getByText('Non-white').first().waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('the preview shows what the choice for suppressed records would publish', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  const workclass = page.getByRole('region', { name: 'Before and after' });
  await preview.getByText('170 suppressed records left out.').waitFor();
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/api/preview')),
    page.getByLabel('Suppressed records').selectOption('star'),
  ]);
  assert.equal(asked.postDataJSON().suppress, 'star');
  await preview.getByText('170 suppressed records with * in every negotiated attribute.').waitFor();
  await workclass.getByText('170', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const done = page.locator('[data-published]');
  await done.getByText('170 records with * throughout').waitFor();
  const rows = readFileSync(await download(page, 'data'), 'utf8').trimEnd().split('\n').map(fields);
  const places = NAMES.map((name) => rows[0].indexOf(name));
  assert.equal(rows.filter((row) => places.every((place) => row[place] === '*')).length, 170);
  assert.deepEqual(complaints, []);
  await close();
});

test('what is published and downloaded verifies', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const done = page.locator('[data-published]');
  await done.getByText('Proved from the written file: k = 10').waitFor();
  await done.getByText('29,992 records published, 170 records suppressed').waitFor();
  const data = await download(page, 'data');
  const manifest = await download(page, 'manifest');
  await download(page, 'mapping');
  assert.equal(JSON.parse(readFileSync(manifest, 'utf8')).guarantees['k-anonymity'], 10);
  const verified = haggle('verify', data, '--qi', 'age,race,workclass', '--k', '10');
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  assert.equal(haggle('verify', data, '--qi', 'age,race,workclass', '--k', '11').status, 1);
  assert.deepEqual(complaints, []);
  await close();
});

/** The sizes of the groups of a CSV file by the text of some columns, from its bytes alone. */
function groups(file, names) {
  const records = readFileSync(file, 'utf8').trimEnd().split('\n').map(fields);
  const places = names.map((name) => records[0].indexOf(name));
  const sizes = new Map();
  for (const record of records.slice(1)) {
    const look = JSON.stringify(places.map((place) => record[place]));
    sizes.set(look, (sizes.get(look) ?? 0) + 1);
  }
  return [...sizes.values()];
}

/** The fields of a line; those that hold a comma stand in quotes. */
const fields = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);

const NAMES = ['age', 'race', 'workclass'];
const panelOf = (page) => page.getByRole('region', { name: 'Compare strategies' });
const rowOf = (page, strategy) => panelOf(page).getByRole('row').filter({ has: page.getByRole('cell', { name: strategy, exact: true }) });

test('what other strategies found is previewed, published and proved', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  await panelOf(page).getByRole('button', { name: 'Compare' }).click();
  for (const [strategy, changed] of [['mondrian', /\d–\d/], ['refined', /\d-\d/], ['top-down-specialization', /./]]) {
    await page.getByRole('tab', { name: 'Trade-offs' }).click();
    const row = rowOf(page, strategy);
    await row.getByText(/^yes/).waitFor();
    const suppressed = (await row.getByRole('cell').nth(5).textContent()).trim();
    await row.getByRole('button', { name: /^Publish/ }).click();
    const what = page.getByRole('region', { name: 'What is published' });
    await what.getByText(`suppresses ${suppressed} of 30,162 records`).waitFor();
    const rows = page.getByRole('region', { name: 'First rows of the table' }).locator('tbody tr');
    await rows.locator('b').filter({ hasText: changed }).first().waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const done = page.locator('[data-published]');
    await done.getByText(`${suppressed} record`).first().waitFor();
    const k = Number(/k = (\d+)/.exec(await done.textContent())[1]);
    const data = await download(page, 'data');
    const sizes = groups(data, NAMES);
    assert.equal(Math.min(...sizes), k, `${strategy}: the promise that was reported is the one of the file`);
    assert.ok(k >= 10);
    assert.equal(sizes.reduce((a, b) => a + b) + Number(suppressed.replaceAll(',', '')), 30_162);
    const told = JSON.parse(readFileSync(await download(page, 'manifest'), 'utf8'));
    assert.equal(told.recoding.kind, { mondrian: 'boxes', refined: 'parts', 'top-down-specialization': 'cuts' }[strategy]);
    const verified = haggle('verify', data, '--qi', NAMES.join(','), '--k', '10');
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  }
  // Back to the scheme that was negotiated.
  await page.getByRole('button', { name: 'Publish scheme [1,1,0] instead' }).click();
  await page.getByRole('region', { name: 'What is published' }).getByText('suppresses 170 of').waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('what was chosen to be published and what is reviewed are told apart', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  await panelOf(page).getByRole('button', { name: 'Compare' }).click();
  await rowOf(page, 'mondrian').getByRole('button', { name: /^Publish/ }).click();
  await page.getByRole('tab', { name: 'Review' }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('You chose to publish what Mondrian, best split found.').waitFor();
  await report.getByText('Scheme [1,1,0], the best match, suppresses 170 of').waitFor();
  await report.getByRole('button', { name: 'Publish the scheme instead' }).click();
  assert.equal(await report.locator('[data-not-reviewed]').count(), 0);
  await close();
});

test('a promise about a sensitive column names it, and a hidden column is called hidden', async () => {
  const { page, close } = await visitor(browser);
  const state = THREE.replace('k:10', 'k:10&privacy=distinct-l-diversity,l:2,on:hours-per-week').replace('levels=age:2,race:1,workclass:1&', '');
  await open(page, server.address, `${state}&pin=4,0,1&tab=publish`);
  await page.locator('[data-promise]').getByText('k = 10, l = 2 on hours-per-week over age, race, workclass').waitFor();
  await page.locator('[data-column=age]').getByText('hidden').waitFor();
  await close();
});

test('what was compared for another request is not published', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  await panelOf(page).getByRole('button', { name: 'Compare' }).click();
  await rowOf(page, 'mondrian').getByRole('button', { name: /^Publish/ }).click();
  await page.getByText('What Mondrian, best split found').waitFor();
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await page.getByRole('spinbutton', { name: /k/ }).first().fill('11');
  await settled(page);
  await page.getByRole('tab', { name: 'Publish' }).click();
  await settled(page);
  assert.equal(await page.getByText('What Mondrian, best split found').count(), 0, 'the scheme is published again');
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  await panelOf(page).getByText('found for another request').waitFor();
  assert.ok(await rowOf(page, 'mondrian').getByRole('button', { name: /^Publish/ }).isDisabled());
  assert.deepEqual(complaints, []);
  await close();
});

test('a comparison shows its progress and can be cancelled', async () => {
  const { page, complaints, close } = await visitor(browser);
  // Without maximum levels, so that strategies have something to search.
  await open(page, server.address, `${SIX.replace(/&levels=[^&]*/, '')}&tab=trade-offs`);
  await panelOf(page).getByRole('button', { name: 'Compare' }).click();
  const waiting = panelOf(page).getByRole('group', { name: 'Other methods' });
  await waiting.getByText(/comparing \([\w-]+\) \d+ of 1\d/).waitFor();
  await waiting.locator('[data-seconds]').waitFor();
  await waiting.getByRole('button', { name: 'Cancel' }).click();
  await panelOf(page).getByRole('button', { name: 'Compare', exact: true }).waitFor();
  assert.equal(await panelOf(page).getByRole('table').count(), 0);
  await settled(page);
  assert.deepEqual(complaints, []);
  await close();
});

test('what is refused is said, and nothing is published', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  await panelOf(page).getByRole('button', { name: 'Compare' }).click();
  await rowOf(page, 'mondrian').getByRole('button', { name: /^Publish/ }).click();
  // As if the server had been started anew, on other data: what it finds is not what was compared.
  await page.route('**/api/publish', (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), result: '0123456789abcdef' }) }));
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('alert').getByText('compare again').waitFor();
  assert.equal(await page.locator('[data-published]').count(), 0);
  await close();
});

test('a scheme that does not meet the request is not published', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&pin=0,0,0&tab=publish`);
  await page.getByText('The pinned scheme does not meet the request').waitFor();
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  assert.ok(await publish.isDisabled());
  await page.getByRole('button', { name: 'Use the best match instead' }).click();
  await page.getByRole('region', { name: 'What is published' }).getByText('Scheme [1,1,0] suppresses 170 of').waitFor();
  await settled(page);
  assert.ok(await publish.isEnabled());
  await page.goto('about:blank');
  await open(page, server.address, `${THREE.replace('limit=321', 'limit=32')}&pin=0,0,0&tab=publish`);
  await page.getByText('Accept one of the offers under Negotiate').waitFor();
  await close();
});

test('every column is listed before publishing, and a tick keeps one as recorded', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  const columns = page.getByRole('region', { name: 'What becomes of every column' });
  const rowOf = (name) => columns.locator(`[data-column="${name}"]`);
  await rowOf('fnlwgt').getByText('dropped').waitFor();
  await rowOf('fnlwgt').getByText('14,345').waitFor();
  await rowOf('age').getByText('generalized').waitFor();
  await rowOf('workclass').getByText('as recorded').waitFor();
  await rowOf('hours-per-week').getByText('unchanged').waitFor();
  await rowOf('sex').getByText('this request does not negotiate').waitFor();
  assert.equal(await rowOf('age').getByRole('checkbox').count(), 0);
  await columns.getByRole('checkbox', { name: 'Keep sex as recorded' }).check();
  await rowOf('sex').getByText('unchanged').waitFor();
  await settled(page);
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await settled(page);
  await page.getByRole('tab', { name: 'Publish', exact: true }).click();
  await rowOf('sex').getByText('unchanged').waitFor(); // the tick is kept
  await settled(page);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const done = page.locator('[data-published]');
  await done.getByText('over age, race, workclass').waitFor();
  await done.getByText('As recorded, because you named them: sex.').waitFor();
  const header = readFileSync(await download(page, 'data'), 'utf8').split('\n')[0].split(',');
  assert.ok(header.includes('sex') && !header.includes('fnlwgt') && !header.includes('native-country'), header.join());
  assert.deepEqual(complaints, []);
  await close();
});
