import { isDeepStrictEqual } from 'node:util'
import type { PresetName, Store } from 'keepsake'
import { keepsakeSystem } from '../systems/keepsake.ts'
import type { MemorySystem, Retrieved, SystemMemory } from '../systems/memory-system.ts'

/** What two stores were asked alike, and where they answered otherwise. */
export interface Comparison {
  answers: number
  /** The first few questions whose answers were not the same to the digit. */
  readonly differing: string[]
  differences: number
}

const TOLD = 5
/** As `openKeepsake` draws them. */
const MADE_ID = /^m\d{9}/

/**
 * A preset on a file and on another store at once: told the same, asked the same. What the file answers is what is scored, and every
 * answer, with its scores and its context, is held against the other's.
 */
export function sameOnBoth(
  preset: PresetName,
  open: () => Promise<Store>,
  comparison: Comparison,
): MemorySystem {
  const file = keepsakeSystem(preset)
  const other = keepsakeSystem(preset, { openStore: open })
  return {
    ...file,
    open: async (options) => {
      const [one, two] = [await file.open(options), await other.open(options)]
      return bothOf(one, two, comparison)
    },
  }
}

/**
 * Names memories by the order in which a store first told of them: ids are drawn for jobs and claims too, and which of two that wait
 * for a server draws first is chance.
 */
function namer(): (answer: unknown) => unknown {
  const names = new Map<string, string>()
  return (answer) =>
    JSON.parse(JSON.stringify(answer ?? null), (key, value: unknown) => {
      if ((key !== 'id' && key !== 'memory') || typeof value !== 'string' || !MADE_ID.test(value))
        return value
      const name = names.get(value) ?? `memory ${names.size}`
      names.set(value, name)
      return name
    }) as unknown
}

function bothOf(file: SystemMemory, other: SystemMemory, comparison: Comparison): SystemMemory {
  const [ours, theirs] = [namer(), namer()]
  const compare = (question: string, one: unknown, two: unknown): void => {
    comparison.answers += 1
    if (isDeepStrictEqual(ours(one), theirs(two))) return
    comparison.differences += 1
    if (comparison.differing.length < TOLD) comparison.differing.push(question)
  }
  return {
    addDialogue: async (dialogue) => {
      const [one, two] = [await file.addDialogue(dialogue), await other.addDialogue(dialogue)]
      compare(`what ${dialogue.session} changed`, one, two)
      return one
    },
    dialogueMemories: (session) => file.dialogueMemories(session),
    retrieve: async (query, options): Promise<Retrieved> => {
      const [one, two] = [await file.retrieve(query, options), await other.retrieve(query, options)]
      compare(query, one, two)
      return one
    },
    memories: async () => {
      const [one, two] = [await file.memories(), await other.memories()]
      compare('which memories there are', one, two)
      return one
    },
    update: async (id, text) => {
      await file.update(id, text)
      await other.update(id, text)
    },
    answer: null,
    usage: () => file.usage(),
    close: async () => {
      compare('which memories there are', await file.memories(), await other.memories())
      await file.close()
      await other.close()
    },
  }
}
