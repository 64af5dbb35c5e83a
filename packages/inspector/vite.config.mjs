import { defineConfig } from 'vite'

/** The page in `src/page` becomes `dist/page`: no inline script or style, nothing fetched from elsewhere. */
export default defineConfig({
  root: new URL('src/page', import.meta.url).pathname,
  base: '/',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: new URL('dist/page', import.meta.url).pathname,
    emptyOutDir: true,
    // What knows `light-dark()` in style sheets.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // Files inlined as data addresses would need a laxer content-security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
