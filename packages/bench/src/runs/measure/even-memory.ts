import { z } from 'zod'
import type { Retrieved, SystemMemory, SystemMemoryItem } from '../../systems/memory-system.ts'

/** Counts of malformed parts in a system's answers, by kind. */
export type FormatErrors = Map<string, number>

/**
 * Normalises the answers of any system, since systems are measured by what they find, not by its form. A non-numeric score counts as none,
 * an empty memory is dropped, a missing id is generated, and a missing list is empty. Corrections are counted and reported without cost. A
 * call that throws still fails.
 *
 * @param formatErrors counts corrections by kind
 */
export function normalizeMemory(memory: SystemMemory, formatErrors: FormatErrors): SystemMemory {
  const schemas = answerSchemas(formatErrors)
  const readItems = (given: unknown): SystemMemoryItem[] | null =>
    given === null || given === undefined ? null : withoutBlank(schemas.items.parse(given), formatErrors)
  const { answer } = memory
  return {
    addDialogue: async (dialogue) => schemas.added.parse(await memory.addDialogue(dialogue)),
    dialogueMemories: async (session) => readItems(await memory.dialogueMemories(session)),
    memories: async () => readItems(await memory.memories()),
    async retrieve(query, options) {
      const { memories, ...found } = schemas.retrieved.parse(await memory.retrieve(query, options))
      return { ...found, memories: withoutBlank(memories, formatErrors) } satisfies Retrieved
    },
    answer: answer === null ? null : async (question) => schemas.text.parse(await answer(question)),
    usage: () => memory.usage(),
    close: () => memory.close(),
  }
}

/** The schemas of a system's answers; invalid parts are counted and replaced by neutral values. */
function answerSchemas(formatErrors: FormatErrors) {
  let unnamed = 0
  const orElse =
    <T>(kind: string, replacement: () => T) =>
    (): T => {
      formatErrors.set(kind, (formatErrors.get(kind) ?? 0) + 1)
      return replacement()
    }
  const id = z
    .string()
    .min(1)
    .catch(orElse('an id that is missing or no text', () => `unnamed-${++unnamed}`))
  const text = z.string().catch(orElse('a text that is none', () => ''))
  const score = z
    .number()
    .nullable()
    .catch(orElse('a score that is no number', () => null))
  const turns = z
    .array(z.string())
    .nullable()
    .catch(orElse('turns that are no ids', () => null))
  const item = z.object({ id, text, turns, saidAt: z.number().optional().catch(undefined) })
  const list = <T extends z.ZodType>(of: T) => z.array(of).catch(orElse('a list that is none', () => []))
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
        .catch(orElse('operations in another form', () => null)),
    }),
    retrieved: z.object({
      memories: list(item.extend({ score })),
      turns: z
        .array(
          z.object({ id: z.string(), score: z.number().catch(orElse('a score that is no number', () => 0)) }),
        )
        .nullable()
        .catch(orElse('turns that are no ids', () => null)),
      sessions: z.array(z.string()).nullable().catch(null),
      confidence: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .catch(orElse('a confidence that is no probability', () => null)),
      known: z.boolean().optional().catch(undefined),
      profile: z
        .array(item.omit({ id: true }))
        .optional()
        .catch(undefined),
      context: text,
    }),
  }
}

function withoutBlank<Item extends SystemMemoryItem>(
  items: readonly Item[],
  formatErrors: FormatErrors,
): Item[] {
  const kept = items.filter(({ text }) => text.trim() !== '')
  const blank = items.length - kept.length
  if (blank > 0) formatErrors.set(BLANK_MEMORY, (formatErrors.get(BLANK_MEMORY) ?? 0) + blank)
  return kept
}

const BLANK_MEMORY = 'a memory without words'
