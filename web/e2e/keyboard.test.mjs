// A whole negotiation by keyboard only: nothing in here touches the mouse or sets focus by script.

import { after, before, test } from 'node:test';
import { launch, open, serve, settled, until, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
    return `${element.tagName.toLowerCase()} ${label.trim()}`;
  });

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page, name, key = 'Tab') {
  for (let i = 0; i < 120; i++) {
    if ((await focused(page)).match(name)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never leads to ${name}`);
}

async function press(page, key, times = 1) {
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
}

test('a whole negotiation by keyboard only', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, 'qi=age,race,workclass&optimize=steps');

  await tabTo(page, /^input k of k-anonymity$/);
  await press(page, 'Home');
  await press(page, 'ArrowRight', 8);
  await tabTo(page, /^input records$/);
  await press(page, 'Control+a');
  await page.keyboard.type('32');
  for (const [name, level] of [[/^input age$/, 2], [/^input race$/, 1], [/^input workclass$/, 1]]) {
    await tabTo(page, name);
    await press(page, 'Home');
    await press(page, 'ArrowRight', level);
  }
  await until(page, (all) => all.some((offer) => offer.title === 'Lower k to 7'), 'the relaxations');

  await tabTo(page, /^canvas Lattice/);
  await press(page, 'ArrowUp');
  await press(page, 'Enter');
  await page.getByText('pinned', { exact: true }).waitFor();
  await press(page, 'Escape');

  await tabTo(page, /^button Accept: Lower k to 7$/);
  await press(page, 'Enter');
  await until(page, (all) => all.length === 1 && all[0].suppressed === 31, 'accepted, it should be exact');

  await tabTo(page, /^button Publish…$/);
  await press(page, 'Enter');
  await settled(page);
  await tabTo(page, /^button Publish$/);
  await press(page, 'Space');
  await page.locator('[data-published]').getByText('Proved from the written file: k = 7').waitFor();

  await tabTo(page, /^button Publish$/, 'Shift+Tab');
  await press(page, 'Control+z');
  await page.waitForURL((url) => !url.hash.includes('k:7'));
  await close();
});

test('tabs and hints by keyboard', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, 'qi=age,race,workclass&optimize=steps');
  await tabTo(page, /^button Negotiate$/);
  await press(page, 'ArrowRight');
  await page.getByRole('tab', { name: 'Trade-offs', selected: true }).waitFor();
  await press(page, 'Home');
  await page.getByRole('tab', { name: 'Negotiate', selected: true }).waitFor();
  await tabTo(page, /^button What is meant by privacy models\?$/);
  await press(page, 'Enter');
  await page.getByRole('note').getByText('What must hold of every group').waitFor();
  await press(page, 'Escape');
  await page.getByRole('note').waitFor({ state: 'hidden' });
  await close();
});
