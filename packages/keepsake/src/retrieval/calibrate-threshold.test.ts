import { describe, expect, it } from 'vitest'
import { embeddedWordVectors, type EmbeddingModel } from '@keepsake/text'
import { calibrateThreshold, calibrationTalk, knownThresholds } from './cosine-thresholds.ts'

/** Each text is a unit vector at so many degrees. */
function atDegrees(calls: number[] = []): EmbeddingModel {
  return {
    id: 'degrees',
    dimensions: 2,
    embed: (texts) => {
      calls.push(texts.length)
      const radians = texts.map((text) => (Number(text) * Math.PI) / 180)
      return Promise.resolve(radians.map((angle) => Float32Array.of(Math.cos(angle), Math.sin(angle))))
    },
  }
}
const said = (...degrees: number[]) => degrees.map((angle) => ({ role: 'user', text: String(angle) }))

describe('calibrateThreshold', () => {
  it('lets through the nearest of what was said before, and names the embedder', async () => {
    // 11 pairs of the last with those before it would be in order; here all pairs of 0, 90 and 60 degrees:
    // cos 90 = 0, cos 60 = 0.5, cos 30 = 0.866. Nine tenths and 85 % of three both end at the third.
    const talk = { en: said(0, 90, 60), zh: said(0, 90) }
    expect(await calibrateThreshold(atDegrees(), talk)).toEqual({ embedder: 'degrees', en: 0.866, zh: 0 })
  })

  it('compares only what the user says with what came before', async () => {
    const talk = [...said(0), { role: 'assistant', text: '0' }, ...said(90)]
    const { en } = await calibrateThreshold(atDegrees(), { en: talk, zh: talk })
    expect(en).toBe(0)
  })

  it('embeds no more than 64 texts in a call', async () => {
    const calls: number[] = []
    const talk = said(...Array.from({ length: 100 }, (_, at) => at))
    await calibrateThreshold(atDegrees(calls), { en: talk, zh: said(0, 1) })
    expect(calls).toEqual([64, 36, 2])
  })

  it('refuses a talk with nothing to compare', async () => {
    await expect(calibrateThreshold(atDegrees(), { en: said(0), zh: said(0) })).rejects.toThrow(RangeError)
  })

  it('finds on the talk that ships what is known of the built-in embedder', async () => {
    const model = embeddedWordVectors()
    const found = await calibrateThreshold(model, calibrationTalk())
    const known = knownThresholds(model.id)
    expect(Math.abs(found.en - (known?.en ?? 0))).toBeLessThan(0.02)
    expect(Math.abs(found.zh - (known?.zh ?? 0))).toBeLessThan(0.02)
  })

  it('leaves LUFY’s own embedder LUFY’s own threshold', () => {
    expect(knownThresholds('openai.embedding/text-embedding-ada-002')).toEqual({ en: 0.8, zh: 0.8 })
    expect(knownThresholds('openai.embedding/text-embedding-3-small')).toBeNull()
  })
})
