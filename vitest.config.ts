import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Kills, fuzz and load take minutes: `npm run test:long` runs them, `npm test` the others. */
const LONG = '{packages,tools}/*/{src,test}/**/*.long.test.ts'
/** Hostile texts, recorded answers, and many similar cases: a few in the short tests, and the others in the long ones. */
const MORE_IN_LONG =
  '{packages,tools}/*/{src,test}/**/{text-gate,recorded-answers,said-by-others,shapes,strangers,forgetting}.test.ts'

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG, MORE_IN_LONG] : ['{packages,tools}/*/{src,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', ...(mode === 'long' ? [] : [LONG])],
    env: mode === 'long' ? { KEEPSAKE_LONG_TESTS: 'true' } : {},
    globalSetup: 'scripts/temporary-folder-of-tests.mjs',
    // No test is about how long it takes: these end what hangs, and a busy machine takes ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // Tests wait for processes, servers and timers, long ones half of their time. Other files run meanwhile.
    maxWorkers: Math.ceil(availableParallelism() * (mode === 'long' ? 2 : 1.5)),
    // One worker runs file after file, which loads the engine and its tables once instead of 320 times: half of all
    // time. So no file may leave anything changed. Long tests kill and load, and get a process each.
    isolate: mode === 'long',
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
}))
