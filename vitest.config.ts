import { defineConfig } from 'vitest/config'

/** Kills, fuzz and load take minutes: `npm run test:long` runs them, `npm test` the others. */
const LONG = 'packages/*/{src,test}/**/*.long.test.ts'

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG] : ['packages/*/{src,test}/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(mode === 'long' ? [] : [LONG])],
    testTimeout: 30_000,
  },
}))
