import { describe, expect, it } from 'vitest'
import { InvalidInputError, NotFoundError, type ScopedMemory } from 'keepsake'
import { openForTest, stoppedClock } from './open-for-test.ts'

const clock = stoppedClock('2026-05-04T10:00:00Z')

async function openAna(): Promise<ScopedMemory> {
  const keepsake = await openForTest({ now: clock.now })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember(
    [
      { role: 'user', text: 'My doctor says no peanuts for me, ever.', id: 't1' },
      { role: 'assistant', text: 'Noted: no peanuts.', id: 't2' },
      { role: 'user', text: 'Really, not even peanut oil.', id: 't3' },
    ],
    { session: 'monday' },
  )
  await ana.drain()
  return ana
}

describe('a statement of the application', () => {
  it('is a fact that rests on the turns it names, recalled at once', async () => {
    const ana = await openAna()
    const stated = await ana.addFact('The user cannot eat peanuts at all.', {
      type: 'persona',
      evidence: [{ turn: 't1', quote: 'no peanuts for me' }],
    })
    expect(stated).toMatchObject({
      form: 'fact',
      type: 'persona',
      status: 'live',
      label: 'user-stated',
      session: 'monday',
      evidence: [{ turn: 't1', quote: 'no peanuts for me' }],
      origin: { step: 'api', model: null },
    })
    const { context, memories } = await ana.recall('What can Ana not eat?')
    expect(context.text).toContain('cannot eat peanuts')
    expect(memories.find(({ memory }) => memory.id === stated.id)?.evidence[0]?.turn).toBe('t1')
  })

  it('made twice is one memory with two pieces of evidence', async () => {
    const ana = await openAna()
    const first = await ana.addFact('The user cannot eat peanuts.', { evidence: ['t1'] })
    const again = await ana.addFact('the user cannot eat peanuts', { evidence: ['t3'] })
    expect(again.id).toBe(first.id)
    expect(again.evidence.map(({ turn }) => turn)).toEqual(['t1', 't3'])
    const once = await ana.addFact('The user cannot eat peanuts.', { evidence: ['t3'] })
    expect(once.evidence).toHaveLength(2)
    expect((await ana.memories({ contains: 'cannot eat peanuts', forms: ['fact'] })).length).toBe(1)
  })

  it('under a key meets what is known by the key’s class, and can be undone', async () => {
    const ana = await openAna()
    const lyon = await ana.addFact('The user lives in Lyon.', {
      key: 'residence',
      at: '2025-01-01T00:00:00Z',
    })
    expect([lyon.key, lyon.value]).toEqual(['residence', 'Lyon'])
    const porto = await ana.addFact('The user lives in Porto.', { key: 'residence', value: 'Porto' })
    const sheet = await ana.persona()
    const residence = sheet.subjects[0]?.entries.find(({ key }) => key.id === 'residence')
    expect(residence?.values.map(({ value, validUntil }) => [value, validUntil !== null])).toEqual(
      expect.arrayContaining([
        ['Lyon', true],
        ['Porto', false],
      ]),
    )
    expect((await ana.recall('Where does Ana live?')).context.text).toContain('Porto')
    const [made] = await ana.admin.history(porto.id)
    await ana.undo(made?.id ?? '')
    expect((await ana.memories({ key: 'residence' })).map(({ value }) => value)).not.toContain(porto.value)
  })

  it('is nobody’s word but the application’s where it names no turn, or one that the agent said', async () => {
    const ana = await openAna()
    expect((await ana.addFact('The user has a loyalty card.')).label).toBe('other')
    expect((await ana.addFact('The user was told of peanuts.', { evidence: ['t2'] })).label).toBe('other')
  })

  it('is of whom it says, keeps metadata, and may be over', async () => {
    const ana = await openAna()
    const mia = await ana.addFact('Mia worked at a school.', {
      subject: 'Mia',
      at: '2020-01-01T00:00:00Z',
      until: '2023-06-01T00:00:00Z',
      metadata: { source: 'crm' },
    })
    expect(mia).toMatchObject({
      subject: 'Mia',
      metadata: { source: 'crm' },
      validFrom: Date.UTC(2020, 0, 1),
      validUntil: Date.UTC(2023, 5, 1),
    })
    expect(await ana.memories({ where: { path: 'source', is: 'crm' } })).toHaveLength(1)
  })

  it('has its secrets masked', async () => {
    const ana = await openAna()
    const stated = await ana.addFact('The user pays with 4111 1111 1111 1111.')
    expect(stated.text).not.toContain('4111 1111')
  })

  it('is refused in a sentence where it cannot be kept', async () => {
    const ana = await openAna()
    const refused = async (text: string, options: object, words: string): Promise<void> => {
      const stating = ana.addFact(text, options)
      await expect(stating).rejects.toThrow(InvalidInputError)
      await expect(stating).rejects.toThrow(words)
    }
    await refused(' ', {}, 'needs words')
    await refused('x', { evidnce: [] }, 'addFact() has no option "evidnce". Did you mean "evidence"?')
    await refused('x', { key: 'residense' }, 'There is no persona key "residense". Did you mean "residence"?')
    await refused('Something.', { key: 'residence' }, 'needs its value')
    await refused('x', { key: 'residence', value: ' ' }, 'value must not be blank')
    await refused('x', { type: 'fact' }, 'type must be one of persona')
    await refused(
      'x',
      { evidence: [{ turn: 't1', quote: 'all nuts' }] },
      'does not hold the words of its quote',
    )
    await refused('x', { at: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'until must not be')
    await expect(ana.addFact('x', { evidence: ['nowhere'] })).rejects.toThrow(NotFoundError)
    expect(await ana.memories({ forms: ['fact'], contains: 'x' })).toEqual([])
  })
})
