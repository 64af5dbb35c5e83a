import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { UpdateExample } from './example.ts'

/** Where sentences of our own lie: as far from the sources as from what is built of them. */
function dataFile(name: string): string {
  return fileURLToPath(new URL(`../../data/updater/${name}`, import.meta.url))
}

function lines<Line>(name: string, schema: z.ZodType<Line>): Line[] {
  return readFileSync(dataFile(name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => schema.parse(JSON.parse(line)))
}

const mentions = z.object({ en: z.array(z.string()), zh: z.array(z.string()) })
/** Sentences that name something known (`{the}`) and change nothing, by language. */
export type Mentions = z.infer<typeof mentions>

export function readMentions(): Mentions {
  return mentions.parse(JSON.parse(readFileSync(dataFile('mentions.json'), 'utf8')))
}

const language = z.enum(['en', 'zh'])

const remark = z.strictObject({
  language,
  known: z.string(),
  said: z.string(),
  kind: z.enum(['none', 'modify', 'delete']),
})
/** A person's words to one statement, written by us to learn from. */
export type Remark = z.infer<typeof remark>

export function readRemarks(): Remark[] {
  return lines('remarks.jsonl', remark)
}

const natural = z.strictObject({
  id: z.string(),
  language,
  memories: z.array(z.string()),
  said: z.string(),
  kind: z.enum(['none', 'add', 'modify', 'delete']),
  target: z.int().nonnegative().nullable(),
})

/** Updates in the way people talk, never learned from. `held-out`: seen by no one before. `looked-at`: seen meanwhile. */
export function readNatural(which: 'held-out' | 'looked-at'): UpdateExample[] {
  const file = which === 'held-out' ? 'natural.jsonl' : 'natural-looked-at.jsonl'
  return lines(file, natural).map(({ id, memories, ...rest }) => ({
    ...rest,
    known: memories,
    group: id,
    weight: 1,
  }))
}
