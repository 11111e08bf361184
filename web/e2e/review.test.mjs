// What the shown scheme tells: risk, utility and the report, each as the server answers it.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { haggle, launch, open, problems, serve, settled, still, THREE, tooWide, visitor } from './haggle.mjs';

const REVIEW = `${THREE}&tab=review`;
/** The request of the address, as the routes take it. */
const ASK = { qi: ['age', 'race', 'workclass'], privacy: [{ model: 'k-anonymity', k: 10 }], levels: [2, 1, 1], max_suppressed: 321 };

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haggle-review-'));
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(path, body) {
  const headers = { authorization: `Bearer ${server.token}` };
  const reply = await fetch(`${server.origin}${path}`, { method: 'POST', headers, body: JSON.stringify({ ...ASK, ...body }) });
  assert.equal(reply.status, 200);
  return reply.json();
}

const panel = (page, name) => page.getByRole('region', { name, exact: true });
const number = (text) => Number(text.replace(/[^\d.]/g, ''));
const cells = (table) => table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

async function calculate(page, name) {
  await panel(page, name).getByRole('button', { name: /^Calculate/ }).click();
  await panel(page, name).locator('[data-about]').waitFor();
  await settled(page);
}

test('risk is shown as the server reports it, attacks that found something first', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  await calculate(page, 'Risk');
  const risk = panel(page, 'Risk');
  const report = await answer('/api/risk', { scheme: [1, 1, 0] });
  const big = async (attacker) => number(await risk.locator(`[data-attacker=${attacker}] .big`).textContent());
  assert.equal(await big('prosecutor'), 100 * report.risk.prosecutor.highest);
  assert.equal(await big('marketer'), Number((100 * report.risk.marketer).toPrecision(2)));
  assert.match(await risk.locator('[data-attacker=prosecutor]').textContent(), /0 records \(0 %\) have a risk above 20 %/);
  assert.match(await risk.locator('[data-attacker=journalist]').textContent(), /state how much of the population/);

  assert.match(await risk.locator('[data-whole]').textContent(), new RegExp(`\\(${report.whole.unique.toLocaleString('en')}\\) are unique over all published columns`));

  const { attacks } = report.sensitive[0];
  const found = attacks.filter((one) => one.exposed > 0).sort((a, b) => b.exposed - a.exposed);
  const shown = await risk.locator('[data-attack]').evaluateAll((all) => all.map((one) => one.dataset.attack));
  assert.deepEqual(shown, [...found.map((one) => one.attack), 'nothing', 'unchecked']);
  const worst = risk.locator(`[data-attack=${found[0].attack}]`);
  assert.ok((await worst.locator('summary').textContent()).includes(found[0].worst[0].why));
  await worst.locator('summary').click();
  const groups = found[0].worst.map((group) => [...group.values, String(group.exposed), String(group.records), group.why]);
  assert.deepEqual(await cells(worst), groups);
  assert.match(await risk.locator('[data-attack=unchecked]').textContent(), /Elimination: the project states no class_function/);

  const ranking = await cells(risk.getByRole('region', { name: 'Ranking of columns' }));
  assert.deepEqual(ranking.map(([column]) => column), report.columns.ranking.slice(0, 8).map((one) => one.column));
  assert.deepEqual(complaints, []);
  await close();
});

test('the population, the threshold and the prior are what risk is measured by; a mistake is explained', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  const risk = panel(page, 'Risk');
  await risk.getByLabel('The table holds').fill('150');
  await risk.getByRole('button', { name: 'Calculate' }).click();
  await risk.getByRole('alert').getByText('a sampling fraction of 1.5 is not possible').waitFor();
  await risk.getByLabel('The table holds').fill('5');
  await risk.getByLabel('Count records with a risk above').fill('2');
  await risk.getByLabel('The attacker knows beforehand').selectOption('summary:bayes');
  await calculate(page, 'Risk');
  const report = await answer('/api/risk', { scheme: [1, 1, 0], sampling_fraction: 0.05, threshold: 0.02, prior: 'summary:bayes' });
  assert.equal(await risk.getByRole('alert').count(), 0);
  const journalist = await risk.locator('[data-attacker=journalist] .big').textContent();
  assert.equal(number(journalist), Number((100 * report.risk.journalist.highest).toPrecision(2)));
  const prosecutor = await risk.locator('[data-attacker=prosecutor]').textContent();
  assert.ok(prosecutor.includes(`${report.risk.prosecutor.above.toLocaleString('en-GB')} records`), prosecutor);
  await risk.getByText('Unique in the population').click();
  const estimates = await cells(risk.getByRole('region', { name: 'Estimates of unique persons' }));
  assert.equal(estimates.length, report.risk.population_uniques.length);
  assert.ok((await risk.locator('[data-belief] summary').textContent()).includes(report.sensitive[0].belief.exposed.successful.toLocaleString('en-GB')));

  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await page.getByRole('tab', { name: 'Review' }).click();
  assert.equal(await risk.getByLabel('The table holds').inputValue(), '5');
  assert.equal(await risk.getByText('This was calculated for another').count(), 0);
  await risk.getByLabel('The table holds').fill('6');
  await risk.getByText('This was calculated for another').waitFor();
  await close();
});

test('utility is shown as the server reports it, for the column that is chosen', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  const utility = panel(page, 'Utility');
  await calculate(page, 'Utility');
  const report = await answer('/api/utility', {});
  const values = await cells(utility.getByRole('region', { name: 'Attributes before and after' }));
  assert.deepEqual(values.map((row) => row.slice(0, 3)), report.attributes.map((one) => [one.attribute, String(one.values.before), String(one.values.after)]));
  const pairs = await cells(utility.getByRole('region', { name: 'Associations before and after' }));
  assert.deepEqual(pairs.map((row) => row.slice(0, 3)), report.pairs.map((one) => [one.attributes.join(', '), one.cramers_v.before.toFixed(3), one.cramers_v.after.toFixed(3)]));
  const scores = await cells(utility.getByRole('region', { name: 'Scores of models' }));
  assert.equal(scores[0][0], 'Majority (baseline)');
  assert.deepEqual(scores.map((row) => number(row[2])), report.models.scores.map((one) => Number((100 * one.accuracy.after).toFixed(1))));

  await utility.getByLabel('Predict').selectOption('education');
  await calculate(page, 'Utility');
  const other = await answer('/api/utility', { target: 'education' });
  await utility.getByRole('group', { name: 'Rules that imply education' }).waitFor();
  const rules = await utility.getByRole('group', { name: 'Rules that imply' }).locator('b').allTextContents();
  assert.deepEqual(rules.map(number), [other.rules.kept, other.rules.generalized, other.rules.lost]);
  const examples = await cells(utility.getByRole('region', { name: 'Examples of rules' }));
  assert.deepEqual(examples.map(([rule]) => rule), other.rules.examples.map((one) => one.rule));
  assert.deepEqual(complaints, []);
  await close();
});

test('a refusal is explained, and keeps what was calculated before', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  await calculate(page, 'Utility');
  const wrong = (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), target: 'nothing', scheme: [9, 9, 9] }) });
  await page.route('**/api/utility', wrong);
  await page.route('**/api/report', wrong);
  await panel(page, 'Utility').getByRole('button', { name: 'Calculate again' }).click();
  await panel(page, 'Utility').getByRole('alert').waitFor();
  assert.equal(await panel(page, 'Utility').locator('[data-about]').count(), 1);
  await page.getByRole('button', { name: 'Save public report' }).click();
  await panel(page, 'Report').getByRole('alert').waitFor();
  await close();
});

test('a wait has a number and can be cancelled, by keyboard as well', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  await page.route(/\/api\/(risk|utility|report)$/, () => {}); // never answered
  for (const [name, button] of [['Risk', 'Calculate'], ['Utility', 'Calculate'], ['Report', 'Save public report']]) {
    const region = panel(page, name);
    await region.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await region.locator('[data-seconds]').getByText(/^[1-9]\d* s$/).waitFor();
    await page.keyboard.press('Enter'); // the focus is on Cancel
    await region.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
    assert.equal(await region.getByRole('alert').count(), 0);
  }
  await close();
});

test('the report is the file that the command writes, public and private', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, REVIEW);
  const region = panel(page, 'Report');
  await region.getByText('Confidential: do not share').waitFor();
  const request = ['--qi', 'age,race,workclass', '--k', '10', '--max-suppressed', '321', '--levels', '2,1,1'];
  for (const [form, format, name, words] of [['public', 'html', 'report.html', []], ['private', 'json', 'report-private.json', ['--private']]]) {
    await region.getByLabel('Report as').selectOption(format);
    const [download] = await Promise.all([page.waitForEvent('download'), region.getByRole('button', { name: `Save ${form} report` }).click()]);
    assert.equal(download.suggestedFilename(), name);
    const [saved, written] = [join(folder, `saved-${name}`), join(folder, name)];
    await download.saveAs(saved);
    const made = haggle('report', 'demo:adult', ...request, ...words, '-o', written);
    assert.equal(made.status, 0, made.stderr);
    assert.ok(readFileSync(saved).equals(readFileSync(written)), `${name} differs`);
    await settled(page);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('a report on a publication measures its promise again', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const published = page.locator('[data-published]');
  await published.getByLabel('Report as').selectOption('json');
  const [download] = await Promise.all([page.waitForEvent('download'), published.getByRole('button', { name: 'Save public report' }).click()]);
  const file = join(folder, 'published.json');
  await download.saveAs(file);
  const { proof, scheme } = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual([proof.holds, proof.file, proof.records, scheme], [true, 'data.csv', 29992, [1, 1, 0]]);
  await close();
});

for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 390, height: 800 } } })) {
  test(`everything opened is accessible and fits the screen: ${name}`, async () => {
    const { page, close } = await visitor(browser, options);
    await open(page, server.address, `${REVIEW}&pin=1,1,0`);
    await panel(page, 'Risk').getByLabel('The table holds').fill('5');
    await calculate(page, 'Risk');
    await calculate(page, 'Utility');
    await page.locator('[role=tabpanel] details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
    await still(page);
    assert.equal(await tooWide(page), 0, 'pixels too wide');
    assert.deepEqual(await problems(page), []);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `review-${name}.png`), fullPage: true });
    await close();
  });
}
