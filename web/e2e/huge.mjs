// A project of the census table with eleven quasi-identifiers: 311,040 schemes.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA } from './census.mjs';

export const HUGE_NAMES = ['sex', 'age', 'race', 'marital-status', 'education', 'native-country', 'workclass', 'occupation', 'salary-class', 'education-num', 'hours-per-week'];

/** The nine attributes of `data/adult-9` (12,960 schemes), and two more of 4 and 6 levels. */
export function eleven() {
  const folder = mkdtempSync(join(tmpdir(), 'haggle-eleven-'));
  const nine = readFileSync(join(DATA, 'adult-9/haggle.toml'), 'utf8');
  const here = nine.replaceAll('"../adult/', `"${DATA}/adult/`).replaceAll('"hierarchies/', `"${DATA}/adult-9/hierarchies/`);
  const more = (name, widths) => `[[attribute]]\nname = "${name}"\nrole = "quasi-identifier"\nhierarchy = { intervals = [${widths}], origin = 0 }\n\n`;
  writeFileSync(join(folder, 'haggle.toml'), here.replace('[request]', `${more('education-num', '2, 4')}${more('hours-per-week', '5, 10, 20, 40')}[request]`));
  return folder;
}
