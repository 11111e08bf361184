import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Everything is a file of its own: the page's security policy allows nothing inline.
export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', cssTarget: 'chrome123', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { include: ['test/**/*.test.ts'], environment: 'node' },
});
