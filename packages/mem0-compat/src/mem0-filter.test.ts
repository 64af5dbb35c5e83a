import * as fc from 'fast-check'
import type { Metadata } from 'keepsake'
import { matchesMetadata } from 'keepsake/store'
import { describe, expect, test } from 'vitest'
import { asMetadataFilter, namesEntity, narrow, readFilters, usersIn } from './read-filters.ts'

const memory: Metadata = {
  user_id: 'ana',
  agent_id: null,
  app_id: null,
  run_id: 'r1',
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-02T10:00:00.000Z',
  categories: [],
  keywords: 'Ana takes window seats.',
  memory_ids: 'm1',
  memory_type: 'fact',
  feedback: null,
  feedback_reason: null,
  metadata: { topic: 'travel', rank: 2, year: '2026', done: false, note: null, tags: ['sea', 'x'] },
}

const holds = (filters: object): boolean => matchesMetadata(readFilters(filters), memory)

describe('a filter', () => {
  const cases: [object, boolean][] = [
    [{ user_id: 'ana' }, true],
    [{ user_id: { ne: 'ana' } }, false],
    [{ agent_id: '*' }, false],
    [{ agent_id: null }, true],
    [{ NOT: { agent_id: '*' } }, true],
    [{ NOT: [{ user_id: 'ben' }, { user_id: 'cleo' }] }, true],
    [{ NOT: [{ user_id: 'ben' }, { user_id: 'ana' }] }, false],
    [{ user_id: ['ben', 'ana'] }, true],
    [{ created_at: { gte: '2026-03-01', lt: '2026-03-02' } }, true],
    [{ created_at: { gte: '2026-03-01T12:00:00+02:00' } }, true],
    [{ created_at: { gt: '2026-03-01T12:00:00+02:00' } }, false],
    [{ timestamp: { lt: 1_772_400_000 } }, true],
    [{ timestamp: { lt: 1_772_000_000 } }, false],
    [{ keywords: { contains: 'window' } }, true],
    [{ keywords: { contains: 'WINDOW' } }, false],
    [{ memory_ids: { in: ['m0', 'm1'] } }, true],
    [{ categories: { in: ['x'] } }, false],
    [{ categories: '*' }, false],
    [{ metadata: { topic: 'travel', rank: { gt: 1, lte: 2 } } }, true],
    [{ metadata: { done: false } }, true],
    [{ metadata: { rank: { gt: 'a' } } }, false],
    [{ metadata: { absent: '*' } }, false],
    [{ metadata: { absent: { ne: 'x' } } }, true],
    [{ metadata: { constructor: '*' } }, false],
    [{ metadata: { note: '*' } }, false],
    [{ metadata: { absent: null, note: null } }, true],
    [{ metadata: { year: 2026 } }, true],
    [{ metadata: { tags: 'sea' } }, true],
    [{ metadata: { tags: { ne: 'sea' } } }, false],
    [{ metadata: { tags: ['sky', 'x'] } }, true],
    [{ metadata: { topic: 'trav' } }, false],
    [{ metadata: { tags: { contains: 'sea' }, topic: { contains: 'trav' } } }, true],
    [{ feedback: null }, true],
    [{ feedback: '*' }, false],
    [{ OR: [{ user_id: 'ben' }, { AND: [{ runId: 'r1' }, { memoryType: 'fact' }] }] }, true],
  ]
  test.each(cases)('%j', (filters, expected) => {
    expect(holds(filters)).toBe(expected)
  })

  test('leaves open what depends on fields that are not known yet', () => {
    const scope = { user_id: 'ana', agent_id: 'bot', app_id: null }
    const asked = (filters: object) => narrow(readFilters(filters), scope)
    expect(asked({ user_id: 'ana', run_id: 'r1' })).toEqual({ all: [readFilters({ run_id: 'r1' })] })
    expect(asked({ user_id: 'ben', run_id: 'r1' })).toBe(false)
    expect(asked({ OR: [{ user_id: 'ana' }, { run_id: 'r1' }] })).toBe(true)
    expect(asked({ NOT: { metadata: { a: 1 } } })).toEqual({
      not: { any: [readFilters({ metadata: { a: 1 } })] },
    })
  })

  test('is asked of what is kept with a memory where it asks for nothing else', () => {
    const kept = { ...(memory['metadata'] as Metadata), $mem0: { feedback: 'NEGATIVE' } }
    const asked = (filters: object) => {
      const where = asMetadataFilter(readFilters(filters))
      return where === null ? null : matchesMetadata(where, kept)
    }
    expect(asked({ metadata: { topic: 'travel', tags: 'sea' } })).toBe(true)
    expect(asked({ NOT: [{ metadata: { topic: 'travel' } }] })).toBe(false)
    expect(asked({ OR: [{ feedback: 'NEGATIVE' }, { metadata: { topic: 'x' } }] })).toBe(true)
    expect(asked({ feedback_reason: '*' })).toBe(false)
    expect(asked({ metadata: { topic: 'travel' }, run_id: 'r1' })).toBeNull()
    expect(asked({ NOT: { keywords: { contains: 'x' } } })).toBeNull()
  })

  test('names the only users it can hold for', () => {
    const users = (filters: object) => usersIn(readFilters(filters))
    expect(users({ user_id: 'ana' })).toEqual(new Set(['ana']))
    expect(users({ AND: [{ user_id: { in: ['ana', 'ben'] } }, { user_id: 'ben' }] })).toEqual(
      new Set(['ben']),
    )
    expect(users({ OR: [{ user_id: 'ana' }, { user_id: 'ben' }] })).toEqual(new Set(['ana', 'ben']))
    expect(users({ OR: [{ user_id: 'ana' }, { agent_id: 'bot' }] })).toBeNull()
    expect(users({ NOT: { user_id: 'ana' } })).toBeNull()
    expect(users({ user_id: '*' })).toBeNull()
  })

  test('that limits users holds for no other, whatever it is', () => {
    const leaf = fc.oneof(
      fc.constantFrom('ana', 'ben', '*').map((user_id) => ({ user_id })),
      fc.constantFrom('ana', 'ben').map((user) => ({ user_id: { ne: user } })),
      fc.constantFrom('bot', '*').map((agent_id) => ({ agent_id })),
    )
    const { tree } = fc.letrec<{ tree: object }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ AND: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ OR: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ NOT: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
      ),
    }))
    fc.assert(
      fc.property(
        tree,
        fc.constantFrom('ana', 'ben', 'cleo'),
        fc.constantFrom('bot', null),
        (given, user, agent) => {
          const filter = readFilters(given)
          const limit = usersIn(filter)
          const holdsFor = narrow(filter, { user_id: user, agent_id: agent })
          expect(typeof holdsFor).toBe('boolean')
          if (limit !== null && !limit.has(user)) expect(holdsFor).toBe(false)
        },
      ),
    )
  })

  test('says whether it names an entity', () => {
    expect(namesEntity(readFilters({ OR: [{ metadata: { a: 1 } }, { run_id: 'r' }] }))).toBe(true)
    expect(namesEntity(readFilters({ keywords: { contains: 'x' } }))).toBe(false)
  })

  const refused: [unknown, RegExp][] = [
    ['x', /filters must be an object/],
    [[], /filters must be an object/],
    [{ AND: [] }, /filters.AND is empty/],
    [{ AND: ['x'] }, /filters.AND.0 must be an object/],
    [{ user_id: {} }, /filters.user_id must be/],
    [{ user_id: { in: 'ana' } }, /filters.user_id.in must be a list/],
    [{ user_id: [{}] }, /filters.user_id.0 must be/],
    [{ created_at: { '>=': 1 } }, /filters.created_at.>= is no operator/],
    [{ created_at: { gte: 'soon' } }, /filters.created_at.gte must be a time/],
    [{ metadata: 'x' }, /filters.metadata must be an object/],
    [JSON.parse(`${'{"NOT":'.repeat(20)}{"user_id":"a"}${'}'.repeat(20)}`), /nested deeper/],
  ]
  test.each(refused)('%j is refused by name', (filters, message) => {
    expect(() => readFilters(filters)).toThrow(message)
  })

  test('of the self-hosted dialect takes unknown names as metadata', () => {
    expect(matchesMetadata(readFilters({ topic: 'travel' }, 'metadata'), memory)).toBe(true)
    expect(() => readFilters({ topic: 'travel' })).toThrow(/filters.topic is no field/)
  })
})
