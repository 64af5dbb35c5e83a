import { seededDraw } from '@keepsake/bench/parts'
import { readMaterial } from '@keepsake/bench-generators'
import { chooseUpdate } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { allExamples, fitUpdater } from './fit-updater.ts'
import { judgedSets, judgeUpdater } from './judge-updater.ts'
import { readNatural } from './own-words.ts'

const examples = await allExamples()
const learned = examples.flatMap(({ said, known }) => [said, ...known])
const distinct = [...new Set(learned)]

/** The sentences of a split, as the words between their places. */
function phrasesOf(split: 'train' | 'test'): string[] {
  return (['en', 'zh'] as const).flatMap((language) => {
    const { facts, themeFacts, words } = readMaterial(language)
    const kinds = [...facts, ...themeFacts].flatMap(({ tell, change, drop }) => [tell, change, drop])
    const talk = [words.openers, words.closers, words.forget].flatMap((one) => one[split])
    const small = words.small[split].map(([said]) => said)
    const sentences = [...kinds.flatMap((one) => one[split]), ...talk, ...small]
    return sentences.flatMap((sentence) => longestPart(sentence, language === 'zh' ? 6 : 14))
  })
}

function longestPart(sentence: string, least: number): string[] {
  const [longest = ''] = sentence.split(/\{\w+\}/).sort((one, other) => other.length - one.length)
  return longest.length < least ? [] : [longest]
}

describe('what the updater is learned from', () => {
  it('holds the sentences of the generator’s train split and none of its test split', () => {
    const isLearned = (phrase: string): boolean => distinct.some((text) => text.includes(phrase))
    expect(phrasesOf('train').filter(isLearned).length).toBeGreaterThan(150)
    expect(phrasesOf('test')).not.toHaveLength(0)
    expect(phrasesOf('test').filter(isLearned)).toEqual([])
  })

  it('holds no theme of the test split', async () => {
    const judged = (await judgedSets()).filter(({ name }) => name.startsWith('test split'))
    const said = new Set(judged.flatMap((set) => set.examples.map((example) => example.said)))
    expect(examples.filter((example) => said.has(example.said))).toEqual([])
  })

  it('holds nothing of the natural words it is judged on', () => {
    const natural = [...readNatural('held-out'), ...readNatural('looked-at')]
    expect(readNatural('held-out')).toHaveLength(60)
    const judged = new Set(natural.flatMap(({ said, known }) => [said, ...known]))
    expect(distinct.filter((text) => judged.has(text))).toEqual([])
  })

  it('names its targets rightly', () => {
    for (const { kind, target, known } of examples) {
      expect(target === null).toBe(kind === 'none' || kind === 'add')
      if (target !== null) expect(known[target]).toBeTypeOf('string')
    }
  })
})

describe('fitUpdater', () => {
  const few = seededDraw(1).shuffled(examples).slice(0, 300)
  const weights = fitUpdater(few)

  it('gives the same weights for the same examples', () => {
    expect(fitUpdater(few)).toEqual(weights)
  })

  it('learns: of what it saw, and of what it did not, more is told right than by always adding', () => {
    const always = (set: typeof examples): number =>
      set.filter(({ kind }) => kind === 'add').length / set.length
    const others = seededDraw(2)
      .shuffled(examples.filter((one) => !few.includes(one)))
      .slice(0, 400)
    for (const set of [few, others])
      expect(judgeUpdater('', set, weights).type).toBeGreaterThan(always(set) + 0.1)
  })

  it('is used by the engine as it is', () => {
    const { chances } = chooseUpdate('I sold the van.', ['I drive a van.'], { weights })
    expect(chances.none + chances.add + chances.modify + chances.delete).toBeCloseTo(1)
  })
})

describe('judgeUpdater', () => {
  it('counts kinds, targets, what was found and what was sound', () => {
    const none = { bias: 0, weights: fitUpdater(examples.slice(0, 50)).kinds.none.weights.map(() => 0) }
    const weights = {
      ...fitUpdater(examples.slice(0, 50)),
      kinds: { none, add: none, modify: none, delete: { ...none, bias: 20 } },
    }
    const base = {
      language: 'en',
      group: '',
      weight: 1,
      known: ['I drive a van.', 'I play the cello.'],
    } as const
    const score = judgeUpdater(
      'made up',
      [
        { ...base, said: 'I sold the van.', kind: 'delete', target: 0 },
        { ...base, said: 'The cello went.', kind: 'modify', target: 1 },
        { ...base, said: 'The van is red.', kind: 'none', target: null },
      ],
      weights,
    )
    expect(score).toMatchObject({ type: 1 / 3, typeAndIndex: 1 / 3, found: 1 / 2, sound: 2 / 3 })
    expect(score.told.modify).toEqual({ none: 0, add: 0, modify: 0, delete: 1 })
  })
})
