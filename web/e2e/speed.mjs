// Prints how quick the page is: `npm run speed`. Numbers, not verdicts: a loaded machine or a debug build is slower.

import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { rmSync } from 'node:fs';
import { eleven } from './huge.mjs';
import { BINARY, entry, launch, open, serve, settled, visitor } from './haggle.mjs';

const NINE = resolve(import.meta.dirname, '../../data/adult-9');
const MOVES = 60;
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const print = (what, times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const [middle, p95] = [at(sorted, 0.5), at(sorted, 0.95)].map((time) => time.toFixed(0));
  console.log(`${what}: ${times.length === 1 ? `${middle} ms` : `median ${middle} ms, p95 ${p95} ms, most ${sorted.at(-1).toFixed(0)} ms (${times.length} times)`}`);
};

/** Milliseconds from a slider's event until the frame after the answer was painted. */
const moves = (page, times) =>
  page.evaluate(async (times) => {
    const slider = document.querySelector('[aria-label="k of k-anonymity"]');
    const canvas = document.querySelector('canvas');
    const frame = () => new Promise(requestAnimationFrame);
    const taken = [];
    for (let i = 0; i < times + 3; i++) {
      const [start, before] = [performance.now(), canvas.dataset.answers];
      slider.valueAsNumber = (slider.valueAsNumber + 7) % 24;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      while (canvas.dataset.answers === before) {
        if (performance.now() - start > 60_000) throw new Error('a move was never answered');
        await frame();
      }
      taken.push(performance.now() - start);
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    return taken.slice(3);
  }, times);

/** Milliseconds from opening the address to the first card of an answer. */
async function first(page, server, state = '') {
  const address = `${await entry(server.origin)}${state ? `#${state}` : ''}`;
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('[data-offer]').first().waitFor();
  return performance.now() - start;
}

async function twelveThousand(browser) {
  const server = await serve(['serve', NINE]);
  const { page, close } = await visitor(browser);
  print('12,960 schemes: first answer of a new server', [await first(page, server)]);
  await close();
  const warm = [];
  for (let i = 0; i < 5; i++) {
    const again = await visitor(browser);
    warm.push(await first(again.page, server));
    await again.close();
  }
  print('12,960 schemes: first answer warm', warm);
  const moving = await visitor(browser);
  await open(moving.page, server.address);
  print('12,960 schemes: slider to painted answer', await moves(moving.page, MOVES));
  await moving.close();
  const slow = await visitor(browser);
  const network = await slow.page.context().newCDPSession(slow.page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 40, downloadThroughput: 50_000, uploadThroughput: 50_000 });
  const address = await entry(server.origin);
  const start = performance.now();
  await slow.page.goto(address, { waitUntil: 'commit' });
  await slow.page.waitForFunction(() => document.body?.innerText.trim().length > 0);
  print('400 kbit/s: until something is shown', [performance.now() - start]);
  await slow.page.locator('[data-offer]').first().waitFor();
  print('400 kbit/s: first answer', [performance.now() - start]);
  await slow.close();
  await server.stop();
}

async function threeHundredThousand(browser) {
  const folder = eleven();
  const server = await serve(['serve', folder]);
  const { page, close } = await visitor(browser);
  print('311,040 schemes: first answer of a new server', [await first(page, server)]);
  await settled(page);
  const later = [];
  for (const k of [6, 8, 10, 15, 20, 3]) {
    const before = await page.locator('canvas').getAttribute('data-answers');
    const start = performance.now();
    await page.getByLabel('k of k-anonymity, exact').fill(String(k));
    await page.getByLabel('k of k-anonymity, exact').press('Enter');
    await page.waitForFunction((old) => document.querySelector('canvas').dataset.answers !== old, before);
    later.push(performance.now() - start);
    await settled(page);
    print(`  k = ${k}: answer and neighbourhood`, [performance.now() - start]);
  }
  print('311,040 schemes: later answers', later);
  await close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

console.log(`${BINARY}, load ${loadavg()[0].toFixed(1)}`);
const browser = await launch();
await twelveThousand(browser);
await threeHundredThousand(browser);
await browser.close();
