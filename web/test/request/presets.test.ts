import { expect, test } from 'vitest';
import type { Model, Project } from '../../src/lib/server/api';
import { applied, presetOf, PRESETS, riskOf } from '../../src/lib/request/presets';
import type { Request } from '../../src/lib/request/request';

const models = [{ id: 'k-anonymity' }, { id: 'distinct-l-diversity' }] as Model[];
const project = { sensitive: ['disease'] } as Project;
const request: Request = { qi: ['age'], privacy: [{ model: 'k-anonymity', k: 10 }], limit: { amount: 1, unit: 'percent' }, caps: { age: 2 }, relax: 'lowest', optimize: 'lm' };

test('a preset sets the privacy and nothing else', () => {
  for (const preset of PRESETS) {
    const { privacy, ...rest } = applied(request, preset, project, models);
    const { privacy: _before, ...before } = request;
    expect(rest).toEqual(before);
    expect(privacy[0]).toEqual({ model: 'k-anonymity', k: preset.k });
    expect(presetOf({ ...request, privacy }, project, models)).toBe(preset);
  }
  expect(presetOf(request, project, models)).toBeNull();
});

test('wider audiences get stronger thresholds', () => {
  const ks = PRESETS.map(({ k }) => k);
  expect(ks).toEqual([...ks].sort((a, b) => b - a));
});

test('a table without a sensitive attribute is asked for k alone', () => {
  const { privacy } = applied(request, PRESETS[0]!, { sensitive: [] as string[] } as Project, models);
  expect(privacy).toEqual([{ model: 'k-anonymity', k: 11 }]);
});

test('a group of exactly k is not above the risk that k allows', () => {
  for (const { k } of PRESETS) expect(1 / k).toBeLessThanOrEqual(riskOf(k) / 100);
});
