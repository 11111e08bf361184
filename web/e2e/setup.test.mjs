// Set-up on the page: from a table that haggle has never seen to a proved publication, without a terminal.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { patients } from './patients.mjs';
import { database } from './postgres.mjs';
import { entry, haggle, launch, problems, serve, settled, tooWide, visitor } from './haggle.mjs';

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

/** Discards whatever an earlier test left. */
async function tidy({ origin, token }) {
  const call = async (path, method) => (await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } })).json();
  for (const { id } of (await call('/api/setup', 'GET')).tables) await call(`/api/setup/${id}/discard`, 'POST');
}

/** The set-up page, signed in, with nothing opened before. */
async function setUp(page, at = server) {
  await tidy(at);
  await page.goto(`${await entry(at.origin)}#setup`);
  await page.getByText('Set up').first().waitFor();
}

/** No part of the page is busy. */
const calm = (page) => page.waitForFunction(() => document.querySelector('.planner') && !document.querySelector('[aria-busy=true]'));

async function send(page, name = 'patients.csv', content = patients()) {
  await page.getByLabel('File with a table').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('region', { name: 'Roles' }).waitFor();
  await calm(page);
}

const lane = (page, name) => page.getByRole('group', { name, exact: true });
const chip = (page, name) => page.locator(`[data-column="${name}"]`);
const price = (page, what) => page.getByRole('region', { name: 'Price' }).locator(`[data-price=${what}]`);

/** Discards the table that is open, so that the next test begins anew. */
async function discard(page) {
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, discard' }).click();
  await page.getByText('Drop a CSV or Parquet file here').waitFor();
}

test('from an unknown CSV to a proved publication without a terminal', async () => {
  const own = await serve();
  const { page, complaints, close } = await visitor(browser);
  await setUp(page, own);
  await send(page);
  await lane(page, 'Dropped').locator(chip(page, 'patient_id')).waitFor();
  await lane(page, 'Sensitive').locator(chip(page, 'disease')).waitFor();
  await chip(page, 'age').click();
  await page.getByRole('region', { name: 'Column age' }).getByText('Its name suggests an age.').waitFor();
  await page.getByLabel('k, the minimum group size').fill('3');
  await page.getByLabel('may suppress').fill('10%');
  await page.getByLabel('may suppress').press('Tab');
  await calm(page);
  await page.getByText(/^Possible\. Best match: [A-Z].*(hidden|in .* groups|recorded|coarser).*dropped \[/).waitFor();
  await page.getByRole('button', { name: 'Negotiate', exact: true }).click();
  await settled(page);
  await page.locator('header').getByText('patients', { exact: true }).waitFor();
  await page.locator('header [data-account]').getByText('300 rows, 6 dropped for missing values, 294 counted').waitFor();
  await page.getByRole('tab', { name: 'Publish' }).click();
  await page.locator('[data-column=patient_id]').getByText('it is an identifier').waitFor();
  assert.equal(await page.locator('[data-column=patient_id]').getByRole('checkbox').count(), 0, 'identifiers are never published from here');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const done = page.locator('[data-published]');
  await done.getByText(/Proved from the written file/).waitFor();
  const [got] = await Promise.all([page.waitForEvent('download'), page.locator('[data-download=data]').click()]);
  const file = join(folder, 'published.csv');
  await got.saveAs(file);
  const text = readFileSync(file, 'utf8');
  assert.ok(!text.includes('P-1000'), 'no identifier');
  const qi = text.split('\n')[0].split(',').map((name) => name.trim()).filter((name) => name && name !== 'disease');
  const verified = haggle('verify', file, '--qi', qi.join(','), '--k', '3');
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  assert.deepEqual(complaints, []);
  await close();
  await own.stop();
});

test('a k that will not do is refused in words, and the project file fits the window', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  const k = page.getByLabel('k, the minimum group size');
  for (const wrong of ['1', '301', '']) {
    await k.fill(wrong);
    await k.press('Enter');
    await page.getByRole('alert').getByText('k must be a whole number from 2 to 300. 5 is still used.').waitFor();
    assert.equal(await k.inputValue(), '5');
  }
  await k.fill('6');
  await k.press('Enter');
  await calm(page);
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.getByText('The project file', { exact: true }).click();
  await page.getByLabel('The project file').getByText('k = 6').waitFor();
  assert.equal(await tooWide(page), 0);
  await discard(page);
  await close();
});

test('a file is dropped on the page', async () => {
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }));
    return transfer;
  }, patients());
  await page.getByRole('region', { name: 'Open a file' }).dispatchEvent('drop', { dataTransfer: data });
  await page.getByText('Set up dropped.csv').waitFor();
  await calm(page);
  assert.deepEqual(complaints, []);
  await discard(page);
  await close();
});

test('roles are changed with the keyboard alone, and undone', async () => {
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  const focused = () => page.evaluate(() => document.activeElement?.dataset.column);
  for (let i = 0; i < 60 && (await focused()) !== 'home town'; i++) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'home town');
  await page.keyboard.press('s');
  await lane(page, 'Sensitive').locator(chip(page, 'home town')).waitFor();
  assert.equal(await focused(), 'home town', 'the focus stays on the column');
  await page.keyboard.press('ArrowRight');
  await lane(page, 'Insensitive').locator(chip(page, 'home town')).waitFor();
  await page.keyboard.press('d');
  await lane(page, 'Dropped').locator(chip(page, 'home town')).waitFor();
  await calm(page);
  const text = page.getByLabel('The project file');
  await page.getByText('The project file', { exact: true }).click();
  await page.waitForFunction(() => document.querySelector('pre').textContent.includes('# chosen on the page'));
  for (const where of ['Insensitive', 'Sensitive']) {
    await page.keyboard.press('Control+z');
    await lane(page, where).locator(chip(page, 'home town')).waitFor();
  }
  await page.keyboard.press('Control+z');
  await calm(page);
  assert.ok(!(await text.textContent()).includes('# chosen on the page'), 'everything is undone');
  assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
  await page.keyboard.press('Control+Shift+z');
  await lane(page, 'Sensitive').locator(chip(page, 'home town')).waitFor();
  assert.deepEqual(complaints, []);
  await discard(page);
  await close();
});

test('a column is dragged to another role', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  await chip(page, 'disease').dragTo(lane(page, 'Quasi-identifiers'));
  await lane(page, 'Quasi-identifiers').locator(chip(page, 'disease')).waitFor();
  await page.getByRole('region', { name: 'Column disease' }).getByLabel('Generalize by').waitFor();
  await discard(page);
  await close();
});

test('bounds are dragged on the histogram and moved by keys, and every change is priced', async () => {
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  await chip(page, 'age').click();
  const panel = page.getByRole('region', { name: 'Column age' });
  await panel.getByLabel('Generalize by').selectOption('bounds');
  await calm(page);
  const bounds = panel.getByRole('slider');
  const before = Number(await bounds.first().getAttribute('aria-valuenow'));
  const values = () => panel.getByRole('region', { name: 'Levels of age' }).locator('tbody tr').nth(1).locator('td').first().textContent();
  assert.equal(await values(), '4', 'three bounds make four intervals');
  await bounds.first().press('ArrowRight');
  assert.equal(Number(await bounds.first().getAttribute('aria-valuenow')), before + 1);
  const box = await bounds.first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.ok(Number(await bounds.first().getAttribute('aria-valuenow')) < before + 1, 'it moved to the left');
  await panel.getByLabel('Add bounds').fill('77');
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await calm(page);
  assert.equal(await values(), '5');
  await page.getByRole('button', { name: 'Undo' }).click();
  await calm(page);
  assert.equal(await values(), '4');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(Number(await bounds.first().getAttribute('aria-valuenow')), before + 1, 'a drag is one step');
  assert.deepEqual(complaints, []);
  await discard(page);
  await close();
});

test('widths that will not do are refused in words, and long ones can be read', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  await chip(page, 'age').click();
  const panel = page.getByRole('region', { name: 'Column age' });
  await panel.getByLabel('Generalize by').selectOption('intervals');
  await calm(page);
  const widths = panel.getByLabel('Width of each level');
  const used = await widths.inputValue();
  await widths.fill('5, ten');
  await widths.press('Enter');
  await page.getByRole('alert').getByText(`Widths are numbers with commas between them, such as 5, 10, 20. ${used} `).waitFor();
  assert.equal(await widths.inputValue(), used);
  const begins = panel.getByLabel('begins at');
  await begins.fill('');
  await begins.press('Enter');
  await page.getByRole('alert').getByText('Where intervals begin is a number.').waitFor();
  await widths.fill('5, 10, 20, 40, 80, 160, 320');
  await widths.press('Enter');
  await calm(page);
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.ok(await widths.evaluate((field) => field.scrollWidth <= field.clientWidth), 'nothing is cut off');
  await discard(page);
  await close();
});

test('categories are merged and renamed, a tree is written, a file is pasted', async () => {
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  await chip(page, 'home town').click();
  const panel = page.getByRole('region', { name: 'Column home town' });
  await panel.getByLabel('Role').selectOption('quasi-identifier');
  await panel.getByLabel('Generalize by').selectOption('groups');
  await calm(page);
  await panel.getByLabel('Choose Ulm').check();
  await panel.getByLabel('Choose Linz').check();
  await panel.getByLabel('Merge the 2 chosen as').fill('Danube');
  await panel.getByRole('button', { name: 'Merge', exact: true }).click();
  await panel.getByLabel('Name of Danube').fill('On the Danube');
  await panel.getByLabel('Name of Danube').press('Tab');
  await panel.getByLabel('Name of On the Danube').waitFor();
  await calm(page);
  const text = page.locator('pre');
  assert.match(await text.textContent(), /"On the Danube" = \["Linz", "Ulm"\]|"On the Danube" = \["Ulm", "Linz"\]/);
  await panel.getByLabel('Generalize by').selectOption('tree');
  const tree = panel.getByLabel(/^One value or label in each line/);
  await tree.fill('Germany\n  Ulm\n  Bonn\nItaly\n  Rom\n');
  await tree.press('Tab');
  await calm(page);
  assert.match(await text.textContent(), /tree = \{ Germany = \["Ulm", "Bonn"\], Italy = \["Rom"\] \}/);
  await panel.getByText('Paste a hierarchy file').click();
  const paste = panel.getByLabel(/^A row for each value/);
  await paste.fill('Ulm;South;*\nUlm;West;*\n');
  await panel.getByRole('button', { name: 'Use it' }).click();
  await panel.getByRole('alert').waitFor();
  await paste.fill('Ulm;South;*\nLinz;South;*\nBonn;West;*\nRom;South;*\n"Köln, Altstadt";West;*\n"say ""hi""";West;*\n');
  await panel.getByRole('button', { name: 'Use it' }).click();
  await panel.getByLabel('Name of South').waitFor();
  await calm(page);
  assert.match(await text.textContent(), /South = \[/);
  assert.deepEqual(complaints.filter((one) => !/\b(404|422)\b/.test(one)), []);
  await discard(page);
  await close();
});

test('missing values have a price, whatever becomes of them', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  await send(page);
  await page.locator('[data-price=drop]').getByText('drops 6 records (2 %)').waitFor();
  await price(page, 'dropped').getByText('6 (2 %)').waitFor();
  await page.getByLabel('Missing is a value of its own').check();
  await calm(page);
  await price(page, 'dropped').getByText(/^0 \(0 %\) was 6/).waitFor();
  await page.locator('[data-price=drop]').getByText('drops 6 records (2 %)').waitFor();
  await page.getByLabel('Refuse the table').check();
  await page.getByRole('region', { name: 'Price' }).getByRole('alert').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Negotiate', exact: true }).isDisabled(), true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await calm(page);
  await discard(page);
  await close();
});

test('marks of missing values are added and removed, and priced', async () => {
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  await send(page, 'marked.csv', patients().replaceAll(/;Rom;/g, ';n/k;'));
  await chip(page, 'home town').click();
  await page.getByRole('region', { name: 'Column home town' }).getByLabel('Role').selectOption('quasi-identifier');
  await calm(page);
  const missing = page.getByRole('region', { name: 'Missing values' });
  await missing.getByLabel('Add a mark').fill(' n/k ');
  await missing.getByLabel('Add a mark').press('Enter');
  await calm(page);
  const lines = patients().trimEnd().split('\r\n').slice(1).map((line) => line.split(';'));
  const incomplete = lines.filter((fields) => fields[1] === '' || fields[2] === 'Rom').length;
  await missing.getByText(`drops ${incomplete} records`).waitFor();
  await missing.getByText(`${incomplete} records (`).first().waitFor();
  await page.getByText('The project file', { exact: true }).click();
  assert.match(await page.locator('pre').textContent(), /missing = \[.*"n\/k".*\]/);
  await missing.getByRole('button', { name: 'Remove the mark (empty field)' }).click();
  // Then an empty age is a value, and no number.
  await page.getByRole('region', { name: 'Price' }).getByRole('alert').getByText(/age/).waitFor();
  await page.keyboard.press('Control+z');
  await calm(page);
  await missing.getByText(`drops ${incomplete} records`).waitFor();
  assert.deepEqual(await problems(page), []);
  assert.deepEqual(complaints.filter((one) => !/\b(404|422)\b/.test(one)), []);
  await discard(page);
  await close();
});

test('a table of a database is set up, negotiated and published', async () => {
  const [postgres, own] = await Promise.all([database(), serve()]);
  const { page, complaints, close } = await visitor(browser);
  try {
    postgres.sql(`CREATE SCHEMA ward; CREATE TABLE ward.people (name text, age int, zip text, illness text);
      INSERT INTO ward.people SELECT 'Person ' || i, 20 + i * 7 % 60, (81000 + i * 13 % 90)::text, (ARRAY['flu','cold','gout'])[1 + i % 3] FROM generate_series(1, 400) i;`);
    await setUp(page, own);
    const form = page.getByRole('region', { name: 'Database' });
    const connect = async (address, table) => {
      await form.getByLabel('Address of the database').fill(address);
      await form.getByLabel('Table').fill(table);
      await form.getByRole('button', { name: 'Connect' }).click();
    };
    await connect(postgres.address('wrong-word-1'), 'ward.people');
    const refused = await page.getByRole('alert').textContent();
    assert.ok(refused.length > 20 && !refused.includes('wrong-word-1'), refused);
    await connect(postgres.address(), 'ward.people');
    await page.getByText('400 records, 4 columns. Drag').waitFor();
    await calm(page);
    assert.ok(!(await page.content()).includes(new URL(postgres.address()).password), 'the password is not shown');
    await page.getByLabel('k, the minimum group size').fill('3');
    await page.getByLabel('may suppress').fill('10%');
    await page.getByLabel('may suppress').press('Tab');
    await calm(page);
    await page.getByText('Possible. Best match:').waitFor();
    await page.getByRole('button', { name: 'Negotiate', exact: true }).click();
    await settled(page);
    await page.getByRole('tab', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('[data-published]').getByText(/Proved from the written file: k = \d+ over/).waitFor();
    assert.deepEqual(complaints.filter((one) => !/\b(404|422)\b/.test(one)), []);
  } finally {
    await close();
    await own.stop();
    await postgres.stop();
  }
});

test('reading a table shows its seconds and can be cancelled', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  await page.route('**/api/setup/upload**', () => {}); // never answered
  await page.getByLabel('File with a table').setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(patients()) });
  const wait = page.getByRole('group', { name: 'Reading patients.csv' });
  await wait.locator('[data-seconds]').getByText(/^[1-9]\d* s$/).waitFor();
  await wait.getByRole('button', { name: 'Cancel' }).click();
  await wait.waitFor({ state: 'detached' });
  await page.unroute('**/api/setup/upload**');
  await send(page);
  await discard(page);
  await close();
});

test('a Parquet file is set up like any other', async () => {
  const file = join(folder, 'people.parquet');
  const made = haggle('publish', 'demo:adult', '--qi', 'age,race,workclass', '--k', '10', '--scheme', '1,1,0', '-o', file, '--force');
  assert.equal(made.status, 0, made.stdout + made.stderr);
  const { page, complaints, close } = await visitor(browser);
  await setUp(page);
  await send(page, 'people.parquet', readFileSync(file));
  await page.getByText('29,992 records').first().waitFor();
  await lane(page, 'Quasi-identifiers').locator(chip(page, 'race')).waitFor();
  assert.deepEqual(complaints, []);
  await discard(page);
  await close();
});

test('bad files are refused in words', async () => {
  const { page, close } = await visitor(browser);
  await setUp(page);
  const field = page.getByLabel('File with a table');
  for (const [name, content] of [['empty.csv', ''], ['picture.csv', '\x89PNG\r\n\x1a\n\0\0\0'], ['broken.parquet', `PAR1${'x'.repeat(40)}PAR1`]]) {
    await field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content, 'latin1') });
    const said = await page.getByRole('alert').textContent();
    assert.ok(said.length > 20 && !said.includes('/haggle-'), `${name}: ${said}`);
  }
  await close();
});

test('haggle serve patients.csv begins with set-up and saves next to the table', async () => {
  const place = join(folder, 'ward');
  mkdirSync(place);
  writeFileSync(join(place, 'patients.csv'), patients());
  const own = await serve(['serve', join(place, 'patients.csv')]);
  const { page, close } = await visitor(browser);
  await page.goto(await entry(own.origin));
  await page.getByRole('region', { name: 'Roles' }).waitFor();
  await calm(page);
  await page.getByText('The project file', { exact: true }).click();
  const drafted = await page.getByLabel('The project file').textContent();
  await page.getByLabel('k, the minimum group size').fill('4');
  await page.getByLabel('k, the minimum group size').press('Tab');
  await calm(page);
  await page.getByRole('button', { name: 'Save haggle.toml' }).click();
  await page.getByText(/^Saved as .*haggle\.toml$/).waitFor();
  const saved = readFileSync(join(place, 'haggle.toml'), 'utf8');
  const comments = (text) => text.split('\n').flatMap((line) => line.match(/#.*/) ?? []);
  assert.ok(comments(drafted).length > 3, 'the draft gives its reasons');
  assert.deepEqual(comments(drafted).filter((comment) => !comments(saved).includes(comment)), [], 'comments that were not kept');
  assert.equal(haggle('check', place).status, 0);
  await page.getByRole('button', { name: 'Save haggle.toml' }).click();
  await page.getByRole('button', { name: 'Replace the file' }).click();
  await page.getByText(/^Saved as /).waitFor();
  await page.getByRole('button', { name: 'Negotiate', exact: true }).click();
  await settled(page);
  await page.locator('header').getByText('ward', { exact: true }).waitFor();
  await page.goto('about:blank');
  await page.goto(`${own.origin}/#setup`);
  await page.getByRole('region', { name: 'Roles' }).waitFor();
  await calm(page);
  assert.equal(await page.getByLabel('k, the minimum group size').inputValue(), '4', 'the plan is as it was left');
  await close();
  await own.stop();
});

for (const colorScheme of ['light', 'dark']) {
  test(`set-up is accessible, ${colorScheme}`, async () => {
    const { page, close } = await visitor(browser, { colorScheme });
    await setUp(page);
    await page.getByText('Drop a CSV or Parquet file here').waitFor();
    assert.deepEqual(await problems(page), []);
    await send(page);
    for (const [column, kind] of [['age', 'bounds'], ['age', 'intervals'], ['home town', 'groups'], ['home town', 'tree'], ['home town', 'prefix'], ['born', 'dates']]) {
      await chip(page, column).click();
      const panel = page.getByRole('region', { name: `Column ${column}` });
      await panel.getByLabel('Role').selectOption('quasi-identifier');
      await panel.getByLabel('Generalize by').selectOption(kind);
      await calm(page);
      assert.deepEqual(await problems(page), [], `${column} by ${kind}`);
    }
    await discard(page);
    await close();
  });
}

test('set-up fits a narrow window', async () => {
  const { page, close } = await visitor(browser, { viewport: { width: 390, height: 800 } });
  await setUp(page);
  assert.equal(await tooWide(page), 0);
  await send(page);
  for (const column of ['age', 'home town', 'born']) {
    await chip(page, column).click();
    await page.getByRole('region', { name: `Column ${column}` }).waitFor();
    assert.equal(await tooWide(page), 0, column);
  }
  await discard(page);
  await close();
});
