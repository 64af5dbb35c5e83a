import { openMemory, type TurnInput } from 'keepsake'
import { expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const HOUR_MS = 3_600_000

/** Remembers turns. @returns the texts that are gone, the instructions that stand, and how many requests wait */
async function talk(turns: readonly TurnInput[]) {
  await using keepsake = await openMemory({ path: ':memory:', now: () => START + 900 * HOUR_MS })
  const scope = keepsake.scope({ user: 'ana' })
  for (const [index, turn] of turns.entries()) {
    await scope.remember({ ...turn, at: START + index * HOUR_MS })
    await scope.drain()
  }
  const utterances = await scope.memories({ forms: ['utterance'] })
  const facts = await scope.memories({ forms: ['fact'] })
  const texts = turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const isInstruction = /asked|要求|is called/
  return {
    gone: texts.filter((said) => !utterances.some(({ text }) => text.includes(said))),
    instructions: facts.filter(({ text }) => isInstruction.test(text)).length,
    waiting: (await scope.admin.pendingRequests()).length,
  }
}

const NOTHING = { gone: [], instructions: 0, waiting: 0 }
const say = (speaker: string, text: string): TurnInput => ({ role: 'user', speaker, text })

it.each([
  'Ben, please forget what I said about the divorce',
  'forget it, delete that message',
  'Please forget my divorce.',
  '把那件事忘了吧',
  '请忘掉我离婚的事。',
  'Forget everything I told you.',
  'yes',
  'call me Doc',
  'Never mention my ex again.',
  '以后叫我老王',
])('in a talk between people nothing is asked of the memory: %s', async (text) => {
  const said = [say('Ana', 'My divorce was awful.'), say('Ana', '我离婚了。')]
  const answer: TurnInput = { role: 'assistant', speaker: 'Ben', text: 'Oh no, I am sorry.' }
  const turns = [...said, answer, say('Ana', text)]
  expect(await talk(turns.map((turn) => ({ ...turn, metadata: { talk: 'people' } })))).toEqual(NOTHING)
})

const GROUP = [
  say('Ana', 'My divorce was awful.'),
  say('Ben Koch', 'I heard.'),
  { role: 'assistant', speaker: 'Luna', text: 'Hm.' },
] as const

it.each([
  'Ben, please forget what I said about the divorce.',
  'hey ben can you forget my divorce',
  'Please forget my divorce, Ben.',
  '@Ben forget my divorce',
  'Ben你把我离婚的事忘了吧',
  'Ben, forget everything I said.',
  'Ben, call me Doc.',
])('in a group, what is asked of a present person is no request: %s', async (text) =>
  expect(await talk([...GROUP, say('Ana', text)])).toEqual(NOTHING),
)

it.each([
  'Luna, please forget my divorce.',
  'Please forget my divorce.',
  'Ben is here. Please forget my divorce.',
])('in a group the assistant hears its requests: %s', async (text) =>
  expect((await talk([...GROUP, say('Ana', text)])).gone).toEqual([GROUP[0].text, text]),
)

it('a request behind words to a person waits for a yes', async () =>
  expect(await talk([...GROUP, say('Ana', 'Ben, see you. Please forget my divorce.')])).toEqual({
    ...NOTHING,
    waiting: 1,
  }))
