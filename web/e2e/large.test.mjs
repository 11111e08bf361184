// Large lattices: drawn, walked and negotiated; each says how long its moves took.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EIGHT, launch, open, serve, settled, SIX, visitor } from './haggle.mjs';

let browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haggle-'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** A table of few records whose lattice has 54,432 schemes: five attributes of 6 levels, one of 7. */
function manySchemes() {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const rows = Array.from({ length: 400 }, (_, i) => names.map((_, j) => (i * (2 * j + 3) + ((i * i) >> (j + 1))) % 64).join(','));
  writeFileSync(join(folder, 'data.csv'), [names.join(','), ...rows].join('\n'));
  const attribute = (name, i) => {
    const widths = i === 5 ? '2, 4, 8, 16, 32' : '2, 4, 8, 16';
    return `[[attribute]]\nname = "${name}"\nrole = "quasi-identifier"\nhierarchy = { intervals = [${widths}], origin = 0 }\n`;
  };
  const project = ['[data]', 'path = "data.csv"', '', ...names.map(attribute), '[request]', 'k = 5', 'max_suppressed = "10%"'];
  writeFileSync(join(folder, 'haggle.toml'), project.join('\n'));
  return folder;
}

const NINE = resolve(import.meta.dirname, '../../data/adult-9');
const LATTICES = [
  ['3,600', () => ['demo'], SIX],
  ['12,960', () => ['serve', NINE], ''],
  ['28,800', () => ['demo'], EIGHT],
  ['54,432', () => ['serve', manySchemes()], ''],
];

/** Milliseconds from a slider's event until the lattice is drawn with the new answer, for some moves. */
const moves = (page) =>
  page.evaluate(async () => {
    const slider = document.querySelector('[aria-label="k of k-anonymity"]');
    const canvas = document.querySelector('canvas');
    const times = [];
    for (let i = 0; i < 12; i++) {
      const [start, before] = [performance.now(), canvas.dataset.answers];
      slider.valueAsNumber = (slider.valueAsNumber + 7) % 24;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      while (canvas.dataset.answers === before) {
        if (performance.now() - start > 60_000) throw new Error('a move was never answered');
        await new Promise(requestAnimationFrame);
      }
      times.push(performance.now() - start);
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    return times.slice(2).sort((a, b) => a - b);
  });

for (const [schemes, command, state] of LATTICES) {
  test(`${schemes} schemes`, async (context) => {
    const server = await serve(command());
    context.after(() => server.stop());
    const { page, complaints, close } = await visitor(browser);
    await open(page, server.address, state);
    await page.getByText(`${schemes} schemes of`).waitFor();
    await settled(page);
    const times = await moves(page);
    const middle = times[Math.floor(times.length / 2)];
    context.diagnostic(`${schemes} schemes: from slider to picture ${middle.toFixed(0)} ms in the middle, ${times.at(-1).toFixed(0)} ms at most`);
    const canvas = page.getByRole('application', { name: /Lattice/ });
    await canvas.focus();
    for (const key of ['ArrowUp', 'ArrowLeft', '+', '+', 'ArrowDown', '0']) await page.keyboard.press(key);
    assert.match(await page.locator('.box .unseen[aria-live=polite]').textContent(), /^Scheme \[/);
    assert.deepEqual(complaints, []);
    await close();
  });
}
