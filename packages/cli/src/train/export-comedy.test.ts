import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageRequest } from 'keepsake/model'
import { PAPER_PROMPTS } from '@keepsake/papers'
import { PROMPTS } from 'keepsake/preset'
import { chatRow, rankedRow } from '@keepsake/train'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  scriptedEndpoint,
  type EndpointRequest,
  type ScriptedEndpoint,
} from '../testing/scripted-endpoint.ts'
import { exportTo, fillWith, rowsIn, talk } from '../testing/train-export.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'comedy.db')
const argv = ['--db', db, '--preset', 'comedy', '--identified']
let endpoint: ScriptedEndpoint
let made = 0

/** A session's memory and the portrait, in whichever language the talk is. */
function answer({ prompt = '', messages }: LanguageRequest): string {
  const isChinese = /钢琴|天气/.test(messages[0]?.text ?? '')
  if (prompt.startsWith('session-memory'))
    return JSON.stringify({
      outcome: 'memory',
      events: [
        isChinese
          ? { text: '用户买了一架钢琴。', turns: [1] }
          : { text: 'The user bought a red bicycle.', turns: [1] },
      ],
      user: isChinese
        ? []
        : [
            { text: 'The user rides to work.', turns: [3] },
            { text: 'The user hates rain.', turns: [3] },
          ],
      agent: [],
    })
  return JSON.stringify({
    outcome: 'portrait',
    user: isChinese ? '喜欢钢琴。' : 'Rides a red bicycle to work and hates rain.',
    relationship: isChinese ? '朋友。' : 'They talk in the evenings.',
    events: isChinese ? '买了钢琴。' : 'Bought a bicycle.',
  })
}

beforeAll(async () => {
  await fillWith(db, 'comedy', answer, async (personOf) => {
    const days = [
      [
        ['I bought a red bicycle.', 'Congratulations on the bicycle!'],
        ['I ride to work now, though I hate rain.', 'Then take a coat along.'],
      ],
      [
        ['It rains again.', 'Did you walk today?'],
        ['No, I rode.', 'In the rain?'],
        ['I did.', 'Brave.'],
        ['What did I buy?', 'A red bicycle, of course.'],
      ],
    ] as const
    for (const user of ['ana', 'ben', 'cleo']) {
      await talk(personOf(user), days[0], 3)
      await talk(
        personOf(user),
        [
          ['Good evening.', `Good evening, how was ${user === 'ana' ? 'work' : `the ride of ${user}`}?`],
          ...days[1],
        ],
        5,
      )
    }
    const [portrait] = (await personOf('ana').portrait()).versions
    await personOf('ana').edit(portrait?.id ?? '', {
      text: 'User: Rides a red bicycle to work.\nRelationship: They talk in the evenings.\nEvents: Bought a bicycle.',
    })
    await talk(
      personOf('dan'),
      [
        ['我买了一架钢琴。', '恭喜！'],
        ['今天天气很好。', '是啊。'],
      ],
      3,
    )
  })
  endpoint = await scriptedEndpoint((asked: EndpointRequest) => ({
    text: JSON.stringify({
      reply: asked.system.includes('goes against the portrait') ? 'You own no bicycle.' : 'Your bicycle!',
    }),
  }))
})

afterAll(async () => {
  await endpoint.close()
})

async function exported(...more: string[]) {
  made += 1
  const out = join(folder, `out-${made}`)
  return { out, told: await exportTo(out, ...argv, ...more) }
}

const promptOf = (id: string) => [...PROMPTS, ...PAPER_PROMPTS].find((one) => one.id === id)!

describe('train export of COMEDY’s tasks', () => {
  it('a session is answered by its memory, each sentence with the turns it rests on', async () => {
    const { out, told } = await exported('--task', 'session-memory')
    expect(told.unreadable).toEqual([])
    const answers = rowsIn(out, 'sft', chatRow).map(
      ({ messages }) => JSON.parse(messages[2].content) as object,
    )
    for (const one of answers) promptOf('session-memory').schema.parse(one)
    expect(answers).toContainEqual({
      outcome: 'memory',
      events: [{ text: 'The user bought a red bicycle.', turns: [1] }],
      user: [
        { text: 'The user rides to work.', turns: [3] },
        { text: 'The user hates rain.', turns: [3] },
      ],
      agent: [],
    })
    expect(answers).toContainEqual(
      expect.objectContaining({ events: [{ text: '用户买了一架钢琴。', turns: [1] }], user: [] }) as object,
    )
  })

  it('session memories are answered by the portrait, as a person corrected it', async () => {
    const { out, told } = await exported('--task', 'compression')
    expect(told.unreadable).toEqual([])
    const rows = rowsIn(out, 'sft', chatRow)
    for (const { messages } of rows)
      promptOf('compress-portrait').schema.parse(JSON.parse(messages[2].content))
    expect(rows.every(({ messages }) => messages[1].content.startsWith('<sessions>'))).toBe(true)
    const [pair] = rowsIn(out, 'dpo', rankedRow)
    expect(pair?.chosen.content).toContain('"user":"Rides a red bicycle to work."')
    expect(pair?.rejected.content).toContain('"user":"Rides a red bicycle to work and hates rain."')
    expect(rows.some(({ messages }) => messages[2].content.includes('喜欢钢琴'))).toBe(true)
  })

  it('a reply is asked for by the portrait of earlier sessions and the talk since', async () => {
    const { out } = await exported('--task', 'reply')
    const row = rowsIn(out, 'sft', chatRow).find(
      ({ messages }) => messages[2].content === 'A red bicycle, of course.',
    )
    expect(row?.messages[1].content).toContain('<portrait>')
    expect(row?.messages[1].content).toContain('What did I buy?')
    expect(row?.messages[1].content).not.toContain('I bought a red bicycle')
    expect(JSON.stringify(rowsIn(out, 'sft', chatRow))).not.toContain('Congratulations')
  })

  it('tasks are mixed, or as many of each are taken as of the rarest', async () => {
    const tasks = ['--task', 'session-memory,compression,reply']
    const countBy = (out: string) => {
      const index = readFileSync(join(out, 'index.jsonl'), 'utf8').trim().split('\n')
      const rows = index.map((line) => JSON.parse(line) as { file: string; task: string })
      return Object.values(
        Object.groupBy(
          rows.filter(({ file }) => file === 'sft/train.jsonl'),
          ({ task }) => task,
        ),
      ).map((group) => group?.length)
    }
    const found = countBy((await exported(...tasks)).out)
    expect(found).toHaveLength(3)
    expect(new Set(found).size).toBeGreaterThan(1)
    const even = countBy((await exported(...tasks, '--mixture', 'even')).out)
    expect(new Set(even)).toEqual(new Set([Math.min(...found.map(Number))]))
  })

  it('pairs are written by a model, one consistent with the portrait and one told to contradict it', async () => {
    const { out, told } = await exported('--task', 'reply-dpo', '--model', endpoint.spec)
    expect(told.written.sft).toEqual({ train: 0, validation: 0, test: 0 })
    const pairs = rowsIn(out, 'dpo', rankedRow)
    expect(pairs.length).toBeGreaterThan(3)
    expect(new Set(pairs.map(({ chosen }) => chosen.content))).toEqual(new Set(['Your bicycle!']))
    expect(new Set(pairs.map(({ rejected }) => rejected.content))).toEqual(new Set(['You own no bicycle.']))
    expect(endpoint.asked.every(({ user }) => user.includes('<portrait>'))).toBe(true)
  })
})
