import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { transformersTokens } from './transformers-tokens.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'
const [BEGIN, END] = [101, 102]

/** A package whose tokens are letters and whose encoder gives each the state [its code, 1], special tokens [9, 9]. */
function fakePackage({ broken, states = true }: { broken?: Error; states?: boolean } = {}) {
  const loads: unknown[] = []
  const tokenizer = Object.assign(
    (text: string, options: object) => {
      loads.push(options)
      const ids = [BEGIN, ...Array.from(text, (letter) => letter.charCodeAt(0) - 96), END]
      return { input_ids: { tolist: () => [ids.map(BigInt)] } }
    },
    { all_special_ids: [BEGIN, END] },
  )
  const encoder = async ({ input_ids }: { input_ids: { tolist: () => bigint[][] } }) => {
    if (broken !== undefined) throw broken
    const rows = input_ids.tolist().map((ids) => ids.map((id) => (id > 100n ? [9, 9] : [Number(id), 1])))
    return states ? { last_hidden_state: { tolist: () => rows } } : { logits: {} }
  }
  const loaded = {
    env: {},
    AutoTokenizer: { from_pretrained: async () => tokenizer },
    AutoModel: {
      from_pretrained: async (...given: unknown[]) => {
        loads.push(given)
        return encoder
      },
    },
  }
  return { loads, load: async () => loaded }
}

describe('transformersTokens', () => {
  it('gives the tokens of each text vectors of length 1, without those around it, and loads once', async () => {
    const { loads, load } = fakePackage()
    const model = transformersTokens({ model: 'm', dtype: 'q8' }, load)
    const [ab = [], none] = await model.embedTokens(['ab', ''])
    expect(ab.map((vector) => Math.hypot(...vector))).toEqual([expect.closeTo(1, 6), expect.closeTo(1, 6)])
    expect(ab.map(([x = 0, y = 1]) => x / y)).toEqual([expect.closeTo(1, 5), expect.closeTo(2, 5)])
    expect(none).toEqual([])
    expect(loads).toEqual([['m', { dtype: 'q8' }], { truncation: true }, { truncation: true }])
    expect(model.id).toBe('transformers/m/q8/last-layer')
  })

  it('names the package to install when it is missing, or too old', async () => {
    const missing = transformersTokens({ model: 'm' }, () => import(ABSENT))
    await expect(missing.embedTokens(['a'])).rejects.toThrow(/npm install @huggingface\/transformers/)
    const old = transformersTokens({ model: 'm' }, async () => ({ env: {} }))
    await expect(old.embedTokens(['a'])).rejects.toBeInstanceOf(ModelError)
  })

  it('says when the model fails, or is no encoder', async () => {
    const fails = transformersTokens({ model: 'm' }, fakePackage({ broken: new Error('out of memory') }).load)
    await expect(fails.embedTokens(['a'])).rejects.toThrow(/could not embed the tokens of a text/)
    const decodes = transformersTokens({ model: 'm' }, fakePackage({ states: false }).load)
    await expect(decodes.embedTokens(['a'])).rejects.toThrow(/no hidden states for 3 tokens: take an encoder/)
  })
})
