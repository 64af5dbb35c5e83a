import { join } from 'node:path'
import type { ScopedMemory } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { PAPER_PROMPTS } from '@keepsake/papers'
import { chatRow, rankedRow } from '@keepsake/train'
import { describe, expect, it } from 'vitest'
import { learnedFact } from '../testing/scripted-endpoint.ts'
import { exportTo, fillWith, rowsIn, talk } from '../testing/train-export.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()

const turnsOf = (asked: string): string => asked.slice(asked.lastIndexOf('<turns>'))
const code = (type: string, content: string, quote: string, turn: number): string =>
  JSON.stringify({
    operations: [{ type, index: type === 'add' ? null : 1, content, why: null, turn, quote }],
  })
const NOTHING = '{"operations": []}'

/** Answers an export's questions by its answers: what a model does that learned them by heart. */
function learnedModel(out: string) {
  const answers = new Map(
    rowsIn(out, 'sft', chatRow).map(({ messages }) => [turnsOf(messages[1].content), messages[2].content]),
  )
  return ({ messages }: LanguageRequest): string => answers.get(turnsOf(messages[0]?.text ?? '')) ?? NOTHING
}

const factsOf = async (person: ScopedMemory): Promise<string[]> =>
  (await person.memories({ forms: ['fact'] })).map(({ text }) => text)

describe('what is exported', () => {
  it('plugs in: a model that learned the answers of an export, corrections included, fills a memory as people left theirs', async () => {
    const rounds = [
      ['I live in Porto.', 'Nice.'],
      ['I moved to Lisbon.', 'Oh!'],
      ['I might buy a boat.', 'Do!'],
    ] as const
    const db = join(folder, 'loop.db')
    const teacher = ({ messages }: LanguageRequest): string => {
      const asked = turnsOf(messages[0]?.text ?? '')
      if (asked.includes('I live in Porto.'))
        return code('add', 'The user lives in Porto.', 'I live in Porto.', 1)
      if (asked.includes('I moved'))
        return code('modify', 'The user lives in Lisbon.', 'I moved to Lisbon.', 2)
      return asked.includes('boat') ? code('add', 'The user buys a boat.', 'I might buy a boat.', 2) : NOTHING
    }
    let corrected: string[] = []
    await fillWith(db, 'mmm', teacher, async (personOf) => {
      const ana = personOf('ana')
      await talk(ana, rounds, 3)
      const facts = await ana.memories({ forms: ['fact'] })
      const home = facts.find(({ text }) => text.includes('Lisbon'))
      await ana.edit(home?.id ?? '', { text: 'The user lives in Lisbon now.' })
      const boat = (await ana.log()).find(({ payload }) => payload?.after.text?.includes('boat'))
      await ana.undo(boat?.id ?? '')
      corrected = await factsOf(ana)
    })
    expect(corrected).toEqual(['The user lives in Lisbon now.'])

    const out = join(folder, 'loop')
    const told = await exportTo(
      out,
      '--task',
      'operations',
      '--db',
      db,
      '--preset',
      'mmm',
      '--identified',
      '--shares',
      '1:0:0',
    )
    expect(told.written.dpo['train']).toBe(2)
    await fillWith(join(folder, 'learned.db'), 'mmm', learnedModel(out), async (personOf) => {
      await talk(personOf('ana'), rounds, 3)
      expect(await factsOf(personOf('ana'))).toEqual(corrected)
    })
  })

  it('has what is no longer so be deleted, and kept where a person undid that', async () => {
    const db = join(folder, 'ended.db')
    const teacher = ({ messages }: LanguageRequest): string => {
      const asked = turnsOf(messages[0]?.text ?? '')
      if (asked.includes('no longer'))
        return `{"operations": [{"type": "delete", "index": 1, "content": null, "why": "no-longer-so", "turn": 2, "quote": "I no longer sing."}]}`
      return asked.includes('I sing') ? code('add', 'The user sings.', 'I sing.', 1) : NOTHING
    }
    const rounds = [
      ['I sing.', 'Lovely.'],
      ['I no longer sing.', 'Why?'],
      ['No reason.', 'Well.'],
    ] as const
    await fillWith(db, 'mmm', teacher, async (personOf) => {
      await talk(personOf('ana'), rounds, 3)
      await talk(personOf('ben'), rounds, 8)
      const deletion = (await personOf('ben').log()).find(({ kind }) => kind === 'delete')
      await personOf('ben').undo(deletion?.id ?? '')
    })
    const exportOf = async (user: string) => {
      const out = join(folder, `ended-${user}`)
      const told = await exportTo(out, '--task', 'operations', '--db', db, '--preset', 'mmm', '--user', user)
      const rows = rowsIn(out, 'sft', chatRow)
      const row = rows.find(({ messages }) => turnsOf(messages[1].content).includes('I no longer sing.'))
      return { out, told, answer: row?.messages[2].content }
    }
    const deletion = {
      type: 'delete',
      index: 1,
      content: null,
      why: 'no-longer-so',
      turn: 2,
      quote: 'I no longer sing.',
    }
    const ana = await exportOf('ana')
    expect(JSON.parse(ana.answer ?? '')).toEqual({ operations: [deletion] })
    expect(ana.told.by).toEqual({ model: 3 })
    const ben = await exportOf('ben')
    expect(ben.answer).toBe('{"operations":[]}')
    expect(JSON.parse(rowsIn(ben.out, 'dpo', rankedRow)[0]?.rejected.content ?? '')).toEqual({
      operations: [deletion],
    })
  })

  it('shows the list as it stood then, of earlier sessions too, also where a round calls for nothing', async () => {
    const db = join(folder, 'list.db')
    const teacher = ({ messages }: LanguageRequest): string => {
      const asked = turnsOf(messages[0]?.text ?? '')
      if (asked.includes('I sing')) return code('add', 'The user sings.', 'I sing.', 1)
      return asked.includes('Porto')
        ? code('add', 'The user lives in Porto.', 'I live in Porto.', 2)
        : NOTHING
    }
    await fillWith(db, 'mmm', teacher, async (personOf) => {
      await talk(personOf('ana'), [['I sing.', 'Lovely.']], 3)
      const rounds = [
        ['Good morning.', 'Hello.'],
        ['I live in Porto.', 'Nice.'],
      ] as const
      await talk(personOf('ana'), rounds, 5)
    })
    const out = join(folder, 'list')
    await exportTo(out, '--task', 'operations', '--db', db, '--preset', 'mmm', '--identified')
    const listFor = (said: string) => {
      const row = rowsIn(out, 'sft', chatRow).find(({ messages }) =>
        turnsOf(messages[1].content).includes(said),
      )
      return row?.messages[1].content.split('</memories>')[0]?.match(/"The user [^"]+"/g) ?? []
    }
    expect(listFor('I sing.')).toEqual([])
    expect(listFor('Good morning.')).toEqual(['"The user sings."'])
    expect(listFor('I live in Porto.')).toEqual(['"The user sings."'])
  })

  it('of MOOM are snapshots: keys by their names in the prompt, values as corrected, with their turns', async () => {
    const db = join(folder, 'moom.db')
    const snapshots = ({ prompt = '' }: LanguageRequest): string =>
      prompt.startsWith('persona-snapshot')
        ? JSON.stringify({
            people: [
              {
                person: 'user',
                entries: [
                  { key: 'residence', value: 'Porto', turns: [1] },
                  { key: 'pets', value: 'a cat', turns: [3] },
                ],
              },
            ],
          })
        : '{"sentences": []}'
    await fillWith(db, 'moom', snapshots, async (personOf) => {
      await talk(
        personOf('ana'),
        [
          ['I live in Porto.', 'Nice.'],
          ['I have two cats.', 'Sweet.'],
        ],
        3,
      )
      const facts = await personOf('ana').memories({ forms: ['fact'] })
      const cat = facts.find(({ value }) => value === 'a cat')
      await personOf('ana').edit(cat?.id ?? '', { text: 'The user, pets: two cats.', value: 'two cats' })
    })
    const out = join(folder, 'moom')
    const told = await exportTo(
      out,
      '--task',
      'persona-snapshot',
      '--db',
      db,
      '--preset',
      'moom',
      '--identified',
    )
    expect(told.unreadable).toEqual([])
    const [row] = rowsIn(out, 'sft', chatRow)
    const answer = JSON.parse(row?.messages[2].content ?? '') as object
    PAPER_PROMPTS.find(({ id }) => id === 'persona-snapshot')?.schema.parse(answer)
    const entriesOf = (pets: string) => [
      { key: 'residence', value: 'Porto', turns: [1] },
      { key: 'pets', value: pets, turns: [3] },
    ]
    expect(answer).toEqual({ people: [{ person: 'user', entries: entriesOf('two cats') }] })
    expect(JSON.parse(rowsIn(out, 'dpo', rankedRow)[0]?.rejected.content ?? '')).toEqual({
      people: [{ person: 'user', entries: entriesOf('a cat') }],
    })
  })

  it('of MOOM hold all that their own ten rounds say, also what was known before', async () => {
    const db = join(folder, 'again.db')
    const said = (turns: string, words: string): number[] =>
      turns.split('\n').flatMap((line, at) => (line.includes(words) ? [at] : []))
    const snapshots = ({ prompt = '', messages }: LanguageRequest): string => {
      if (!prompt.startsWith('persona-snapshot')) return '{"sentences": []}'
      const turns = turnsOf(messages[0]?.text ?? '')
      const entries = [
        // Two entries of one value, as a model may write them.
        ...said(turns, 'Turku').map((turn) => ({ key: 'residence', value: 'Turku', turns: [turn] })),
        { key: 'hobbies', value: 'rowing', turns: said(turns, 'row') },
        { key: 'hobbies', value: 'baking', turns: said(turns, 'bake') },
      ].filter(({ turns: cited }) => cited.length > 0)
      return JSON.stringify({ people: entries.length === 0 ? [] : [{ person: 'user', entries }] })
    }
    const slices = [
      ['I live in Turku.', 'I row on Sundays.'],
      ['Turku is cold today.', 'Nothing new in Turku.'],
      ['I row more often now.', 'And I bake rye bread.'],
    ]
    await fillWith(db, 'moom', snapshots, async (personOf) => {
      for (const [at, [first = '', second = '']] of slices.entries()) {
        const idle = Array.from({ length: 6 }, (_, round) => [`Hm, ${at} ${round}.`, 'I see.'] as const)
        await talk(personOf('ana'), [[first, 'Oh.'], ...idle, [second, 'Well.']], 3 + at)
      }
    })
    const out = join(folder, 'again')
    const argv = ['--task', 'persona-snapshot', '--db', db, '--preset', 'moom', '--identified']
    await exportTo(out, ...argv, '--shares', '1:0:0')
    const entriesOf = (words: string) => {
      const row = rowsIn(out, 'sft', chatRow).find(({ messages }) =>
        turnsOf(messages[1].content).includes(words),
      )
      const { people } = JSON.parse(row?.messages[2].content ?? '{"people":[]}') as {
        people: readonly { entries: readonly { value: string; turns: number[] }[] }[]
      }
      return people.flatMap(({ entries }) => entries)
    }
    const again = entriesOf('Turku is cold')
    expect(again.map(({ turns }) => turns.length)).toEqual([2])
    expect(
      slices.map(([first = '']) =>
        entriesOf(first)
          .map(({ value }) => value)
          .toSorted(),
      ),
    ).toEqual([['Turku', 'rowing'], ['Turku'], ['baking', 'rowing']])
  })

  it('heeds what people decide in quarantine: released was right, removed was wrong', async () => {
    const db = join(folder, 'quarantine.db')
    const bees = learnedFact('The user keeps 40 bees.', 1, '40 bees')
    const boats = learnedFact('The user sails 12 boats.', 1, '12 boats')
    const reading = ({ messages }: LanguageRequest): string => {
      const said = turnsOf(messages[0]?.text ?? '')
      const memories = said.includes('bees') ? [bees] : said.includes('sail') ? [boats] : []
      return JSON.stringify({ summary: '', memories, forget: [] })
    }
    await fillWith(db, 'keepsake', reading, async (personOf) => {
      await talk(personOf('ana'), [['I keep bees on the roof.', 'How nice.']], 3)
      await talk(personOf('ana'), [['We sail on the lake.', 'Lovely.']], 5)
      const held = await personOf('ana').memories({ statuses: ['quarantined'] })
      expect(held).toHaveLength(2)
      for (const { id, text } of held)
        await (text.includes('bees') ? personOf('ana').restore(id) : personOf('ana').forget(id))
    })
    const out = join(folder, 'quarantine')
    await exportTo(out, '--task', 'operations', '--db', db, '--identified', '--shares', '1:0:0')
    const pairs = rowsIn(out, 'dpo', rankedRow)
    const about = (what: string) => pairs.find(({ messages }) => turnsOf(messages[1].content).includes(what))
    expect(about('bees')?.chosen.content).toContain('The user keeps 40 bees.')
    expect(about('bees')?.rejected.content).toBe('{"operations":[]}')
    expect(about('sail')?.chosen.content).toBe('{"operations":[]}')
    expect(about('sail')?.rejected.content).toContain('The user sails 12 boats.')
  })
})
