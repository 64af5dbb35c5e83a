import { z } from 'zod'
import type { Reader } from '../../readers/reader.ts'
import { readShipped } from '../probe-items.ts'

const input = z.object({
  question: z.string(),
  askedAt: z.number(),
  context: z.string(),
  memories: z.array(z.string()),
})

const itemShape = z.discriminatedUnion('call', [
  z.strictObject({
    id: z.string(),
    call: z.literal('read'),
    input,
    /** Texts that the answer must contain, alternatives separated by `|`; `null`: it must say that it does not know. */
    holds: z.array(z.string()).nullable(),
  }),
  z.strictObject({
    id: z.string(),
    call: z.literal('choose'),
    input: input.extend({ choices: z.array(z.string()) }),
    /** Index of the correct choice, from 0. */
    correct: z.number(),
  }),
])

/** A question about a short context, with the correct answer. */
type ReadingItem = z.infer<typeof itemShape>

export interface ReadItem {
  readonly id: string
  /** The answer, or the chosen option. */
  readonly given: string
  readonly isRight: boolean
}

/** Loads the shipped questions of a language, in order. */
export function loadReadingProbe(language: 'en' | 'zh'): Promise<ReadingItem[]> {
  return readShipped(`reading-${language}`, itemShape)
}

/** Asks a reader questions with known answers. @throws any error of the reader */
export async function probeReader(reader: Reader, items: readonly ReadingItem[]): Promise<ReadItem[]> {
  const read: ReadItem[] = []
  for (const item of items) read.push(await readItem(reader, item))
  return read
}

async function readItem(reader: Reader, item: ReadingItem): Promise<ReadItem> {
  switch (item.call) {
    case 'read': {
      const { answer, abstained } = await reader.answer(item.input)
      return {
        id: item.id,
        given: answer,
        isRight: item.holds === null ? abstained : !abstained && holds(answer, item.holds),
      }
    }
    case 'choose': {
      const { choice } = await reader.choose(item.input)
      return { id: item.id, given: item.input.choices[choice] ?? '', isRight: choice === item.correct }
    }
  }
}

function holds(answer: string, wanted: readonly string[]): boolean {
  const said = answer.toLowerCase()
  return wanted.every((forms) => forms.split('|').some((form) => said.includes(form.toLowerCase())))
}
