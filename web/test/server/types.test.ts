import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { types } from '../../scripts/types.mjs';

test('types.ts is what openapi.json says; run `npm run types` if not', async () => {
  const written = await readFile(new URL('../../src/lib/server/types.ts', import.meta.url), 'utf8');
  expect(written).toBe(await types());
});
