// What is copied really runs: the command line by a shell with the binary under test, curl against the server.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { BINARY, launch, offers, open, problems, serve, settled, still, THREE, visitor } from './haggle.mjs';

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haggle-copy-'));
  symlinkSync(resolve(BINARY), join(folder, 'haggle'));
  // Publishing writes next to the project.
  cpSync(resolve(import.meta.dirname, '../../data/adult'), join(folder, 'adult'), { recursive: true });
  [server, browser] = await Promise.all([serve(['serve', join(folder, 'adult')]), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a line in a shell that finds the binary under test and knows the token. */
function run(line, more = '') {
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HAGGLE_TOKEN: server.token };
  const done = spawnSync('sh', ['-c', `${line}${more}`], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(done.stderr.includes('error'), false, done.stderr);
  return done.stdout;
}

/** What the page offers to copy, through the clipboard. */
async function copied(page, name) {
  const box = page.getByRole('dialog', { name: 'Copy as' });
  if (!(await box.isVisible())) await page.getByRole('button', { name: 'Copy as…' }).click();
  await box.getByRole('button', { name: `Copy ${name}` }).click();
  await box.getByText(`${name} copied.`).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

const visit = async (state) => {
  const visited = await visitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await open(visited.page, server.address, state);
  return visited;
};

/** Timings differ from run to run, and requests in how they are written. */
const same = (one, other, what) => {
  const plain = (json) => JSON.parse(JSON.stringify(json, (key, value) => (['micros', 'millis', 'account', 'asked', 'accept', 'visited', 'obtained'].includes(key) ? undefined : value)));
  assert.deepEqual(plain(one), plain(other), what);
};

test('negotiate: the copied command and call give the answer that is shown', async () => {
  const { page, close } = await visit(`${THREE.replace('limit=321', 'limit=32')}&optimize=lm`);
  const cards = await offers(page);
  const command = JSON.parse(run(await copied(page, 'Command line'), ' --json'));
  const call = JSON.parse(run(await copied(page, 'curl')));
  same(command, call, 'command line and curl');
  assert.equal(command.outcome, 'relaxed');
  assert.deepEqual(
    cards.filter(({ id }) => id === 'suppression').map(({ suppressed }) => suppressed),
    command.relaxations.filter(({ kind }) => kind === 'suppression').map(({ offer }) => offer.suppressed),
  );
  await close();
});

test('several models with their parameters survive the shell', async () => {
  const { page, close } = await visit('qi=age,race,workclass&privacy=k-anonymity,k:5&privacy=recursive-l-diversity,l:3,c:2,on:hours-per-week&limit=2pc');
  const [card] = await offers(page);
  const command = JSON.parse(run(await copied(page, 'Command line'), ' --json'));
  assert.equal(card.suppressed, command.exact.suppressed);
  assert.ok(card.text.includes(`[${command.exact.scheme.join(',')}]`));
  same(command, JSON.parse(run(await copied(page, 'curl'))), 'command line and curl');
  await close();
});

for (const tab of ['trade-offs', 'explore', 'review']) {
  test(`${tab}: command line and call say the same`, async () => {
    const { page, close } = await visit(`${THREE}&tab=${tab}&pin=2,1,0`);
    await settled(page);
    const command = JSON.parse(run(await copied(page, 'Command line'), ' --json'));
    const call = JSON.parse(run(await copied(page, 'curl')));
    same(command, call, tab);
    if (tab !== 'trade-offs') assert.deepEqual(command.scheme ?? [2, 1, 0], [2, 1, 0]);
    await close();
  });
}

test('data: the project is checked', async () => {
  const { page, close } = await visit(`${THREE}&tab=data`);
  assert.equal(JSON.parse(run(await copied(page, 'Command line'), ' --json')).records, 32_561);
  assert.ok(JSON.parse(run(await copied(page, 'curl'))).attributes.some(({ name }) => name === 'race'));
  await close();
});

test('publish: the copied command publishes the scheme that is shown', async () => {
  const { page, close } = await visit(`${THREE}&tab=publish&pin=2,1,1`);
  const line = await copied(page, 'Command line');
  const report = JSON.parse(run(line, ' --json'));
  assert.equal(existsSync(join(folder, 'published.csv')), true);
  assert.match(line, /--scheme 2,1,1 -o published\.csv$/);
  assert.equal(report.suppressed, 55, 'as published for [2,1,1] at k = 10');
  const lines = run(await copied(page, 'curl')).trim().split('\n');
  assert.equal(JSON.parse(lines.at(-1)).done.report.suppressed, 55);
  await close();
});

test('the box is accessible and opens by keyboard', async () => {
  const { page, close } = await visit(THREE);
  await page.getByRole('button', { name: 'Copy as…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Copy as' }).waitFor();
  await still(page);
  assert.deepEqual(await problems(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Copy as' }).waitFor({ state: 'hidden' });
  await close();
});
