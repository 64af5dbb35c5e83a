import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** What is done to the right thing to say in an item of the probe. */
export const PROBE_KINDS = [
  'right',
  'paraphrased',
  'vague',
  'wrong-value',
  'partly-right',
  'contradicting',
  'abstaining',
  'injected',
] as const
export type ProbeKind = (typeof PROBE_KINDS)[number]

const about = { id: z.string(), kind: z.enum(PROBE_KINDS) }
const degree = z.union([z.literal(0), z.literal(1), z.literal(2)])
const fair = <V extends z.ZodType>(verdict: V): z.ZodArray<V> => z.array(verdict).min(1)

const itemShape = z.discriminatedUnion('call', [
  z.strictObject({
    ...about,
    call: z.literal('answer'),
    input: z.object({
      question: z.string(),
      reference: z.string(),
      keyPoints: z.array(z.string()),
      answer: z.string(),
      answerable: z.boolean(),
    }),
    expected: fair(z.enum(['correct', 'hallucinated', 'omitted'])),
  }),
  z.strictObject({
    ...about,
    call: z.literal('integrity'),
    input: z.object({ gold: z.string(), memories: z.array(z.string()) }),
    expected: fair(degree),
  }),
  z.strictObject({
    ...about,
    call: z.literal('accuracy'),
    input: z.object({
      memory: z.string(),
      dialogue: z.array(z.object({ role: z.enum(['user', 'agent']), speaker: z.string(), text: z.string() })),
      gold: z.array(z.string()),
    }),
    expected: fair(degree),
    isTarget: z.boolean(),
  }),
  z.strictObject({
    ...about,
    call: z.literal('update'),
    input: z.object({ updated: z.string(), originals: z.array(z.string()), memories: z.array(z.string()) }),
    expected: fair(z.enum(['correct', 'hallucinated', 'omitted', 'other'])),
  }),
  z.strictObject({
    ...about,
    call: z.literal('likeness'),
    input: z.object({ label: z.string(), memory: z.string() }),
    expected: fair(z.number().int().min(0).max(5)),
  }),
  z.strictObject({
    ...about,
    call: z.literal('content'),
    input: z.object({ expected: z.string(), actual: z.string() }),
    expected: fair(z.boolean()),
  }),
])

/** Something to be judged, and what a fair judge says of it. */
export type ProbeItem = z.infer<typeof itemShape>
export type ProbeCall = ProbeItem['call']

/** The shipped items of a language, in order. */
export async function loadProbe(language: 'en' | 'zh'): Promise<ProbeItem[]> {
  const file = fileURLToPath(new URL(`../../data/judge-probe/${language}.jsonl`, import.meta.url))
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => itemShape.parse(JSON.parse(line)))
}

/**
 * Some items of each call, taken in turn from each kind: the same ones every time.
 *
 * @param most of each call; of `answer` twice as many
 */
export function sampleProbe(items: readonly ProbeItem[], most: number): ProbeItem[] {
  const chosen = [...Map.groupBy(items, ({ call }) => call)].flatMap(([call, ofCall]) => {
    const byKind = [...Map.groupBy(ofCall, ({ kind }) => kind).values()]
    const longest = Math.max(...byKind.map((ofKind) => ofKind.length))
    const inTurn = Array.from({ length: longest }, (_, round) =>
      // Each kind begins with another item, so that one question does not stand for all.
      byKind.flatMap((ofKind, place) =>
        round < ofKind.length ? [ofKind[(round + place) % ofKind.length]] : [],
      ),
    ).flat()
    return inTurn.slice(0, call === 'answer' ? 2 * most : most)
  })
  const ids = new Set(chosen.map((item) => item?.id))
  return items.filter(({ id }) => ids.has(id))
}
