import { describe, expect, it } from 'vitest'
import { InvalidInputError, type EmbeddedModel } from '@keepsake/text'
import type { Memory } from 'keepsake'
import { countWords, portraitCompressor, promptVersion } from 'keepsake/preset'
import { makeMemory } from '../../keepsake/src/memories/memory-fixture.ts'
import { scriptedAsk } from '../../keepsake/src/models/scripted-ask-fixture.ts'
import { renewPortraitPrompt } from '../../keepsake/src/prompts/renew-portrait.ts'
import { makeTurn } from '../../keepsake/src/turns/turn-fixture.ts'
import { extractiveCompressor } from './comedy/compress-extractively.ts'
import { compressPortraitPrompt } from './comedy/compress-portrait.ts'
import { wholeCompressor } from './comedy/compress-whole.ts'
import { overallCompressor } from './memory-bank/overall-summary.ts'
import { recursiveCompressor } from './resum/recursive-summary.ts'

const DAY = 86_400_000
const session = (number: number, text: string): Memory =>
  makeMemory({ id: `s${number}`, form: 'summary', text, validFrom: Date.UTC(2026, 2, number) })
const sessions = [session(1, 'User: Maya is a nurse.'), session(2, 'Events: Maya moved to Ghent.')]
const turns = [makeTurn({ text: 'I am Maya, and I am a nurse.' })]
const DIMENSIONS = 256
/** Texts are alike as far as they share words: enough to see what is chosen. */
const embedding: EmbeddedModel = {
  id: 'words/1',
  dimensions: DIMENSIONS,
  embedNow: (text) => {
    const vector = new Float32Array(DIMENSIONS)
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      const at = Array.from(word).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DIMENSIONS, 7)
      vector[at] = (vector[at] ?? 0) + 1
    }
    const length = Math.hypot(...vector) || 1
    return vector.map((value) => value / length)
  },
  embed: (texts) => Promise.resolve(texts.map((text) => embedding.embedNow(text))),
}
const portrait = { user: 'Maya is a nurse.', relationship: '', events: 'She moved\nto Ghent.' }

describe('the portrait compressor', () => {
  it('reads all session memories, oldest first, and labels the parts it knows', async () => {
    const ask = scriptedAsk(portrait)
    const made = await wholeCompressor().compress(
      { previous: 'Something older.', sessions, turns: [] },
      { ask, embedding },
    )
    expect(made).toBe('User: Maya is a nurse.\nEvents: She moved to Ghent.')
    expect(ask.asked[0]?.prompt).toBe(promptVersion(compressPortraitPrompt))
    expect(ask.asked[0]?.user).not.toContain('Something older.')
    expect(ask.asked[0]?.user).toContain(
      '(1) 2026-03-01 Sun: "User: Maya is a nurse."\n(2) 2026-03-02 Mon: "Events: Maya moved to Ghent."',
    )
  })

  it('goes on from the last portrait, and begins without one', async () => {
    const ask = scriptedAsk(portrait, portrait)
    const compressor = portraitCompressor()
    await compressor.compress({ previous: null, sessions, turns: [] }, { ask, embedding })
    await compressor.compress(
      { previous: 'User: Maya.\nEvents: None.', sessions: sessions.slice(1), turns: [] },
      { ask, embedding },
    )
    expect(ask.asked.map((one) => one.prompt)).toEqual([
      promptVersion(renewPortraitPrompt),
      promptVersion(renewPortraitPrompt),
    ])
    expect(ask.asked[0]?.user).not.toContain('<portrait>')
    expect(ask.asked[1]?.user).toContain('<portrait>\n"User: Maya."\n"Events: None."\n</portrait>')
    expect(ask.asked[1]?.user).not.toContain('nurse')
  })

  it('keeps the last portrait where nothing is new, and asks nothing', async () => {
    const ask = scriptedAsk()
    const input = { previous: 'User: Maya.', sessions: [], turns: [] }
    expect(await portraitCompressor().compress(input, { ask, embedding })).toBe('User: Maya.')
    expect(await wholeCompressor().compress(input, { ask, embedding })).toBeNull()
  })

  it('does not lose the last portrait to an empty answer', async () => {
    const ask = scriptedAsk({ user: '', relationship: ' ', events: '' })
    const input = { previous: 'User: Maya.', sessions, turns: [] }
    const made = await portraitCompressor().compress(input, { ask, embedding })
    expect(made).toBe('User: Maya.')
    expect(ask.asked[0]?.problems.join()).toContain('keep what still holds')
  })

  it('asks for an answer over 500 words to be shortened, and leaves old events out where it was not', async () => {
    const long = Array.from({ length: 120 }, (_, day) => `On day ${day} it rained.`).join(' ')
    const ask = scriptedAsk({ user: 'Maya is a nurse.', relationship: 'They are friends.', events: long })
    const made = await wholeCompressor().compress({ previous: null, sessions, turns: [] }, { ask, embedding })
    expect(ask.asked[0]?.problems.join()).toContain('as long as 607 words and may be as long as 500')
    expect(made).toMatch(/^User: Maya is a nurse\.\nRelationship: They are friends\.\nEvents: On day \d\d /)
    expect(made).toMatch(/On day 119 it rained\.$/)
    expect(countWords(String(made))).toBeLessThanOrEqual(500 + 3)
  })

  it('counts Chinese characters as words of their own length', () => {
    expect(countWords('她搬到了根特。'.repeat(133))).toBe(Math.ceil((133 * 6) / 1.6))
    expect(countWords("Maya's dog, 3 years old")).toBe(5)
  })

  it('writes a Chinese portrait of Chinese memories', async () => {
    const ask = scriptedAsk({ user: '玛雅是护士。', relationship: '', events: '她搬到了根特。' })
    const made = await wholeCompressor().compress(
      { previous: null, sessions: [session(1, '用户：玛雅是护士。')], turns: [] },
      { ask, embedding },
    )
    expect(made).toBe('用户：玛雅是护士。\n经历：她搬到了根特。')
    expect(ask.asked[0]?.system).toContain('不超过450个字')
  })
})

describe('the overall compressor', () => {
  it('makes one text of events and personality in one call', async () => {
    const ask = scriptedAsk({ events: 'Maya moved.', personality: 'She is patient.' })
    const made = await overallCompressor().compress(
      { previous: 'Old.', sessions, turns: [] },
      { ask, embedding },
    )
    expect(made).toBe('Events: Maya moved.\nPersonality: She is patient.')
    expect(ask.asked[0]?.user).not.toContain('Old.')
  })
})

describe('the recursive compressor', () => {
  it('rewrites the last memory with the session', async () => {
    const ask = scriptedAsk({ memory: ' Maya is a nurse. ' })
    const input = { previous: 'There is a user.', sessions: [], turns }
    expect(await recursiveCompressor().compress(input, { ask, embedding })).toBe('Maya is a nurse.')
    expect(ask.asked[0]?.user).toContain('<memory>\n"There is a user."\n</memory>')
    expect(ask.asked[0]?.user).toContain('user: "I am Maya, and I am a nurse."')
  })

  it('keeps within twenty sentences, and what it had when the answer is empty', async () => {
    const ask = scriptedAsk({ memory: 'Maya sang. '.repeat(21).trim() }, { memory: '' })
    const input = { previous: 'There is a user.', sessions: [], turns }
    const made = await recursiveCompressor().compress(input, { ask, embedding })
    expect(made).toBe('Maya sang. '.repeat(20).trim())
    expect(await recursiveCompressor().compress(input, { ask, embedding })).toBe('There is a user.')
    expect(ask.asked.map((one) => one.problems.length)).toEqual([1, 1])
  })
})

it('says which step needs a language model', async () => {
  const input = { previous: null, sessions, turns }
  for (const compressor of [
    wholeCompressor(),
    portraitCompressor(),
    overallCompressor(),
    recursiveCompressor(),
  ]) {
    const made = compressor.compress(input, { ask: null, embedding })
    await expect(made).rejects.toThrow(InvalidInputError)
    await expect(made).rejects.toThrow(`${compressor.id} needs a language model`)
  }
})

describe('the extractive compressor', () => {
  const compress = (given: readonly Memory[]) =>
    extractiveCompressor().compress({ previous: null, sessions: given, turns: [] }, { ask: null, embedding })

  it('quotes session memories in the order of time', async () => {
    const made = await compress([
      session(1, 'Maya works as a nurse in the harbour hospital.'),
      session(2, 'Maya bought an old narrow house near the canal.'),
    ])
    expect(made).toBe(
      'Maya works as a nurse in the harbour hospital. Maya bought an old narrow house near the canal.',
    )
  })

  it('keeps within its length and likes what is new', async () => {
    const kinds = ['violin', 'kayak', 'orchid', 'zeppelin', 'jigsaw', 'quilt', 'walnut', 'fjord']
    const many = Array.from({ length: 120 }, (_, number) =>
      makeMemory({
        id: `s${number}`,
        form: 'summary',
        text: `Maya bought ${kinds[number % 8]} number ${number} in Ghent.`,
        validFrom: number * DAY,
      }),
    )
    const made = String(await compress(many))
    const numbers = [...made.matchAll(/number (\d+)/g)].map((match) => Number(match[1]))
    expect(made.length).toBeLessThanOrEqual(3_000)
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    expect(numbers).toContain(119)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    expect(mean).toBeGreaterThan(59.5)
  })

  it('has nothing to say of nothing', async () => {
    expect(await compress([])).toBeNull()
  })
})
