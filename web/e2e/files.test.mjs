// What outlives a click: the project's problems as its file changes, restarts, receipts, and the page's own files.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addressOf, entry, launch, open, problems, serve, settled, THREE, visitor } from './haggle.mjs';

let browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haggle-files-'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const FILE = () => join(folder, 'haggle.toml');
const PROJECT = `[data]
path = "people.csv"

[[attribute]]
name = "zip"
role = "quasi-identifier"
hierarchy = { prefix = [1, 2] }

[[attribute]]
name = "sex"
role = "quasi-identifier"

[[attribute]]
name = "illness"
role = "sensitive"

[request]
k = 2
max_suppressed = "20%"
`;

function write(text = PROJECT) {
  const rows = Array.from({ length: 120 }, (_, i) => `${12 + (i % 3)}${i % 10}4,${i % 2 ? 'f' : 'm'},${['flu', 'cold', 'gout'][i % 3]}`);
  writeFileSync(join(folder, 'people.csv'), `zip,sex,illness\n${rows.join('\n')}\n`);
  writeFileSync(FILE(), text);
}

test('opening shows its seconds, can be cancelled, and goes on with fewer attributes', async () => {
  write();
  const server = await serve(['serve', folder]);
  const { page, complaints, close } = await visitor(browser);
  try {
    await page.route('**/api/build', () => {}); // never answered
    await page.goto(`${await entry(server.origin)}#qi=zip&privacy=k-anonymity,k:3&limit=7`);
    const wait = page.getByRole('group', { name: 'Calculating all options' });
    await wait.locator('[data-seconds]').getByText(/^[1-9]\d* s$/).waitFor();
    await wait.getByRole('button', { name: 'Cancel' }).click();
    const cancelled = page.getByRole('region', { name: 'Opening was cancelled' });
    await cancelled.getByRole('link', { name: 'Open your own table' }).waitFor();
    assert.deepEqual(await problems(page), []);
    assert.equal(await cancelled.getByLabel('sex').isChecked(), false, 'what was being opened is ticked, and no more');
    await cancelled.getByLabel('zip').uncheck();
    assert.equal(await cancelled.getByRole('button', { name: 'Open', exact: true }).isDisabled(), true, 'nothing is chosen');
    await cancelled.getByLabel('zip').check();
    await page.unroute('**/api/build');
    await cancelled.getByRole('button', { name: 'Open', exact: true }).click();
    await settled(page);
    assert.match(await addressOf(page), /#qi=zip&privacy=k-anonymity,k:3&limit=7&/, 'the rest of the request stays');
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    await server.stop();
  }
});

test('every problem of a project is shown with its line, and the page goes on when they are solved', async () => {
  write(PROJECT.replace('role = "sensitive"', 'rule = "sensitive"').replace('k = 2', 'k = "many"'));
  const server = await serve(['serve', folder]);
  const { page, close } = await visitor(browser);
  try {
    await page.goto(await entry(server.origin));
    const problems = page.getByRole('alert', { name: 'Problems of the project' });
    await problems.waitFor();
    const text = await problems.textContent();
    const lines = PROJECT.split('\n');
    const line = (start) => lines.findIndex((one) => one.startsWith(start)) + 1;
    assert.match(text, new RegExp(`haggle\\.toml:${line('role = "sensitive"')}\\D`), 'the line of the unknown key');
    assert.match(text, new RegExp(`haggle\\.toml:${line('k = 2')}\\D`), 'the line of the wrong number');
    assert.match(text, /What to do/);
    write(PROJECT.replace('k = 2', 'k = "many"'));
    await problems.getByText('1 problem to solve first').waitFor();
    write();
    await page.getByRole('tab', { name: 'Negotiate', selected: true }).waitFor();
    await settled(page);
    assert.equal(await page.locator('[data-offer]').count() > 0, true);

    // It breaks while it is in use, and is repaired again.
    write(PROJECT.replace('"people.csv"', '"nobody.csv"'));
    await problems.getByText('nobody.csv').first().waitFor();
    write(PROJECT.replace('k = 2', 'k = 3'));
    await page.getByText('A file of the project changed.').waitFor();
    await settled(page);
  } finally {
    await close();
    await server.stop();
  }
});

test('after a restart the page goes on, and receipts are listed and opened again', async () => {
  write();
  let server = await serve(['serve', folder], null);
  const port = new URL(server.origin).port;
  const { page, close } = await visitor(browser);
  try {
    await open(page, server.address, 'qi=zip,sex&privacy=k-anonymity,k:3&limit=12&optimize=lm&tab=publish');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('[data-published]').getByText('Proved from the written file').waitFor();
    const receipt = page.locator('[data-receipt]');
    await receipt.waitFor();
    assert.match(await receipt.textContent(), /k = \d+ over zip, sex.*\d+ records/s);
    assert.match(await receipt.textContent(), /records?, [A-Z].*(hidden|groups|coarser|recorded), .*dropped \[\d,\d\]/s, 'the scheme in words');
    await receipt.locator('summary').click();
    const [got] = await Promise.all([page.waitForEvent('download'), receipt.locator('[data-download=data]').click()]);
    assert.match(readFileSync(await got.path(), 'utf8'), /^zip,sex,illness\n/);
    await receipt.getByText('Confidential: do not share').first().waitFor();

    await page.getByRole('tab', { name: 'Negotiate' }).click();
    await settled(page);
    await server.stop();
    await page.getByRole('spinbutton', { name: 'k of k-anonymity, exact' }).fill('4');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The server does not answer').waitFor();
    server = await serve(['serve', folder], port);
    await page.locator('[data-offer]').first().waitFor(); // asked again by itself
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('spinbutton', { name: 'k of k-anonymity, exact' }).fill('5');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.getByRole('alert').count(), 0, 'the page goes on');
    await page.getByRole('tab', { name: 'Publish' }).click();
    await receipt.waitFor();
    await receipt.locator('summary').click();
    await receipt.getByText('The files were kept for download while that server ran').waitFor();
    await receipt.getByText('Proved from the written file').waitFor();
    await receipt.getByRole('button', { name: 'Open again' }).click();
    await settled(page);
    assert.match(await addressOf(page), /k-anonymity,k:3&limit=12/);
    assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled(), 'it can be published again');
  } finally {
    await close();
    await server.stop();
  }
});

test('the demo offers to open a table of one’s own; a project does not', async () => {
  const server = await serve();
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const own = page.getByRole('link', { name: 'Open your own table' });
  assert.equal(await own.getAttribute('href'), '#setup');
  await close();
  await server.stop();
  write();
  const other = await serve(['serve', folder]);
  const second = await visitor(browser);
  await open(second.page, other.address);
  assert.equal(await second.page.getByRole('link', { name: 'Open your own table' }).count(), 0);
  await second.close();
  await other.stop();
});

test('the page’s files are compressed on the wire and kept by the browser', async () => {
  const server = await serve();
  const { page, close } = await visitor(browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const files = new Map();
  session.on('Network.responseReceived', ({ requestId, response }) => files.set(requestId, { url: response.url, cached: response.fromDiskCache, headers: response.headers, bytes: 0 }));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) files.get(requestId).bytes = encodedDataLength;
  });
  await open(page, server.address, THREE);
  const assets = () => [...files.values()].filter(({ url }) => url.includes('/assets/'));
  const names = assets().map(({ url }) => url.split('/').pop());
  assert.ok(names.some((name) => name.endsWith('.js')) && names.some((name) => name.endsWith('.css')));
  assert.deepEqual(names.filter((name) => /^(Explore|SetUp|CommandPalette)-/.test(name)), [], 'what is opened later is fetched later');
  const wire = assets().reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { headers } of assets()) {
    assert.ok(['br', 'gzip'].includes(headers['content-encoding']), 'compressed');
    assert.match(headers['cache-control'], /max-age=31536000, immutable/);
  }
  const raw = assets().map(({ url }) => readFileSync(join(import.meta.dirname, '../dist', new URL(url).pathname)).length).reduce((a, b) => a + b);
  console.log(`# ${wire} bytes on the wire for ${raw} bytes of page`);
  assert.ok(wire < 0.36 * raw, `${wire} of ${raw} bytes`);
  assert.ok(wire < 110_000);
  files.clear();
  await page.reload();
  await settled(page);
  assert.equal(assets().filter(({ bytes, cached }) => bytes > 0 && !cached).length, 0, 'nothing is sent twice');
  const data = await page.evaluate(() => fetch('/api/models').then((r) => r.headers.get('cache-control')));
  assert.equal(data, 'no-store', 'answers are not stored');
  await close();
  await server.stop();
});
