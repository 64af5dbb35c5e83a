import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataset } from '@keepsake/bench'
import { describe, expect, it } from 'vitest'
import { seededDraw } from '@keepsake/bench/parts'
import { says } from '../material/fill-template.ts'
import { readMaterial } from '../material/read-material.ts'
import { jsonLines, sha256 } from '../testing/json-lines.ts'
import { generateMemDialogue } from './generate-mem-dialogue.ts'
import { insertConflicts } from './make-theme.ts'

const made = {
  en: generateMemDialogue({ seed: 1, language: 'en' }),
  zh: generateMemDialogue({ seed: 1, language: 'zh' }),
}

describe.each(['en', 'zh'] as const)('a generated Mem_Dialogue in %s', (language) => {
  const { themes, templates } = made[language]
  const operations = themes.flatMap((theme) => theme.operations)

  it('has the paper’s counts: 100 themes, 1,000 base rounds, 400 conflicts, 100 questions, 70 : 30', () => {
    expect(themes).toHaveLength(100)
    expect(new Set(themes.map(({ theme }) => theme)).size).toBe(100)
    expect(operations.filter(({ kind }) => kind === 'add')).toHaveLength(1_000)
    expect(operations).toHaveLength(1_400)
    expect(themes.flatMap(({ dialogue }) => dialogue)).toHaveLength(2_800)
    expect(themes.filter(({ split }) => split === 'train')).toHaveLength(70)
  })

  it('states every memory once, changes what is current, and never what was deleted', () => {
    for (const { operations: own, memories } of themes) {
      const current = new Map<string, string | null>()
      for (const { kind, memory, before, after } of own) {
        expect(current.get(memory ?? '')).toBe(kind === 'add' ? undefined : before)
        expect(after === null).toBe(kind === 'delete')
        expect(after).not.toBe(before)
        current.set(memory ?? '', after)
      }
      expect([...current.keys()].toSorted()).toEqual(memories.map(({ id }) => id).toSorted())
    }
  })

  it('uses other templates in the test split than in the train split', () => {
    const counts = { en: [109, 115], zh: [110, 115] }
    expect([templates.train.length, templates.test.length]).toEqual(counts[language])
    for (const id of templates.train) expect(id).toMatch(/\/train\/\d+$/)
    for (const id of templates.test) expect(id).toMatch(/\/test\/\d+$/)
  })

  it('keeps the sentences of the splits apart in the material itself', () => {
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

  it('asks about what holds at the end', () => {
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

  it('gives the same themes for the same seed, and others for another', () => {
    const again = generateMemDialogue({ seed: 1, language: 'en' })
    expect(again).toEqual(made.en)
    const other = generateMemDialogue({ seed: 2, language: 'en' })
    expect(other.themes[0]?.dialogue).not.toEqual(made.en.themes[0]?.dialogue)
  })

  it('refuses what it cannot make', () => {
    expect(() => generateMemDialogue({ seed: 1, language: 'en', themes: 101 })).toThrow(/100 themes/)
  })
})

describe('insertConflicts', () => {
  it('puts a pair 1 to 5 places after the last one about its memory', () => {
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

describe('says', () => {
  it('finds whole words, in any case, with any article', () => {
    expect(says('My opinion of Ines is high.', 'ines')).toBe(true)
    expect(says('Business as usual.', 'ines')).toBe(false)
    expect(says('I sold the rusty blue van.', 'a rusty blue van')).toBe(true)
    expect(says('我住在大阪。', '大阪')).toBe(true)
  })
})
