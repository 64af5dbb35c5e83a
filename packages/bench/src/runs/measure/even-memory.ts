import { z } from 'zod'
import type { Retrieved, SystemMemory, SystemMemoryItem } from '../../systems/memory-system.ts'

/** Counts of malformed parts of a system's answers. */
export type Oddities = Map<string, number>

/**
 * Normalises the answers of any system, since systems are measured by what they find, not by its form. A non-numeric score counts as none,
 * an empty memory is dropped, a missing id is generated, and a missing list is empty. Corrections are counted and reported without cost. A
 * call that throws still fails.
 *
 * @param oddities counts corrections by kind
 */
export function evenMemory(memory: SystemMemory, oddities: Oddities): SystemMemory {
  const reads = formsFor(oddities)
  const listed = (given: unknown): SystemMemoryItem[] | null =>
    given === null || given === undefined ? null : withWords(reads.items.parse(given), oddities)
  const { answer } = memory
  return {
    addDialogue: async (dialogue) => reads.added.parse(await memory.addDialogue(dialogue)),
    dialogueMemories: async (session) => listed(await memory.dialogueMemories(session)),
    memories: async () => listed(await memory.memories()),
    async retrieve(query, options) {
      const { memories, ...found } = reads.retrieved.parse(await memory.retrieve(query, options))
      return { ...found, memories: withWords(memories, oddities) } satisfies Retrieved
    },
    answer: answer === null ? null : async (question) => reads.text.parse(await answer(question)),
    usage: () => memory.usage(),
    close: () => memory.close(),
  }
}

/** The schemas of a system's answers; invalid parts are counted and replaced by neutral values. */
function formsFor(oddities: Oddities) {
  let unnamed = 0
  const odd =
    <T>(what: string, instead: () => T) =>
    (): T => {
      oddities.set(what, (oddities.get(what) ?? 0) + 1)
      return instead()
    }
  const id = z
    .string()
    .min(1)
    .catch(odd('an id that is missing or no text', () => `unnamed-${++unnamed}`))
  const text = z.string().catch(odd('a text that is none', () => ''))
  const score = z
    .number()
    .nullable()
    .catch(odd('a score that is no number', () => null))
  const turns = z
    .array(z.string())
    .nullable()
    .catch(odd('turns that are no ids', () => null))
  const item = z.object({ id, text, turns, saidAt: z.number().optional().catch(undefined) })
  const list = <T extends z.ZodType>(of: T) => z.array(of).catch(odd('a list that is none', () => []))
  const change = z.object({
    kind: z.enum(['add', 'modify', 'delete']),
    memory: id,
    before: z.string().nullable().catch(null),
    after: z.string().nullable().catch(null),
  })
  return {
    text,
    items: list(item),
    added: z.object({
      operations: z
        .array(change)
        .nullable()
        .catch(odd('operations in another form', () => null)),
    }),
    retrieved: z.object({
      memories: list(item.extend({ score })),
      turns: z
        .array(
          z.object({ id: z.string(), score: z.number().catch(odd('a score that is no number', () => 0)) }),
        )
        .nullable()
        .catch(odd('turns that are no ids', () => null)),
      sessions: z.array(z.string()).nullable().catch(null),
      confidence: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .catch(odd('a confidence that is no probability', () => null)),
      known: z.boolean().optional().catch(undefined),
      profile: z
        .array(item.omit({ id: true }))
        .optional()
        .catch(undefined),
      context: text,
    }),
  }
}

function withWords<Item extends SystemMemoryItem>(items: readonly Item[], oddities: Oddities): Item[] {
  const kept = items.filter(({ text }) => text.trim() !== '')
  const blank = items.length - kept.length
  if (blank > 0) oddities.set(WITHOUT_WORDS, (oddities.get(WITHOUT_WORDS) ?? 0) + blank)
  return kept
}

const WITHOUT_WORDS = 'a memory without words'
