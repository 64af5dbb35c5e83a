import { describe, expect, it } from 'vitest'
import { openMemory } from '../index.ts'

const DAY = 86_400_000
const START = Date.parse('2026-01-05T19:00:00Z')

/** A talk of several days, a session each: lines of the user's, and of the agent's where they begin with “> ”. */
async function talkOf(days: readonly (readonly string[])[]) {
  const memory = await openMemory({ path: ':memory:', now: () => START + days.length * DAY })
  const scope = memory.scope({ user: 'iris' })
  for (const [day, lines] of days.entries()) {
    const session = `s${day}`
    const turns = lines.map((line, place) => ({
      at: START + day * DAY + place * 60_000,
      role: line.startsWith('> ') ? ('assistant' as const) : ('user' as const),
      text: line.replace(/^> /, ''),
    }))
    await scope.remember(turns, { session })
    await scope.endSession(session)
  }
  await memory.drain()
  return { memory, scope }
}

const SMALL_TALK = [
  ['The soup burnt again.', '> That pan is cursed.', 'Did you ever see such rain?', '> Never in April.'],
  ['The bus was late, as ever.', '> Which one did you take?', 'The twelve. It smelt of onions.'],
  [
    'My sister Jo rang about the curtains.',
    '> What did she want?',
    'To know whether blue is a colour for a hall.',
  ],
]

describe('a question with two answers', () => {
  it('finds what came of advice beside the advice', async () => {
    const { memory, scope } = await talkOf([
      ['I cannot fall asleep these days.', '> Write tomorrow’s worries on a slip of paper before bed.'],
      ...SMALL_TALK,
      ['The slip of paper is a marvel, my worries stay on it.', '> I am glad.'],
    ])
    const { memories } = await scope.recall('What did you suggest for falling asleep, and did it help?')
    const first = memories.slice(0, 5).map(({ evidence }) => evidence.map(({ text }) => text).join(' '))
    expect(first.join(' ')).toContain('worries on a slip')
    expect(memories.some(({ parts }) => parts['leads'] !== undefined)).toBe(true)
    expect(first.join(' ')).toContain('is a marvel')
    await memory.close()
  })

  it('finds a change told in none of its words', async () => {
    const { memory, scope } = await talkOf([
      ['We rent two rooms above the chemist.', '> Is it loud?'],
      ...SMALL_TALK,
      ['The keys are ours, a house with a garden on Mill Lane, the sofa is in!', '> Congratulations!'],
    ])
    const { context } = await scope.recall('Where do I live now, and where did I live before?')
    expect(context.text).toContain('above the chemist')
    expect(context.text).toContain('Mill Lane')
    await memory.close()
  })

  it('leaves a plain question to what it finds', async () => {
    const { memory, scope } = await talkOf([...SMALL_TALK, ['I work at the mill.', '> Since when?']])
    const { memories } = await scope.recall('Where do I work?')
    expect(memories.filter(({ parts }) => parts['leads'] !== undefined)).toEqual([])
    await memory.close()
  })
})
