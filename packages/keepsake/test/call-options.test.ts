import { InvalidInputError, openMemory, type OpenOptions, type ScopeAdmin, type ScopedMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterAll, describe, expect, it } from 'vitest'

const memory = await openMemory({ path: ':memory:' })
const ana = memory.scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'I keep bees.' })
// What follows in the background would change the log while a test compares it.
await memory.drain()
afterAll(() => memory.close())

/** Calls as a program in plain JavaScript may write them. */
type Loose = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>
const call = (
  name: keyof ScopedMemory | keyof ScopeAdmin,
  ...given: unknown[]
): Promise<unknown> | undefined => {
  const of = (name in ana ? ana : ana.admin) as unknown as Loose
  return of[name]?.(...given)
}

describe('an option that there is not', () => {
  it.each([
    ['recall', ['bees', { limti: 5 }], 'recall() has no option "limti". Did you mean "limit"?'],
    [
      'remember',
      [{ role: 'user', text: 'x' }, { sesion: 'a' }],
      'remember() has no option "sesion". Did you mean "session"?',
    ],
    [
      'reply',
      [{ role: 'user', text: 'x' }, { tool: {} }],
      'reply() has no option "tool". Did you mean "tools"?',
    ],
    ['note', ['x', { nme: 'seat' }], 'note() has no option "nme". Did you mean "name"?'],
    ['edit', ['m1', { txt: 'y' }], 'edit() has no option "txt". Did you mean "text"?'],
    ['erase', [{ memorys: ['m1'] }], 'erase() has no option "memorys". Did you mean "memories"?'],
    ['previewErasure', [{ turn: ['t'] }], 'erase() has no option "turn". Did you mean "turns"?'],
    ['runForgetting', [{ dryrun: true }], 'runForgetting() has no option "dryrun". Did you mean "dryRun"?'],
    ['strengths', [{ polcy: 'lufy' }], 'strengths() has no option "polcy". Did you mean "policy"?'],
    ['memories', [{ status: ['live'] }], 'memories() has no option "status". Did you mean "statuses"?'],
    ['turns', [{ sessions: 'a' }], 'turns() has no option "sessions". Did you mean "session"?'],
    [
      'turnPage',
      [{ newest: true }],
      'turnPage() has no option "newest". There are: limit, cursor, newestFirst, session, order.',
    ],
    ['sessionPage', [{ limits: 3 }], 'sessionPage() has no option "limits". Did you mean "limit"?'],
    ['log', [{ kind: ['add'] }], 'log() has no option "kind". Did you mean "kinds"?'],
    ['countMemories', [{ form: ['fact'] }], 'countMemories() has no option "form". Did you mean "forms"?'],
    [
      'countMemories',
      [{ limit: 5 }],
      'countMemories() has no option "limit". There are: exactScope, statuses, forms, types, session, ids, names, where, categories, subject, key, pinned, contains, said, during, timeZone, validAt, learnedFrom, learnedTo.',
    ],
    [
      'remember',
      [{ role: 'user', text: 'x', speeker: 'A' }],
      'turn has no field "speeker". Did you mean "speaker"?',
    ],
    [
      'remember',
      [{ role: 'user', content: 'x' }],
      'turn.text is missing, and there is "content": hand over what was said as "text", as in { role, text: message.content }.',
    ],
  ] as const)('of %s() is refused, with the one that was likely meant', async (name, given, message) => {
    const before = JSON.stringify([await ana.turns(), await ana.log()])
    const refused = call(name, ...given)
    await expect(refused).rejects.toThrow(InvalidInputError)
    await expect(refused).rejects.toThrow(message)
    expect(JSON.stringify([await ana.turns(), await ana.log()])).toBe(before)
  })

  const loose = memory as unknown as Readonly<Record<string, (...given: unknown[]) => unknown>>
  it.each([
    ['scope', [{ user: 'ana', agnt: 'bot' }], 'scope has no field "agnt". Did you mean "agent"?'],
    ['scope', [{ usr: 'ana' }], 'scope has no field "usr". Did you mean "user"?'],
    ['scopes', [{ usr: 'ana' }], 'scopes() has no option "usr". Did you mean "user"?'],
    ['jobs', [{ sate: 'parked' }], 'jobs() has no option "sate". Did you mean "state"?'],
    ['on', ['memory-aded', () => undefined], 'There is no event "memory-aded". Did you mean "memory-added"?'],
  ] as const)('of the memory itself, by %s(), is refused too', async (name, given, message) => {
    await expect((async () => loose[name]?.(...given))()).rejects.toThrow(message)
  })

  it.each([
    [
      { models: { extracton: scriptedModel([]) } },
      'models has no field "extracton". Did you mean "extraction"?',
    ],
    [{ models: { extracton: {} } }, 'models has no field "extracton". Did you mean "extraction"?'],
    [{ modle: scriptedModel([]) }, 'openMemory() has no option "modle". Did you mean "model"?'],
  ])('of openMemory() is refused before anything is opened', async (given, message) => {
    const options = { path: ':memory:', ...given } as OpenOptions
    await expect(openMemory(options)).rejects.toThrow(message)
  })

  it('is none where it is undefined, or an object is not given at all', async () => {
    expect(await call('recall', 'bees', { limit: undefined })).toMatchObject({ memories: [{}] })
    await expect(call('recall', 'bees', 5)).rejects.toThrow('recall() takes an object of options, but got')
  })
})
