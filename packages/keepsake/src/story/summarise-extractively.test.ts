import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Role, Turn } from '../turns/turn.ts'
import { rawUnit, sourcesOfUnits, summaryUnit } from './story-units.ts'
import { extractiveSummariser } from './summarise-extractively.ts'
import { summariseSession } from '../consolidate/finish-session.ts'

const turn = (id: string, text: string, role: Role = 'user'): Turn => makeTurn({ id, text, role, at: 5 })

describe('the extractive summariser', () => {
  const summarise = async (turns: readonly Turn[], maxCharacters = 700): Promise<Candidate | null> => {
    const summary = await summariseSession(turns, extractiveSummariser(), { maxCharacters })
    if (summary === 'unsafe') throw new Error('Quotes are not judged.')
    return summary
  }
  /** Turn and words of each quote. */
  const quotes = async (turns: readonly Turn[], maxCharacters?: number) =>
    (await summarise(turns, maxCharacters))?.evidence.map(({ turn: id, quote }) => [id, quote])
  const talk = [
    turn('1', 'Hello there!'),
    turn('2', 'How was your week?', 'assistant'),
    turn('3', 'My brother Paul visited me from Oslo on Saturday. We climbed a hill near the lake.'),
    turn('4', 'That sounds lovely, climbing a hill near the lake with your brother.', 'assistant'),
    turn('5', 'I started a new job at the harbour museum in March. Thanks for asking!'),
    turn('6', 'Bye!'),
  ]

  const PAUL = ['3', 'My brother Paul visited me from Oslo on Saturday.']
  const HILL = ['3', 'We climbed a hill near the lake.']
  const MUSEUM = ['5', 'I started a new job at the harbour museum in March.']

  it('keeps what the user told, in order, as it was said, as far as it fits', async () => {
    const [paul = 0, hill = 0, museum = 0] = [PAUL, HILL, MUSEUM].map(([, quote]) => quote?.length)
    const all = paul + 1 + hill + 1 + museum
    expect(await quotes(talk, all)).toEqual([PAUL, HILL, MUSEUM])
    expect((await summarise(talk, all))?.text).toBe([PAUL, HILL, MUSEUM].map(([, quote]) => quote).join(' '))
    expect(await quotes(talk, all - 1)).toEqual([PAUL, HILL])
    expect(await quotes(talk, paul + hill)).toEqual([HILL])
  })

  it('prefers what the user says of themself to what the agent says of it', async () => {
    const both = [
      turn('1', 'You climbed a hill near the lake with your brother.', 'assistant'),
      turn('2', 'I climbed a hill near the lake with my brother.'),
    ]
    expect(await quotes(both, 60)).toEqual([['2', 'I climbed a hill near the lake with my brother.']])
  })

  it('does not say the same thing twice', async () => {
    const repeated = [
      turn('1', 'I bought a red bicycle in Ghent.'),
      turn('2', 'I bought a red bicycle in Ghent!'),
      turn('3', 'My aunt Vera paints large portraits of dogs.'),
    ]
    expect(await quotes(repeated)).toEqual([
      ['1', 'I bought a red bicycle in Ghent.'],
      ['3', 'My aunt Vera paints large portraits of dogs.'],
    ])
  })

  it.each([
    ['greetings', ['Hi!', 'Bye.']],
    ['too few words', ['A boat.', 'Boats, boats, boats and bread.']],
    ['questions alone', ['Which boats did my brother paint yesterday?']],
    ['a sentence longer than four hundred characters', [`I painted boats and ${'bread '.repeat(64)}.`]],
    ['nothing', []],
  ])('has nothing to say of %s', async (_, texts) => {
    expect(await summarise(texts.map((text, at) => turn(`${at}`, text)))).toBeNull()
  })

  it('has nothing to say of what neither user nor agent said', async () => {
    expect(await summarise([turn('1', 'My brother Paul visited me from Oslo.', 'other')])).toBeNull()
  })

  it('says what three different words tell, and up to four hundred characters', async () => {
    const long = `I painted red boats ${'.'.repeat(379)}.`
    expect(long).toHaveLength(400)
    expect(await quotes([turn('1', 'Boats paint bread.')])).toEqual([['1', 'Boats paint bread.']])
    expect(await quotes([turn('1', long)])).toEqual([['1', long]])
  })

  it('reads Chinese', async () => {
    const chinese = [turn('1', '你好！'), turn('2', '我上周和妹妹一起去了厦门看海。后来我们吃了很多海鲜。')]
    expect(await quotes(chinese)).toEqual([
      ['2', '我上周和妹妹一起去了厦门看海。'],
      ['2', '后来我们吃了很多海鲜。'],
    ])
  })

  it('takes texts for alike that an embedding takes for alike', async () => {
    const talkOf = [turn('1', 'My kayak leaks near the bow.'), turn('2', 'My canoe drips beside a paddle.')]
    const alike = embedBy({ kayak: [1, 0], canoe: [1, 0] })
    const sources = talkOf.map(({ id, text }) => ({
      turn: id,
      text,
      role: 'user' as const,
      speaker: null,
      at: 1,
    }))
    const told = async (embedding?: typeof alike) =>
      (await extractiveSummariser().summarise(sources, {
        maxCharacters: 700,
        ...(embedding === undefined ? {} : { embedding }),
      })) as { readonly text: string }
    expect((await told()).text).toBe('My kayak leaks near the bow. My canoe drips beside a paddle.')
    expect((await told(alike)).text).toBe('My kayak leaks near the bow.')
  })

  it('summarises summaries from the sentences they kept', async () => {
    const units = [rawUnit([{ number: 1, turns: talk }])]
    expect(units[0]).toMatchObject({ form: 'story', level: 1, text: '', validFrom: 5 })
    const byId = new Map(talk.map((one) => [one.id, one]))
    const second = await summaryUnit(
      { level: 2, at: 5 },
      sourcesOfUnits(units, (id) => byId.get(id)),
      extractiveSummariser(),
    )
    const third = await summaryUnit(
      { level: 3, at: 5 },
      sourcesOfUnits(second === null ? [] : [second], (id) => byId.get(id)),
      extractiveSummariser(),
    )
    const kept = second?.evidence.map(({ quote }) => quote)
    expect(kept).toEqual(
      talk.flatMap(({ text }) => text.split(/(?<=\.) /)).filter((text) => /Paul|climb|museum/.test(text)),
    )
    expect(third).toEqual({ ...second, level: 3 })
  })
})
