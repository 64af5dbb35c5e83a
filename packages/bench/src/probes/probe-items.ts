import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { TurnRoleField } from '../datasets/conversation.ts'

/** Kinds of items, by how the judged text differs from the right one. */
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
/** The schema of the verdicts that a fair judge may give. */
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
      dialogue: z.array(z.object({ role: TurnRoleField, speaker: z.string(), text: z.string() })),
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
    call: z.literal('reply'),
    input: z.object({ question: z.string(), reference: z.string(), reply: z.string() }),
    expected: fair(z.number().int().min(0).max(5)),
  }),
  z.strictObject({
    ...about,
    call: z.literal('content'),
    input: z.object({ expected: z.string(), actual: z.string() }),
    expected: fair(z.boolean()),
  }),
])

/** An item on which a judge is tested. `expected` lists the verdicts of a fair judge, the fairest first. */
export type ProbeItem = z.infer<typeof itemShape>
export type ProbeCall = ProbeItem['call']

/** Loads the items of a language that ship with the harness. */
export function loadProbe(language: 'en' | 'zh'): Promise<ProbeItem[]> {
  return readShipped(language, itemShape)
}

/** Reads items from a file that ships with the harness. */
export async function readShipped<Item>(name: string, shape: z.ZodType<Item>): Promise<Item[]> {
  const file = fileURLToPath(new URL(`../../data/judge-probe/${name}.jsonl`, import.meta.url))
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => shape.parse(JSON.parse(line)))
}

/** The sample of each call starts this many kinds later than the last. The number does not divide 8, so each call leaves out other kinds. */
const KIND_ROTATION = 3

/** Samples the items of each call evenly over the kinds. The sample is always the same. `answer` has twice `maxItems`. */
export function sampleProbe(items: readonly ProbeItem[], maxItems: number): ProbeItem[] {
  const calls = [...Map.groupBy(items, ({ call }) => call)]
  const chosen = calls.flatMap(([call, itemsOfCall], place) => {
    const kinds = [...Map.groupBy(itemsOfCall, ({ kind }) => kind).values()]
    const first = (place * KIND_ROTATION) % kinds.length
    const limit = call === 'answer' ? 2 * maxItems : maxItems
    return interleaveKinds([...kinds.slice(first), ...kinds.slice(0, first)]).slice(0, limit)
  })
  return items.filter((item) => chosen.includes(item))
}

/** Lists one item of each kind, then another of each, and so on. Kinds start at different items, so that a sample covers several questions. */
function interleaveKinds(kinds: readonly (readonly ProbeItem[])[]): ProbeItem[] {
  const longest = Math.max(...kinds.map((itemsOfKind) => itemsOfKind.length))
  return Array.from({ length: longest }, (_, round) =>
    kinds.flatMap((itemsOfKind, place) => {
      const item = round < itemsOfKind.length ? itemsOfKind[(round + place) % itemsOfKind.length] : undefined
      return item === undefined ? [] : [item]
    }),
  ).flat()
}
