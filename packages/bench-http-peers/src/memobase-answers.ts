import type { SystemMemoryItem, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import type { Refusal } from './http-client.ts'

/** Every answer of Memobase: `errno` is 0 when it did what was asked. */
const envelope = z.object({ errno: z.number(), errmsg: z.string().nullish() })

/** Finds the refusal that Memobase puts into an answer of status 200. */
export function findMemobaseRefusal(body: unknown): Refusal | null {
  const read = envelope.safeParse(body)
  if (!read.success || read.data.errno === 0) return null
  const { errno, errmsg } = read.data
  return {
    problem: `was refused with error ${errno}${errmsg ? ` (${errmsg})` : ''}`,
    isRetryable: errno >= 500,
    isAbsent: errno === 404,
    isUntaken: errno === 503,
    advice:
      errno === 401 || errno === 403
        ? 'Check the key in MEMOBASE_API_KEY.'
        : 'Look at the service for the reason; 503 also means that the plan has no tokens left.',
  }
}

/** An answer whose `data` is read. */
export function dataOf<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

/** What processing a piece of the buffer did to the profile. */
export const memobaseResult = z.object({
  event_id: z.string().nullish(),
  add_profiles: z.array(z.string()).nullish(),
  update_profiles: z.array(z.string()).nullish(),
  delete_profiles: z.array(z.string()).nullish(),
})

export type MemobaseResult = z.infer<typeof memobaseResult>

const attributes = z.object({ topic: z.string(), sub_topic: z.string() })

export const memobaseProfile = z.object({ id: z.string(), content: z.string(), attributes })

export type MemobaseProfile = z.infer<typeof memobaseProfile>

export const memobaseEvent = z.object({
  id: z.string(),
  event_data: z
    .object({
      event_tip: z.string().nullish(),
      profile_delta: z
        .array(z.object({ content: z.string(), attributes: attributes.partial().nullish() }))
        .nullish(),
    })
    .nullish(),
})

export type MemobaseEvent = z.infer<typeof memobaseEvent>

/** A profile's slot as one statement. */
export function textOfProfile(profile: Pick<MemobaseProfile, 'content' | 'attributes'>): string {
  return `${profile.attributes.topic} / ${profile.attributes.sub_topic}: ${profile.content}`
}

/** The changes of a profile that stood as `before` and stands as `after`, by id. */
export function readMemobaseOperations(
  results: readonly MemobaseResult[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly SystemOperation[] {
  const was = (memory: string) => before.get(memory) ?? null
  const is = (memory: string) => after.get(memory) ?? null
  return results.flatMap((result): readonly SystemOperation[] => [
    ...(result.add_profiles ?? []).map(
      (memory) => ({ kind: 'add', memory, before: null, after: is(memory) }) as const,
    ),
    ...(result.update_profiles ?? []).map(
      (memory) => ({ kind: 'modify', memory, before: was(memory), after: is(memory) }) as const,
    ),
    ...(result.delete_profiles ?? []).map(
      (memory) => ({ kind: 'delete', memory, before: was(memory), after: null }) as const,
    ),
  ])
}

/** What an event says was learned: each change of the profile, and each line of its account of what happened. */
export function itemsOfEvent(event: MemobaseEvent): readonly SystemMemoryItem[] {
  const deltas = (event.event_data?.profile_delta ?? []).map((delta) => {
    const topic = [delta.attributes?.topic, delta.attributes?.sub_topic].filter(Boolean).join(' / ')
    return topic === '' ? delta.content : `${topic}: ${delta.content}`
  })
  const tips = splitIntoStatements(event.event_data?.event_tip ?? '', 'every line')
  return [...deltas, ...tips].map((text, index) => ({ id: `${event.id}#${index + 1}`, text, turns: null }))
}

/** The statements of a text that the service composed, without the dash before each. */
export function splitIntoStatements(text: string, which: 'every line' | 'dashed lines'): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && (which === 'every line' || line.startsWith('- ')))
    .map((line) => line.replace(/^- /u, '').trim())
}
