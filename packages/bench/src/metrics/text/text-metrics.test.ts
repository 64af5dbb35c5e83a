import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTexts, TEXT_METRICS } from '../../runs/measure/answer-overlap.ts'
import { bleu, distinctN, rougeL, rougeN, tokenF1 } from './overlap.ts'
import { splitWords } from './split-words.ts'

const en = (text: string): string[] => splitWords(text, { language: 'en' })
const zh = (text: string): string[] => splitWords(text, { language: 'zh' })

describe('splitWords', () => {
  it('folds case and width and leaves punctuation out', () => {
    expect(en('I moved to Köln -- at ９ o’clock!')).toEqual([
      'i',
      'moved',
      'to',
      'köln',
      'at',
      '9',
      "o'clock",
    ])
    expect(en('… !?')).toEqual([])
  })

  it('takes Chinese by words where that is asked for', () => {
    expect(splitWords('我喜欢音乐', { language: 'zh', unit: 'words' })).toEqual(['我', '喜欢', '音乐'])
  })
})

describe('ROUGE', () => {
  // Lin 2004, section 3.1, its own example of why order matters.
  const reference = en('police killed the gunman')

  it('gives Lin’s figures for his sentences', () => {
    // “police kill the gunman”: subsequence police the gunman, 3 of 4 both ways; one bigram of three in common
    expect(rougeL(en('police kill the gunman'), reference).f1).toBeCloseTo(3 / 4, 12)
    expect(rougeN(en('police kill the gunman'), reference, 2).f1).toBeCloseTo(1 / 3, 12)
    // “the gunman kill police”: subsequence the gunman, 2 of 4; the same bigram
    expect(rougeL(en('the gunman kill police'), reference).f1).toBeCloseTo(1 / 2, 12)
    expect(rougeN(en('the gunman kill police'), reference, 2).f1).toBeCloseTo(1 / 3, 12)
  })

  it('counts a repeated word no oftener than the reference has it', () => {
    // “the” twice of seven, twice of six
    const seven = rougeN(en('the the the the the the the'), en('the cat is on the mat'), 1)
    expect(seven.precision).toBeCloseTo(2 / 7, 12)
    expect(seven.recall).toBeCloseTo(2 / 6, 12)
  })

  it('takes the subsequence over the whole text, whatever its sentences', () => {
    // b. a. against a. b.: whole texts share one word in order; united by sentences they would share both
    expect(rougeL(en('Bee. Ant.'), en('Ant. Bee.')).f1).toBe(0.5)
  })

  it('counts Chinese characters', () => {
    // 6 of 6 and of 8; subsequence likewise; bigrams 搬到 到了 了巴 巴黎 of 5 and of 7
    const [ours, theirs] = [zh('我搬到了巴黎'), zh('我去年搬到了巴黎')]
    expect(rougeN(ours, theirs, 1)).toEqual({ precision: 1, recall: 0.75, f1: expect.closeTo(6 / 7, 12) })
    expect(rougeN(ours, theirs, 2).f1).toBeCloseTo(8 / 12, 12)
    expect(rougeL(ours, theirs).recall).toBe(0.75)
  })

  it('takes long texts and long words', () => {
    const long = Array.from({ length: 4_000 }, (_, i) => `${'x'.repeat(200)}${i}`)
    expect(rougeN(long, long, 2).f1).toBe(1)
    expect(rougeL(long, long.slice(0, 2_000))).toMatchObject({ precision: 0.5, recall: 1 })
  })
})

describe('BLEU', () => {
  it('clips, as in Papineni’s example', () => {
    // 2/7, no brevity penalty; bigram “the the” never matches: ε: sqrt(2/7 · 0.1/6)
    const [ours, theirs] = [en('the the the the the the the'), en('the cat is on the mat')]
    expect(bleu(ours, theirs, 1)).toBeCloseTo(2 / 7, 12)
    expect(bleu(ours, theirs, 2)).toBeCloseTo(Math.sqrt((2 / 7) * (0.1 / 6)), 12)
  })

  it('punishes what is too short', () => {
    // precisions 1 and 1; exp(1 − 6/3)
    const [ours, theirs] = [en('the cat sat'), en('the cat sat on the mat')]
    expect(bleu(ours, theirs, 1)).toBeCloseTo(Math.exp(-1), 12)
    expect(bleu(ours, theirs, 2)).toBeCloseTo(Math.exp(-1), 12)
  })

  it('gives what NLTK 3.10 gives with its smoothing method 1', () => {
    const ours = en(
      'It is a guide to action which ensures that the military always obeys the commands of the party',
    )
    const theirs = en(
      'It is a guide to action that ensures that the military will forever heed Party commands',
    )
    // 12 of 18 words, 8 of 17 bigrams
    expect(bleu(ours, theirs, 1)).toBeCloseTo(0.6666666666666666, 10)
    expect(bleu(ours, theirs, 2)).toBeCloseTo(0.5601120336112039, 10)
    // no bigram of two matches: exp(1 − 6/3) · sqrt(1 · 0.1/2)
    expect(bleu(en('mat the on'), en('the cat is on the mat'), 2)).toBeCloseTo(0.082260343798398, 10)
  })

  it('gives what sacreBLEU 2.6 gives for Chinese by characters', () => {
    const [ours, theirs] = [zh('我搬到了巴黎'), zh('我去年搬到了巴黎')]
    // exp(1 − 8/6), then also sqrt(1 · 4/5)
    expect(bleu(ours, theirs, 1)).toBeCloseTo(0.7165313105737896, 10)
    expect(bleu(ours, theirs, 2)).toBeCloseTo(0.6408850873800027, 10)
  })

  it('leaves out orders that the candidate is too short for, and is 0 for nothing', () => {
    expect(bleu(['lyon'], ['lyon'], 2)).toBe(1)
    expect(bleu([], ['lyon'], 2)).toBe(0)
    expect(bleu(['lyon'], [], 2)).toBe(0)
    expect(bleu(['paris'], ['lyon'], 1)).toBe(0)
  })
})

describe('token F1', () => {
  it('leaves articles out and compares bags of words', () => {
    // {red lamp by river} and {red lamp}: 2/4 and 2/2
    expect(tokenF1(en('The red lamp by a river'), en('a lamp, red'))).toEqual({
      precision: 0.5,
      recall: 1,
      f1: expect.closeTo(2 / 3, 12),
    })
  })

  it('is 1 for two empty answers, 0 for one', () => {
    expect(tokenF1(en('the'), []).f1).toBe(1)
    expect(tokenF1([], en('lamp')).f1).toBe(0)
  })
})

describe('Distinct-N', () => {
  it('counts over all answers, and no n-gram across two', () => {
    // i like tea i like | tea: words {i like tea} of 6; bigrams i-like like-tea tea-i i-like: 3 of 4
    const answers = [en('I like tea, I like'), en('tea')]
    expect(distinctN(answers, 1)).toBe(0.5)
    expect(distinctN(answers, 2)).toBe(0.75)
    expect(distinctN([], 1)).toBeNaN()
  })
})

const words = fc.array(fc.constantFrom('red', 'lamp', 'by', 'old', 'river'), { maxLength: 12 })

it('lies between 0 and 1, and is 1 for the same text of two words or more', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const scores = compareTexts(a.join(' '), b.join(' '), { language: 'en' })
      for (const metric of TEXT_METRICS) {
        expect(scores[metric]).toBeGreaterThanOrEqual(0)
        expect(scores[metric]).toBeLessThanOrEqual(1)
      }
      if (a.length < 2) return
      const same = compareTexts(a.join(' '), a.join(' '), { language: 'en' })
      for (const metric of TEXT_METRICS) expect(same[metric]).toBeCloseTo(1, 12)
    }),
  )
})
