// Writes compressed forms next to the files of the built page; the server sends the smallest that a browser accepts.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(js|css|html|svg)$/;

const FORMS = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Compresses every text file of a folder, unless that makes it no smaller. */
export function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => TEXT.test(name))) {
    const bytes = readFileSync(join(folder, name));
    for (const [ending, form] of Object.entries(FORMS)) {
      const compressed = form(bytes);
      if (compressed.length < bytes.length) writeFileSync(join(folder, `${name}.${ending}`), compressed);
    }
  }
}

compress(process.argv[2] ?? 'dist');
