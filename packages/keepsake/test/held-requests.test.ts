import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake, type ScopedMemory, type TurnInput } from 'keepsake'
import { PRESET_NAMES } from '@keepsake/papers'
import { openForTest } from './open-for-test.ts'

const ASK = 'Forget everything you know about me.'

let users = 0

async function told(keepsake: Keepsake, ...turns: (string | TurnInput)[]): Promise<ScopedMemory> {
  const ana = keepsake.scope({ user: `ana ${(users += 1)}` })
  for (const turn of ["I'm allergic to penicillin.", 'I live in Lyon with my two cats.', ...turns])
    await ana.remember(typeof turn === 'string' ? { role: 'user', text: turn } : turn)
  await ana.endSession()
  await ana.drain()
  return ana
}

async function allText(ana: ScopedMemory): Promise<string> {
  const recalled = await ana.recall('What do you know about me?')
  return JSON.stringify([await ana.memories(), recalled.context])
}

/** These read no requests: the plainest of baselines. */
const READ_NONE: readonly string[] = ['naive-rag', 'first-in-first-out']

describe.each(PRESET_NAMES.filter((name) => !READ_NONE.includes(name)))(
  'a request that everything be forgotten, under %s',
  (preset) => {
    it('removes nothing by itself, and is carried out by the application, which can be undone', async () => {
      const ana = await told(await openForTest({ preset }))
      const before = await ana.memories()
      const pending = [{ turn: 'asked', about: null, removes: expect.any(Object) }]
      const { pendingRequests } = await ana.remember({ role: 'user', text: ASK, id: 'asked' })
      await ana.endSession()
      expect(pendingRequests).toEqual(pending)
      await ana.drain()
      expect(await ana.memories({ statuses: ['deleted'] })).toEqual([])
      expect(await ana.admin.pendingRequests()).toEqual(pending)
      const { id } = await ana.confirmRequest('asked')
      expect(await allText(ana)).not.toMatch(/penicillin|Lyon/)
      await ana.undo(id)
      const deleted = (await ana.memories({ statuses: ['deleted'] })).map((one) => one.id)
      for (const one of before) expect(deleted).not.toContain(one.id)
    })

    it('is carried out by the yes that follows', async () => {
      const ana = await told(await openForTest({ preset }), ASK, 'Yes.')
      expect(await allText(ana)).not.toMatch(/penicillin|Lyon/)
      expect(await ana.admin.pendingRequests()).toEqual([])
    })
  },
)

describe('a held request', () => {
  let keepsake: Keepsake
  beforeAll(async () => {
    keepsake = await openMemory({ path: ':memory:' })
  })
  afterAll(() => keepsake.close())

  it.each([
    [
      'the agent asked about it',
      { role: 'assistant', text: 'That would delete 4 memories. Are you sure?' },
      'Yes, do it.',
      true,
    ],
    ['the agent asked something else', { role: 'assistant', text: 'Did you like the soup?' }, 'Yes.', false],
    ['the person says no', { role: 'assistant', text: 'Are you sure?' }, 'No, keep it.', false],
    ['the person goes on', { role: 'assistant', text: 'Are you sure?' }, 'I like tea.', false],
  ] as const)('waits for a yes to itself: %s', async (_, agent, answer, isGone) => {
    const ana = await told(keepsake, ASK, agent, answer)
    const text = await allText(ana)
    expect(/penicillin/.test(text)).toBe(!isGone)
  })

  it('in Chinese is confirmed in Chinese', async () => {
    const ana = keepsake.scope({ user: 'ana' })
    for (const text of ['我对青霉素过敏。', '请忘掉关于我的一切。'])
      await ana.remember({ role: 'user', text })
    await ana.drain()
    expect(await allText(ana)).toContain('青霉素')
    await ana.remember({ role: 'user', text: '确认。' })
    await ana.drain()
    expect(await allText(ana)).not.toContain('青霉素')
  })

  it.each([
    ['Vergiss alles, was du über mich weißt.', 'Ja, bitte.'],
    ['Bitte lösche alles über mich.', 'Mach das'],
    ['Olvida todo lo que sabes de mí.', 'Sí, por favor.'],
    ['Borra todos mis datos.', 'Dale'],
    ['Oublie tout ce que tu sais sur moi.', 'Oui, vas-y.'],
    ['Esquece tudo o que sabes sobre mim.', 'Pode apagar'],
    ['私のことは全部忘れて。', 'はい、お願いします'],
    ['제 정보를 모두 삭제해 주세요', '네.'],
  ])('is heard and confirmed: %s – %s', async (asked, yes) => {
    expect(await allText(await told(keepsake, asked))).toMatch(/penicillin/)
    expect(await allText(await told(keepsake, asked, yes))).not.toMatch(/penicillin|Lyon/)
  })

  it.each(['No, wait.', 'Lieber nicht', '算了', '아니요'])('ends with a no: %s', async (no) => {
    const ana = await told(keepsake, ASK, no, 'Yes.')
    expect(await allText(ana)).toMatch(/penicillin/)
    expect(await ana.admin.pendingRequests()).toEqual([])
  })

  it('that nobody made is not confirmed', async () => {
    const ana = await told(keepsake, { role: 'user', text: 'I like tea.', id: 'tea' })
    await expect(ana.confirmRequest('tea')).rejects.toMatchObject({ code: 'not-possible' })
    await expect(ana.confirmRequest('none')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('goes with the turn that made it', async () => {
    const ana = await told(keepsake, { role: 'user', text: ASK, id: 'asked' })
    await ana.erase({ turns: ['asked'] })
    expect(await ana.admin.pendingRequests()).toEqual([])
  })
})

describe.each([
  ['after the agent', ['How was it?']],
  ['after the user', []],
])('a request for what only a message says, %s', (_, replies) => {
  it.each([
    ['We saw Bergen last May.', 'please forget my trip to Bergen', 'yes', 'May'],
    ['去年五月我们去了青岛。', '请忘掉去青岛那次旅行', '是的', '五月'],
    ['Im Mai war ich in Bergen.', 'Bitte vergiss meine Fahrt nach Bergen', 'ja', 'Mai'],
  ])('waits, consolidated or not, and is carried out: %s', async (statement, request, yes, word) => {
    const keepsake = await openForTest()
    for (const isConsolidated of [true, false]) {
      const ana = keepsake.scope({ user: `ana ${(users += 1)}` })
      const turns = [statement, ...replies].map((text, place): TurnInput => {
        return { role: place === 0 ? 'user' : 'assistant', text }
      })
      for (const turn of turns) await ana.remember(turn)
      if (isConsolidated) await ana.drain()
      const { pendingRequests, unheardRequests } = await ana.remember({ role: 'user', text: request })
      const pending = [expect.objectContaining({ removes: expect.any(Object) })]
      expect({ pendingRequests, unheardRequests }).toEqual({ pendingRequests: pending })
      await ana.drain()
      expect(await ana.admin.pendingRequests()).toEqual(pending)
      await ana.remember({ role: 'assistant', text: 'Shall I really forget it?' })
      await ana.remember({ role: 'user', text: yes })
      await ana.drain()
      expect(await allText(ana)).not.toContain(word)
    }
  })
})
