import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { spoilingModel } from './run.ts'

const GOOD = '{"memories": [{"text": "The user mends clocks."}]}'
const REQUEST: LanguageRequest = {
  messages: [{ role: 'user', text: 'What does the user do?' }],
  system: '',
  schema: null,
  prompt: 'segment/1',
}

async function answersOf(oneIn: number, seed: number, count: number): Promise<string[]> {
  const model = spoilingModel(
    scriptedModel(() => GOOD),
    { oneIn, seed },
  )
  const answers: string[] = []
  for (let asked = 0; asked < count; asked += 1) answers.push((await model.generate(REQUEST)).text)
  return answers
}

const isUsable = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

describe('a model that is spoilt', () => {
  it('answers unusably once in each so many, in every way that weak models do', async () => {
    const answers = await answersOf(10, 1, 80)
    for (let start = 0; start < 80; start += 10)
      expect(answers.slice(start, start + 10).filter((text) => !isUsable(text))).toHaveLength(1)
    expect(new Set(answers.filter((text) => !isUsable(text))).size).toBe(4)
    expect(answers.filter((text) => text !== GOOD && isUsable(text))).toEqual([])
  })

  it('spoils the same answers with the same seed, and others with another', async () => {
    expect(await answersOf(10, 1, 60)).toEqual(await answersOf(10, 1, 60))
    expect(await answersOf(10, 1, 60)).not.toEqual(await answersOf(10, 2, 60))
  })

  it('counts streamed answers, and says in its name that it is spoilt', async () => {
    const model = spoilingModel(
      scriptedModel(() => GOOD, 'weak'),
      { oneIn: 2, seed: 1 },
    )
    const texts: string[] = []
    for (let asked = 0; asked < 2; asked += 1) {
      let text = ''
      for await (const piece of model.stream(REQUEST)) if (piece.kind === 'text') text += piece.text
      texts.push(text)
    }
    expect(texts.filter((text) => text === GOOD)).toHaveLength(1)
    expect(model.id).toBe('weak, one in 2 unusable (seed 1)')
  })
})
