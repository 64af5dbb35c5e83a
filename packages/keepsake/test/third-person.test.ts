import { expect, it } from 'vitest'
import { openMemory, type Keepsake } from 'keepsake'

const SAID = [
  'I work at the ferry office in the old harbour.',
  'Good night, see you tomorrow.',
  'My sister Runa keeps bees behind the church.',
  'I always take the window seat on the bus.',
  'We went to see the lights, it was cold.',
  'I have been afraid of geese since I was six.',
]
const ASKED: readonly [first: string, third: string][] = [
  ['Where do I work?', 'Where does Oda work?'],
  ['What does my sister keep?', "What does Oda's sister keep?"],
  ['Which seat do I take?', 'Which seat does Oda take?'],
  ['What am I afraid of?', 'What is Oda afraid of?'],
]

async function open(): Promise<Keepsake> {
  const memory = await openMemory({ path: ':memory:', maskSecrets: false })
  const turns = SAID.map((text, place) => ({
    role: 'user' as const,
    speaker: 'Oda',
    text,
    at: (place + 1) * 60_000,
  }))
  await memory.scope({ user: 'oda' }).remember(turns, { session: 's' })
  return memory
}

it.each(ASKED)('the same is found first whoever asks: %s', async (first, third) => {
  const memory = await open()
  const found = async (question: string) =>
    (await memory.scope({ user: 'oda' }).recall(question, { now: 60 * 60_000 })).memories.map(
      ({ evidence }) => evidence[0]?.text,
    )
  const [one, other] = [await found(first), await found(third)]
  expect(one[0]).toBeDefined()
  expect(other.slice(0, 4)).toEqual(one.slice(0, 4))
  await memory.close()
})
