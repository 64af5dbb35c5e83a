import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from 'keepsake/model'
import { openDataset } from '@keepsake/bench'
import { describe, expect, it } from 'vitest'
import { seededDraw } from '@keepsake/bench/parts'
import { says } from '../material/fill-template.ts'
import { readMaterial } from '../material/read-material.ts'
import { jsonLines, sha256 } from '../summarise-generated.ts'
import { generateMemDialogue } from './generate-mem-dialogue.ts'
import { insertConflicts } from './make-theme.ts'
import type { ThemeRecord } from './theme-record.ts'
import { validateTheme } from './validate-theme.ts'

const made = {
  en: await generateMemDialogue({ seed: 1, language: 'en' }),
  zh: await generateMemDialogue({ seed: 1, language: 'zh' }),
}

function first(): ThemeRecord {
  const [theme] = made.en.themes
  if (theme === undefined) throw new Error('No theme was made.')
  return structuredClone(theme)
}

describe.each(['en', 'zh'] as const)('a generated Mem_Dialogue in %s', (language) => {
  const { themes, templates, failures } = made[language]
  const operations = themes.flatMap((theme) => theme.operations)

  it('has the paper’s counts: 100 themes, 1,000 base rounds, 400 conflicts, 100 questions, 70 : 30', () => {
    expect(themes).toHaveLength(100)
    expect(new Set(themes.map(({ theme }) => theme)).size).toBe(100)
    expect(operations.filter(({ kind }) => kind === 'add')).toHaveLength(1_000)
    expect(operations).toHaveLength(1_400)
    expect(themes.flatMap(({ dialogue }) => dialogue)).toHaveLength(2_800)
    expect(themes.filter(({ split }) => split === 'train')).toHaveLength(70)
    expect(failures).toEqual([])
  })

  it('has only valid themes', () => {
    for (const theme of themes) expect(validateTheme(theme), theme.id).toEqual([])
  })

  it('uses other templates in the test split than in the train split', () => {
    const counts = { en: [109, 115], zh: [110, 115] }
    expect([templates.train.length, templates.test.length]).toEqual(counts[language])
    for (const id of templates.train) expect(id).toMatch(/\/train\/\d+$/)
    for (const id of templates.test) expect(id).toMatch(/\/test\/\d+$/)
  })

  it('has no sentence in both splits of the material', () => {
    const { facts, themeFacts, preferences, careers, words } = readMaterial(language)
    const { like, dislike } = preferences
    const { born, study, father, aim } = words
    const ofFacts = [...facts, ...themeFacts, like, dislike].flatMap(({ tell, change, drop }) => [
      tell,
      change,
      drop,
    ])
    const ofStages = careers.flatMap(({ stages }) => stages.flatMap(({ tell, reason }) => [tell, reason]))
    const ofWords = [words.openers, words.closers, words.forget, words.hints, words.deflections, words.intros]
    const core = [born, study, father, aim].map(({ tell }) => tell)
    const rounds = { train: words.small.train.flat(), test: words.small.test.flat() }
    for (const sentences of [...ofFacts, ...ofStages, ...ofWords, ...core, rounds])
      expect(sentences.train.filter((one) => sentences.test.includes(one))).toEqual([])
  })

  it('leaves no place unfilled', () => {
    const texts = themes.flatMap((theme) => [
      ...theme.dialogue.map(({ text }) => text),
      ...theme.memories.map(({ text }) => text),
      theme.question.question,
      theme.question.answer,
    ])
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|\.\.|  /)
  })

  it('is read by the loader of Mem_Dialogue', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'keepsake-')), 'mem-dialogue.jsonl')
    await writeFile(file, jsonLines(themes))
    const dataset = await openDataset('mem-dialogue', file)
    const read = await Array.fromAsync(dataset.conversations())
    const turns = read.flatMap((one) => one.sessions.flatMap((session) => session.turns))
    expect(read).toHaveLength(100)
    expect(turns).toHaveLength(2_800)
    expect(read.reduce((sum, one) => sum + one.questions.length, 0)).toBe(100)
  })

  it('asks about the final outcome', () => {
    for (const { question, operations: own } of themes) {
      const { kind, after } = own[question.operation] ?? { kind: 'none', after: null }
      if (kind === 'modify') expect(question.answer).toBe(after)
      else expect(kind).toBe('delete')
    }
  })
})

describe('generateMemDialogue', () => {
  it.each([
    ['en', 'a9fc1c9e82445739'],
    ['zh', '2f105ce285f8156a'],
  ] as const)('gives the bytes that it always gave for a seed in %s', (language, hash) => {
    expect(sha256(jsonLines(made[language].themes)).slice(0, 16)).toBe(hash)
  })

  it('gives the same themes for the same seed, and other themes for another seed', async () => {
    const again = await generateMemDialogue({ seed: 1, language: 'en' })
    expect(again).toEqual(made.en)
    const other = await generateMemDialogue({ seed: 2, language: 'en' })
    expect(other.themes[0]?.dialogue).not.toEqual(made.en.themes[0]?.dialogue)
  })

  it('refuses more themes than there are', async () => {
    await expect(generateMemDialogue({ seed: 1, language: 'en', themes: 101 })).rejects.toThrow(/100 themes/)
  })
})

describe('insertConflicts', () => {
  it('inserts a pair 1 to 5 places after the last one about its memory', () => {
    const flow = Array.from({ length: 10 }, (_, index) => ({ memory: `m${index}`, nth: 0 }))
    const offsets = Array.from({ length: 300 }, (_, seed) => {
      const whole = insertConflicts(seededDraw(seed), flow, [{ memory: 'm2', nth: 1 }])
      return whole.findIndex(({ nth }) => nth === 1) - 2
    })
    expect(new Set(offsets)).toEqual(new Set([1, 2, 3, 4, 5]))
    const twice = insertConflicts(seededDraw(1), flow, [
      { memory: 'm9', nth: 1 },
      { memory: 'm9', nth: 2 },
    ])
    expect(twice.map(({ nth }) => nth).slice(-2)).toEqual([1, 2])
  })
})

describe('validateTheme', () => {
  const broken = (change: (theme: ThemeRecord) => void): readonly string[] => {
    const theme = first()
    change(theme)
    return validateTheme(theme)
  }
  const conflictOf = (theme: ThemeRecord) => theme.operations.findIndex(({ kind }) => kind === 'modify')
  const at = <T>(list: readonly T[], place: number): T => {
    const one = list[place]
    if (one === undefined) throw new RangeError(`there is no ${place}`)
    return one
  }

  it.each<readonly [string, (theme: ThemeRecord) => void, RegExp]>([
    ['a memory that there is not', (t) => (at(t.operations, 0).memory = 'm99'), /names memory m99/],
    [
      'a change that changes nothing',
      (t) => {
        const one = at(t.operations, conflictOf(t))
        one.after = one.before
      },
      /as it was/,
    ],
    [
      'a change before its memory is told',
      (t) => {
        const place = conflictOf(t)
        const moved = { ...at(t.operations, place), turn: 0 }
        t.operations = [moved, ...t.operations.toSpliced(place, 1)].map((one, nth) => ({
          ...one,
          turn: 2 * nth,
        }))
      },
      /before it is stated/,
    ],
    [
      'a wrong state before',
      (t) => (at(t.operations, conflictOf(t)).before = 'Something else.'),
      /was otherwise/,
    ],
    ['turns out of order', (t) => t.dialogue.reverse(), /must be the user's/],
    ['a question about nothing', (t) => (t.question.operation = 99), /not about one of the conflicts/],
    ['nine memories', (t) => t.memories.pop(), /9 memories/],
    ['a missing field', (t) => Reflect.deleteProperty(t, 'user'), /"user" is wrong/],
    ['times that run back', (t) => (at(t.dialogue, 5).at = '2020-01-01T00:00:00Z'), /earlier/],
  ])('names %s', (_, change, message) => {
    expect(broken(change).join('\n')).toMatch(message)
  })
})

describe('with a language model', () => {
  const few = { seed: 3, language: 'en' } as const
  const memories = Array.from({ length: 10 }, (_, index) => `Ana knows ${index} songs by heart.`)
  /** Answers every prompt in its own way, by its id. */
  const writer = (answerOf: (prompt: string, user: string) => unknown) =>
    scriptedModel(({ prompt = '', messages }) => JSON.stringify(answerOf(prompt, messages[0]?.text ?? '')))
  let nth = 0
  const goodAnswer = (prompt: string, user: string): unknown => {
    nth += 1
    const name = /<name>\s*"(\w+)"/.exec(user)?.[1] ?? 'Ana'
    if (prompt.startsWith('generate-theme-memories'))
      return { memories: memories.map((text) => text.replace('Ana', name)) }
    if (prompt.startsWith('generate-tell-memory')) return { said: `I know ${nth} songs.`, reply: 'Sing one!' }
    if (prompt.startsWith('generate-change-memory'))
      return {
        after: user.includes('"modify"') ? `Ana forgot song ${nth}.` : null,
        said: 'Oh no.',
        reply: 'Oh.',
      }
    return { question: 'How many songs?', answer: 'None.' }
  }

  it('makes themes of the same form, each with its own requests', async () => {
    const model = writer(goodAnswer)
    const { themes, failures } = await generateMemDialogue({ ...few, themes: 2, model })
    expect(failures).toEqual([])
    for (const theme of themes) expect(validateTheme(theme)).toEqual([])
    expect(model.requests).toHaveLength(2 * (1 + 10 + 4 + 1))
    expect(themes[0]?.operations.filter(({ kind }) => kind !== 'add')).toHaveLength(4)
  })

  it('reports a theme that the model cannot make, and goes on with the next', async () => {
    let asked = 0
    const model = writer((prompt, user) => {
      if (!prompt.startsWith('generate-theme-memories')) return goodAnswer(prompt, user)
      asked += 1
      return asked <= 4 ? { memories: ['too few'] } : goodAnswer(prompt, user)
    })
    const { themes, failures } = await generateMemDialogue({ ...few, themes: 2, model })
    expect(failures).toMatchObject([{ theme: 'career development' }])
    expect(failures[0]?.reason).toMatch(/generate-theme-memories\/2.*There are 1 memories/)
    expect(themes.map(({ id }) => id)).toEqual(['theme-002'])
  })

  it('asks again with the problems of an answer', async () => {
    let isBroken = true
    const model = writer((prompt, user) => {
      if (!isBroken || !prompt.startsWith('generate-change-memory')) return goodAnswer(prompt, user)
      isBroken = false
      return { after: '', said: '', reply: '' }
    })
    const { failures } = await generateMemDialogue({ ...few, themes: 1, model })
    expect(failures).toEqual([])
    expect(model.requests.filter(({ messages }) => messages.length > 1)).toHaveLength(1)
  })
})

describe('says', () => {
  it('finds whole words, in any case, with any article', () => {
    expect(says('My opinion of Ines is high.', 'ines')).toBe(true)
    expect(says('Business as usual.', 'ines')).toBe(false)
    expect(says('I sold the rusty blue van.', 'a rusty blue van')).toBe(true)
    expect(says('我住在大阪。', '大阪')).toBe(true)
  })
})
