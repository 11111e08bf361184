// The census table counted by hand: records, hierarchies and groups, sharing no code with haggle.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const DATA = resolve(import.meta.dirname, '../../data');
export const COLUMNS = ['age', 'workclass', 'fnlwgt', 'education', 'education-num', 'marital-status', 'occupation', 'relationship', 'race', 'sex', 'capital-gain', 'capital-loss', 'hours-per-week', 'native-country', 'salary-class'];

/** The complete records, as objects. */
export function records() {
  const text = gunzipSync(readFileSync(join(DATA, 'adult/adult.data.gz'))).toString('utf8');
  const rows = text.split('\n').map((line) => line.split(',').map((field) => field.trim()));
  const whole = rows.filter((row) => row.length === COLUMNS.length && !['workclass', 'occupation', 'native-country'].some((name) => row[COLUMNS.indexOf(name)] === '?'));
  return whole.map((row) => Object.fromEntries(COLUMNS.map((name, i) => [name, row[i]])));
}

/** How an attribute looks at each level: recorded value to path. */
export function hierarchy(project, attribute) {
  const text = readFileSync(join(DATA, project, 'hierarchies', `${attribute}.csv`), 'utf8');
  return new Map(text.trim().split('\n').map((line) => line.trim().split(';')).map((path) => [path[0], path]));
}

/** Intervals of whole numbers, each width a level. */
export function intervals(widths) {
  const at = (value, width) => (width === '*' ? '*' : String(Math.floor(Number(value) / width) * width));
  return { get: (value) => [value, ...widths.map((width) => at(value, width)), '*'] };
}

/** The records of groups that are smaller than k. */
export function suppressed(all, hierarchies, scheme, k) {
  return [...groups(all, hierarchies, scheme).values()].filter((group) => group.length < k).flat();
}

/** The groups of a scheme: published values to their records. */
export function groups(all, hierarchies, scheme) {
  const names = Object.keys(hierarchies);
  const found = new Map();
  for (const record of all) {
    const key = names.map((name, i) => hierarchies[name].get(record[name])[scheme[i]]).join('|');
    const group = found.get(key);
    if (group) group.push(record);
    else found.set(key, [record]);
  }
  return found;
}
