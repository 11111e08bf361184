// The Publish tab: preview, publishing with proof, downloads that verify.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { haggle, launch, open, serve, THREE, visitor } from './haggle.mjs';

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

test('a scheme that does not meet the request is not published', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&pin=0,0,0&tab=publish`);
  await page.getByText('This scheme does not meet the request').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled());
  await close();
});
