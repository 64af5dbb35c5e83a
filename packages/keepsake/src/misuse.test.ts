import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory, type Keepsake } from './memory.ts'
import type { ScopedMemory } from './scoped-memory.ts'

let keepsake: Keepsake
beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  await keepsake.scope({ user: 'ana' }).remember({ id: 'q', role: 'user', text: 'I live in Graz.' })
})
afterAll(() => keepsake.close())

/** Calls as programs without types make them. */
type Loose = Readonly<Record<keyof ScopedMemory, (...given: readonly unknown[]) => Promise<unknown>>>

const CALLS: readonly (readonly [keyof ScopedMemory, readonly unknown[], RegExp])[] = [
  ['remember', [{ role: 'toString', text: 'hi' }], /role must be one of/],
  ['remember', [{ role: 'user', text: ' \u200B\n' }], /text is empty/],
  ['memories', [{ forms: 'fact' }], /forms of memories\(\) must be a list/],
  ['memories', [{ forms: ['facts'] }], /forms of memories\(\) has no "facts"/],
  ['memories', [{ pinned: 'yes' }], /pinned of memories\(\) must be true or false/],
  ['memories', [{ ids: [5] }], /ids of memories\(\) must be a list of texts/],
  ['recall', ['Where?', { top_k: 3 }], /Did you mean "limit"/],
  ['recall', ['Where?', { filters: {} }], /Did you mean "where"/],
  ['remember', [{ role: 'user', text: 'hi' }, { threadId: 'x' }], /Did you mean "session"/],
  ['recall', ['Where?', { types: ['people'] }], /types of recall\(\) has no "people"/],
  ['forgetAbout', ['Graz', { dryRun: 'false' }], /dryRun of forgetAbout\(\) must be true or false/],
  ['erase', [{ turns: 'q' }], /turns of erase\(\) must be a list/],
  ['erase', [{ sessions: null }], /sessions of erase\(\) must be a list of texts, but it is null/],
  ['erase', [{ everything: 'no' }], /everything of erase\(\) must be true or false/],
  ['forget', [], /memory must be a non-empty string, but it is undefined/],
  ['forget', [{ id: 'x' }], /memory must be a non-empty string/],
  ['edit', [['x'], { text: 'y' }], /memory must be a non-empty string/],
  ['pin', ['x', 'no'], /pinned must be true or false/],
  ['undo', [7], /operation must be a non-empty string/],
  ['explain', [null], /memory must be a non-empty string/],
]

test.each(CALLS)('%s(%j) is refused in words', async (call, given, said) => {
  const ana = keepsake.scope({ user: 'ana' }) as unknown as Loose
  await expect(ana[call](...given)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(said),
  })
  expect(await keepsake.scope({ user: 'ana' }).turns()).toHaveLength(1)
})

test.each([undefined, null, 7, '{}'])('import(%j) is refused in words', async (given) => {
  const lines = given as unknown as readonly string[]
  await expect(keepsake.import(lines)).rejects.toThrow(/takes the lines of an export/)
})

test.each<[Record<string, unknown>, RegExp]>([
  [{ preset: 'constructor' }, /no preset "constructor"/],
  [{ cacheBytes: -1 }, /whole number from 1/],
  [{ retention: { when: 'capacity', memories: -4 } }, /retention.memories must be 0 or more, but it is -4/],
  [{ retention: { when: 'session-end', keep: -1 } }, /retention.keep must be 0 or more/],
  [{ maxTurnLength: Number.NaN }, /whole number from 1/],
  [{ busyTimeoutMs: 0.5 }, /whole number from 0/],
  [{ synchronous: 'off' }, /"full" or "normal"/],
  [{ modelOptions: { timeout: 5 } }, /Did you mean "timeoutMs"/],
  [{ path: 'a\0b.db' }, /without NUL/],
  [{ filename: 'memory.db' }, /Did you mean "path"/],
  [{ llm: {} }, /Did you mean "model"/],
])('openMemory(%j) is refused in words', async (given, said) => {
  await expect(openMemory({ path: ':memory:', ...given })).rejects.toThrow(said)
})
