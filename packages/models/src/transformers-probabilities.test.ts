import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { surpriseWith } from './surprise-by-model.ts'
import { transformersProbabilities } from './transformers-probabilities.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'
const VOCABULARY = ['<s>', '\n', 'a', 'b', 'c']
/** Probability of the token with this id after any other; the model sees no further. */
const NEXT = [1 / 64, 1 / 64, 1 / 2, 1 / 4, 7 / 32]

interface FakeOptions {
  readonly start?: boolean
  readonly shift?: number
  readonly broken?: Error
  readonly dims?: (length: number) => number[]
}

/** A package with a tokenizer of single letters and a model that gives each position the logits ln NEXT + `shift`. */
function fakePackage({ start = false, shift = 0, broken, dims }: FakeOptions = {}) {
  const read: number[][] = []
  const loads: unknown[] = []
  const env = { localModelPath: '/models/', allowLocalModels: false, allowRemoteModels: true }
  class Tensor {
    readonly type: string
    readonly data: BigInt64Array
    readonly dims: number[]
    constructor(type: string, data: BigInt64Array, sizes: number[]) {
      this.type = type
      this.data = data
      this.dims = sizes
    }
  }
  const encode = (text: string) => [
    ...(start ? [0] : []),
    ...Array.from(text, (letter) => VOCABULARY.indexOf(letter)),
  ]
  const tokenizer = Object.assign((text: string) => ({ input_ids: encode(text) }), {
    decode: ([id = 0]: number[]) => VOCABULARY[id],
    model_max_length: 1e30,
  })
  const model = async ({ input_ids, attention_mask }: { input_ids: Tensor; attention_mask: Tensor }) => {
    if (broken) throw broken
    const ids = [...input_ids.data].map(Number)
    expect([...attention_mask.data]).toEqual(ids.map(() => 1n))
    read.push(ids)
    const data = Float32Array.from(ids.flatMap(() => NEXT.map((value) => Math.log(value) + shift)))
    const logits = { type: 'float32', dims: dims?.(ids.length) ?? [1, ids.length, VOCABULARY.length], data }
    return { logits: { ...logits, to: () => logits } }
  }
  const loaded = {
    env,
    Tensor,
    AutoTokenizer: { from_pretrained: async () => tokenizer },
    AutoModelForCausalLM: {
      from_pretrained: async (...given: unknown[]) => {
        loads.push(given)
        return model
      },
    },
  }
  return { env, loads, read, load: async () => loaded }
}

describe('transformersProbabilities', () => {
  it('names the package to install when it is missing, or too old', async () => {
    const missing = transformersProbabilities({ model: 'm' }, () => import(ABSENT))
    await expect(missing.logProbabilities('a', { before: '' })).rejects.toThrow(
      /npm install @huggingface\/transformers/,
    )
    const old = transformersProbabilities({ model: 'm' }, async () => ({ env: {} }))
    await expect(old.logProbabilities('a', { before: '' })).rejects.toBeInstanceOf(ModelError)
  })

  it('gives each token of the text its probability after those before, and loads once', async () => {
    const { loads, load, read } = fakePackage()
    const model = transformersProbabilities({ model: 'm', dtype: 'q8' }, load)
    const values = await model.logProbabilities('ab', { before: 'c\n' })
    expect(values.map(Math.exp)).toEqual([expect.closeTo(1 / 2, 6), expect.closeTo(1 / 4, 6)])
    expect(read).toEqual([[4, 1, 2, 3]])
    // 1/2 · 1/2 · 1/4 · 1/4 = 1/64, whose fourth root is 1/√8
    const surprise = await surpriseWith(model).surprise('aabb', { previous: 'c', history: [] })
    expect(surprise).toBeCloseTo(Math.sqrt(8), 5)
    expect(loads).toEqual([['m', { dtype: 'q8' }]])
  })

  it('normalises logits of any size', async () => {
    for (const shift of [-500, 90, 1000]) {
      const { load } = fakePackage({ shift })
      const [value = 0] = await transformersProbabilities({ model: 'm' }, load).logProbabilities('a', {
        before: '\n',
      })
      expect(Math.exp(value)).toBeCloseTo(1 / 2, 3)
    }
  })

  it('measures the first token only where the tokenizer puts a special one before it', async () => {
    const plain = transformersProbabilities({ model: 'm' }, fakePackage().load)
    expect(await plain.logProbabilities('ab', { before: '' })).toHaveLength(1)
    const marked = transformersProbabilities({ model: 'm' }, fakePackage({ start: true }).load)
    expect(await marked.logProbabilities('ab', { before: '' })).toHaveLength(2)
  })

  it('cuts what is before the text to the window, then the text’s own beginning', async () => {
    const { load, read } = fakePackage()
    const model = transformersProbabilities({ model: 'm', window: 4 }, load)
    expect(await model.logProbabilities('ab', { before: 'cccc\n' })).toHaveLength(2)
    expect(await model.logProbabilities('aabba', { before: '\n' })).toHaveLength(3)
    expect(read).toEqual([
      [4, 1, 2, 3],
      [2, 3, 3, 2],
    ])
  })

  it('fetches nothing when a local folder is given', async () => {
    const { env, load } = fakePackage()
    await transformersProbabilities({ model: 'm', localModelPath: './here' }, load).logProbabilities('a', {
      before: '\n',
    })
    expect(env).toEqual({ localModelPath: './here', allowLocalModels: true, allowRemoteModels: false })
  })

  it('says which model could not be loaded, and tries again at the next call', async () => {
    let broken = true
    const good = await fakePackage().load()
    const AutoModelForCausalLM = {
      from_pretrained: async (...given: unknown[]) => {
        if (broken) throw new Error('404')
        return good.AutoModelForCausalLM.from_pretrained(...given)
      },
    }
    const model = transformersProbabilities({ model: 'm' }, async () => ({ ...good, AutoModelForCausalLM }))
    await expect(model.logProbabilities('a', { before: '\n' })).rejects.toThrow(/"m" could not be loaded/)
    broken = false
    expect(await model.logProbabilities('a', { before: '\n' })).toHaveLength(1)
  })

  it.each<[string, FakeOptions, RegExp]>([
    ['fails', { broken: new Error('out of memory') }, /could not read a text of 2 tokens/],
    ['classifies', { dims: () => [1, 5] }, /no causal language model/],
    ['gives the last logits only', { dims: () => [1, 1, 5] }, /no causal language model/],
  ])('refuses a model that %s', async (_, options, message) => {
    const model = transformersProbabilities({ model: 'm' }, fakePackage(options).load)
    const failing = model.logProbabilities('a', { before: '\n' })
    await expect(failing).rejects.toThrow(message)
    await expect(failing).rejects.toBeInstanceOf(ModelError)
  })
})
