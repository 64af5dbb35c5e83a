import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openMemory, type LanguageModel, type Recall, type Role } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'

/** A question of a talk, with what a capable reader answered to the request that it makes. */
export interface RecordedQuestion {
  readonly ask: string
  /** Matches what the reply must say. */
  readonly says: string
  /** Matches what it must not say. */
  readonly never?: string
  answerable?: Recall['answerable']
  /** A hash of the request that was answered. */
  key?: string
  answer?: string
}

export interface RecordedTalk {
  readonly name: string
  readonly instructions?: string
  readonly past: readonly (readonly [role: Role, text: string, at: string])[]
  readonly begins: string
  readonly talk: readonly RecordedQuestion[]
}

export const TALKS_FILE = new URL('reply-talks.json', import.meta.url)
export const readTalks = () => JSON.parse(readFileSync(TALKS_FILE, 'utf8')) as RecordedTalk[]

export function requestKey({ prompt, system, messages }: LanguageRequest): string {
  const sent = JSON.stringify([prompt, system, messages])
  return createHash('sha256').update(sent).digest('hex').slice(0, 24)
}

/** Asks the questions of a talk one after another, each reply remembered; `onReply` gets every reply with its recall. */
export async function runTalk(
  { instructions, past, begins, talk }: RecordedTalk,
  reply: LanguageModel,
  onReply: (question: RecordedQuestion, text: string, recall: Recall) => void,
): Promise<void> {
  let now = 0
  let made = 0
  const newId = () => `id${(made += 1)}`
  const keepsake = await openMemory({ path: ':memory:', models: { reply }, now: () => now, newId })
  try {
    const user = keepsake.scope({ user: 'u' })
    for (const [role, text, at] of past) {
      now = Date.parse(at)
      await user.remember({ role, text })
      await user.drain()
    }
    for (const [index, question] of talk.entries()) {
      now = Date.parse(begins) + index * 60_000
      const options = instructions === undefined ? {} : { instructions }
      const answer = await user.reply({ role: 'user', text: question.ask }, options)
      onReply(question, await answer.text, answer.recall)
      await answer.remembered
      await user.drain()
    }
  } finally {
    await keepsake.close()
  }
}
