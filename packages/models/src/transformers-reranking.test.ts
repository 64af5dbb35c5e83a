import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { transformersReranking } from './transformers-reranking.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'

/** A package whose cross-encoder gives each pair the logits of `score`. */
function fakePackage(score: (question: string, text: string) => number[]) {
  const calls: unknown[] = []
  const env = { localModelPath: '/models/', allowLocalModels: false, allowRemoteModels: true }
  const tokenizer = (texts: string[], { text_pair, ...options }: { text_pair: string[] }) => {
    calls.push({ pairs: texts.length, ...options })
    return { pairs: texts.map((text, at) => [text, text_pair[at] ?? ''] as const) }
  }
  const classifier = async ({ pairs }: { pairs: [string, string][] }) => ({
    logits: { tolist: () => pairs.map(([question, text]) => score(question, text)) },
  })
  const loaded = { env, AutoTokenizer: {}, AutoModelForSequenceClassification: {} }
  loaded.AutoTokenizer = { from_pretrained: async () => tokenizer }
  loaded.AutoModelForSequenceClassification = {
    from_pretrained: async (...given: unknown[]) => {
      calls.push(given)
      return classifier
    },
  }
  return { calls, env, load: async () => loaded }
}

describe('transformersReranking', () => {
  it('names the package to install when it is missing, or too old', async () => {
    const missing = transformersReranking({ model: 'm' }, () => import(ABSENT))
    await expect(missing.rerank('q', ['a'])).rejects.toThrow(/npm install @huggingface\/transformers/)
    const old = transformersReranking({ model: 'm' }, async () => ({ env: {} }))
    await expect(old.rerank('q', ['a'])).rejects.toBeInstanceOf(ModelError)
  })

  it('loads once, reads question and text together in batches, and keeps their order', async () => {
    const { calls, load } = fakePackage((question, text) => [text.length - question.length])
    const model = transformersReranking({ model: 'm', dtype: 'q8' }, load)
    const scores = await model.rerank(
      '12345',
      Array.from({ length: 20 }, (_, at) => 'x'.repeat(at)),
    )
    await model.rerank('q', ['again'])
    const options = { padding: true, truncation: true }
    expect(calls).toEqual([
      ['m', { dtype: 'q8' }],
      { pairs: 16, ...options },
      { pairs: 4, ...options },
      { pairs: 1, ...options },
    ])
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(scores[5]).toBeCloseTo(0.5)
    expect(scores).toHaveLength(20)
  })

  it('takes the second of two logits as the one for the text', async () => {
    const { load } = fakePackage((_, text) => (text === 'yes' ? [-1, 1] : [1, -1]))
    const [yes = 0, no = 0] = await transformersReranking({ model: 'm' }, load).rerank('q', ['yes', 'no'])
    expect(yes).toBeGreaterThan(0.5)
    expect(yes + no).toBeCloseTo(1)
  })

  it.each([
    ['three classes', [1, 2, 3]],
    ['no number', [Number.NaN]],
  ])('refuses a model that gives %s', async (_, logits) => {
    const { load } = fakePackage(() => logits)
    await expect(transformersReranking({ model: 'm' }, load).rerank('q', ['a'])).rejects.toThrow(
      /cross-encoder/,
    )
  })

  it('fetches nothing when a local folder is given', async () => {
    const { env, load } = fakePackage(() => [1])
    await transformersReranking({ model: 'm', localModelPath: './here' }, load).rerank('q', ['a'])
    expect(env).toEqual({ localModelPath: './here', allowLocalModels: true, allowRemoteModels: false })
  })
})
