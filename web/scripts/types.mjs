// Writes src/lib/server/types.ts from openapi.json, the description of the HTTP interface.

import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const here = (path) => new URL(`../${path}`, import.meta.url);
const notice = '// Generated from openapi.json by `npm run types`. Do not edit.\n\n';

/** The types of all schemas of the document. Paths and operations are left out: api.ts names the routes. */
export async function types() {
  const document = JSON.parse(await readFile(here('openapi.json'), 'utf8'));
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true, defaultNonNullable: false };
  const text = astToString(await openapiTS({ ...document, paths: {} }, options));
  const unused = /^export (interface (paths|operations) \{\n\}|type (paths|webhooks|operations|\$defs) = Record<string, never>;)\n/gm;
  return notice + text.replace(unused, '');
}

if (process.argv[1]?.endsWith('types.mjs')) await writeFile(here('src/lib/server/types.ts'), await types());
