// A query on the chosen scheme: three ways of counting, next to the truth.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, serve, THREE, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a query is answered next to the truth, and a mistake is explained', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=trade-offs`);
  const panel = page.getByRole('region', { name: 'Query' });
  await panel.getByLabel('Condition').fill('age < 25 and race = White');
  await panel.getByLabel('Distribution of').selectOption('hours-per-week');
  await panel.getByRole('button', { name: 'Ask' }).click();
  const cell = (name, column) => panel.getByRole('row', { name }).locator('td').nth(column);
  await cell(/^Truth/, 0).waitFor();
  assert.match(await cell(/^Truth/, 0).textContent(), /^[\d,]+$/);
  assert.match(await cell(/^Corrected, attributes/, 3).textContent(), /^0\.\d{4}$/);
  assert.deepEqual(complaints, []);
  await panel.getByLabel('Condition').fill('age < ');
  await panel.getByLabel('Condition').press('Enter');
  await panel.getByRole('alert').getByText('where a value is expected').waitFor();
  await close();
});
