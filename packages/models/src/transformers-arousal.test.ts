import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { transformersArousal } from './transformers-arousal.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'
const VAD = { 0: 'V', 1: 'A', 2: 'D' }

/** A package whose regressor gives each text the numbers of `regress`. */
function fakePackage(regress: (text: string) => number[], id2label?: Readonly<Record<number, string>>) {
  const calls: unknown[] = []
  const tokenizer = (texts: string[], options: object) => {
    calls.push({ texts: texts.length, ...options })
    return { texts }
  }
  const model = Object.assign(
    async ({ texts }: { texts: string[] }) => ({ logits: { tolist: () => texts.map(regress) } }),
    { config: id2label === undefined ? {} : { id2label } },
  )
  const loaded = {
    env: {},
    AutoTokenizer: { from_pretrained: async () => tokenizer },
    AutoModelForSequenceClassification: {
      from_pretrained: async (...given: unknown[]) => {
        calls.push(given)
        return model
      },
    },
  }
  return { calls, load: async () => loaded }
}

describe('transformersArousal', () => {
  it('names the package to install when it is missing', async () => {
    const model = transformersArousal({ model: 'm' }, () => import(ABSENT))
    await expect(model.arousal(['a'])).rejects.toThrow(/npm install @huggingface\/transformers/)
  })

  it('takes the number that the model calls arousal, in batches and in order', async () => {
    const { calls, load } = fakePackage((text) => [5, 1 + text.length / 10, 5], VAD)
    const model = transformersArousal({ model: 'm', dtype: 'q8' }, load)
    const texts = Array.from({ length: 20 }, (_, at) => 'x'.repeat(at + 1))
    const values = await model.arousal(texts)
    expect(values).toEqual(texts.map((text) => 1 + text.length / 10))
    const options = { padding: true, truncation: true }
    expect(calls).toEqual([['m', { dtype: 'q8' }], { texts: 16, ...options }, { texts: 4, ...options }])
  })

  it('takes the only number there is, and keeps to the scale', async () => {
    const { load } = fakePackage((text) => [Number(text)])
    const model = transformersArousal({ model: 'm' }, load)
    expect(await model.arousal(['2.5', '-4', '9'])).toEqual([2.5, 1, 5])
  })

  it('brings another scale to EmoBank’s', async () => {
    const { load } = fakePackage((text) => [0, Number(text)])
    const model = transformersArousal({ model: 'm', output: 1, scale: [0, 1] }, load)
    expect(await model.arousal(['0', '0.5', '1'])).toEqual([1, 3, 5])
  })

  it('reads no empty text and takes it for plain talk', async () => {
    const { calls, load } = fakePackage(() => [4])
    expect(await transformersArousal({ model: 'm' }, load).arousal(['', 'Yes!', '  '])).toEqual([3, 4, 3])
    expect(calls.at(-1)).toMatchObject({ texts: 1 })
  })

  it('has an id that tells what changes its numbers', () => {
    const { load } = fakePackage(() => [4])
    const ids = [
      transformersArousal({ model: 'm' }, load),
      transformersArousal({ model: 'm', output: 1 }, load),
      transformersArousal({ model: 'm', scale: [0, 1] }, load),
    ].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
  })

  it('refuses a classifier of emotions, naming its labels', async () => {
    const { load } = fakePackage(() => [1, 2], { 0: 'joy', 1: 'anger' })
    const asked = transformersArousal({ model: 'm' }, load).arousal(['a'])
    await expect(asked).rejects.toThrow(/labels: joy, anger/)
    await expect(asked).rejects.toBeInstanceOf(ModelError)
  })

  it('refuses an output that the model does not have', async () => {
    const { load } = fakePackage(() => [1, 2])
    await expect(transformersArousal({ model: 'm', output: 7 }, load).arousal(['a'])).rejects.toThrow(
      /none at 7/,
    )
  })
})
