import { z } from 'zod'
import type { Retrieved, SystemMemory, SystemMemoryItem } from '../../systems/memory-system.ts'

/** Numbers of malformed parts of a system's answers, by kind, such as “a list that is none”. */
export type FormatErrors = Map<string, number>

/**
 * Normalises the answers of a system, because systems are measured by what they find, not by its form.
 *
 * - A score that is no number becomes `null`.
 * - An empty memory is dropped.
 * - A missing id is generated.
 * - A missing list becomes an empty one.
 *
 * Reports list these corrections. They do not lower any figure. A call that throws still fails.
 *
 * @param formatErrors counts corrections by kind
 */
export function normalizeMemory(memory: SystemMemory, formatErrors: FormatErrors): SystemMemory {
  const schemas = answerSchemas(formatErrors)
  const readItems = (items: unknown): SystemMemoryItem[] | null =>
    items === null || items === undefined ? null : withoutBlank(schemas.items.parse(items), formatErrors)
  const { answer } = memory
  return {
    addDialogue: async (dialogue) => schemas.added.parse(await memory.addDialogue(dialogue)),
    dialogueMemories: async (session) => readItems(await memory.dialogueMemories(session)),
    memories: async () => readItems(await memory.memories()),
    async retrieve(query, options) {
      const retrieved = schemas.retrieved.parse(await memory.retrieve(query, options))
      const memories = withoutBlank(retrieved.memories, formatErrors)
      return { ...retrieved, memories } satisfies Retrieved
    },
    answer: answer === null ? null : async (question) => schemas.text.parse(await answer(question)),
    usage: () => memory.usage(),
    close: () => memory.close(),
  }
}

/** Schemas that read a system's answers. They replace invalid parts by neutral values and count them. */
function answerSchemas(formatErrors: FormatErrors) {
  let generatedIds = 0
  const replaceBy =
    <T>(kind: string, replacement: () => T) =>
    (): T => {
      formatErrors.set(kind, (formatErrors.get(kind) ?? 0) + 1)
      return replacement()
    }
  const id = z
    .string()
    .min(1)
    .catch(replaceBy('an id that is missing or no text', () => `unnamed-${++generatedIds}`))
  const text = z.string().catch(replaceBy('a text that is none', () => ''))
  const score = z
    .number()
    .nullable()
    .catch(replaceBy('a score that is no number', () => null))
  const turns = z
    .array(z.string())
    .nullable()
    .catch(replaceBy('turns that are no ids', () => null))
  const item = z.object({ id, text, turns, saidAt: z.number().optional().catch(undefined) })
  const list = <T extends z.ZodType>(entry: T) =>
    z.array(entry).catch(replaceBy('a list that is none', () => []))
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
        .catch(replaceBy('operations in another form', () => null)),
    }),
    retrieved: z.object({
      memories: list(item.extend({ score })),
      turns: z
        .array(
          z.object({
            id: z.string(),
            score: z.number().catch(replaceBy('a score that is no number', () => 0)),
          }),
        )
        .nullable()
        .catch(replaceBy('turns that are no ids', () => null)),
      sessions: z.array(z.string()).nullable().catch(null),
      confidence: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .catch(replaceBy('a confidence that is no probability', () => null)),
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
  const nonBlank = items.filter(({ text }) => text.trim() !== '')
  const blankCount = items.length - nonBlank.length
  if (blankCount > 0) formatErrors.set(BLANK_MEMORY, (formatErrors.get(BLANK_MEMORY) ?? 0) + blankCount)
  return nonBlank
}

const BLANK_MEMORY = 'a memory without words'
