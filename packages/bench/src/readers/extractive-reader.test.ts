import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractiveReader } from './extractive-reader.ts'

async function answer(
  question: string,
  lines: readonly string[],
  memories: readonly string[] = [],
): Promise<string> {
  const context = lines.join('\n')
  return (await extractiveReader.answer({ question, askedAt: 0, context, memories })).answer
}

describe('the reader without a model, of a composed context', () => {
  it('answers once, with the sentence and not with the marks of its line', async () => {
    const line = '- [since 2024-05-02] "Ana paints lanterns."'
    expect(await answer('What does Ana paint?', [line], ['Ana paints lanterns.'])).toBe(
      'Ana paints lanterns.',
    )
    expect(await answer('何敏画什么？', ['- [2024-05-02] "何敏画灯笼。"'], ['何敏画灯笼。'])).toBe(
      '何敏画灯笼。',
    )
  })

  it('reads the context alone where there is one', async () => {
    expect(await answer('What does Ana paint?', ['- Ana sings.'], ['Ana paints lanterns.'])).not.toMatch(
      /lanterns/,
    )
    expect(await answer('What does Ana paint?', [' '], ['Ana paints lanterns.'])).toBe('Ana paints lanterns.')
  })

  it('dates a sentence by its line where a time is asked for, unless it has a date of its own', async () => {
    const lines = [
      '- [2024-05-02] Ana: "Hello there! The loom has broken."',
      '- [2024-06-09] Ana: "The kiln was sold on 3 June."',
    ]
    expect(await answer('When did the loom break?', lines)).toBe('2024-05-02: The loom has broken.')
    expect(await answer('When was the kiln sold?', lines)).toBe('The kiln was sold on 3 June.')
    expect(await answer('When was the lathe sold?', ['[2024-06-09] The lathe was sold last Friday.'])).toBe(
      '2024-06-09: The lathe was sold last Friday.',
    )
    expect(await answer('What broke, the loom?', lines)).toBe('The loom has broken.')
    expect(await answer('How did she feel when the loom had broken?', lines)).toBe('The loom has broken.')
    const zh = ['- [2024-05-02] 何敏: "织布机坏了。"']
    expect(await answer('织布机什么时候坏了？', zh)).toBe('2024-05-02: 织布机坏了。')
  })

  it('offers one day only', async () => {
    const lines = ['[2024-05-02] The loom broke.', '[2024-07-11] The loom broke again.']
    expect(await answer('When did the loom break?', lines)).toBe('2024-05-02: The loom broke.')
  })

  it('finds a line by its speaker and day, and names the speaker of “I” and for “who”', async () => {
    const lines = [
      '- [2024-05-02] Boris: "I sold the kiln."',
      '- [2024-05-02] Ana: "I sold the loom."',
      '- [2024-05-09] Ana: "I sold the lathe."',
    ]
    expect(await answer('What did Ana sell on 9 May 2024?', lines)).toBe('Ana: I sold the lathe.')
    expect(await answer('Who sold the kiln?', lines)).toBe('Boris: I sold the kiln.')
    expect(await answer('谁卖了窑？', ['[2024-05-02] 何敏: 窑卖了。'])).toBe('何敏: 窑卖了。')
  })

  it('takes a question for an answer only where nothing else bears', async () => {
    const asked = '- [2024-05-02] Boris: "Which lantern did Ana paint?" / Ana: "The lantern by the door."'
    expect(await answer('Which lantern did Ana paint?', [asked])).toBe('The lantern by the door.')
    expect(await answer('Which lantern did Ana paint?', ['Boris: Which lantern did Ana paint?'])).toMatch(
      /\?$/,
    )
    expect(await answer('何敏画了哪个灯笼？', ['何敏画了哪个灯笼？', '何敏画了门口的灯笼。'])).toBe(
      '何敏画了门口的灯笼。',
    )
  })

  it('says of what was so before, before when', async () => {
    const line = '- [since 2024-05-02] "Ana lives in Lyon." (before 2024-05-02: "Ana lives in Porto.")'
    expect(await answer('Where does Ana live?', [line])).toBe('Ana lives in Lyon.')
    expect(await answer('Who or what is Porto to Ana?', [line])).toBe(
      'before 2024-05-02: Ana lives in Porto.',
    )
  })

  it('never says a sentence twice, however a system repeats it', async () => {
    const texts = fc.constantFrom(
      'Ana paints lanterns.',
      'Ana paints the door.',
      'Ana sings.',
      'Boris paints.',
    )
    const form = fc.constantFrom<(text: string) => string>(
      (text) => `- [2024-05-02] "${text}"`,
      (text) => `[2024-05-03] ${text}`,
      (text) => `- ${text} (2024-05-04)`,
      (text) => `{"memory": "${text}"}`,
      (text) => text,
    )
    const line = fc.tuple(texts, form).map(([text, compose]) => compose(text))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const sentences = (await answer('What does Ana paint?', lines)).split(/(?<=\.) /)
        expect(new Set(sentences).size).toBe(sentences.length)
        expect(sentences.join('')).not.toMatch(/["[\](){}]/)
      }),
    )
  })
})
