// Baselines that store turns as they are, or nothing.
import { estimateTokens } from 'keepsake'
import { RETRIEVAL_PARTS, type Preset } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type {
  AddedDialogue,
  Dialogue,
  MemorySystem,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
} from './memory-system.ts'
import { openKeepsake, withoutPartsOf } from './open-keepsake.ts'
import { retrievedOf } from './retrieved-of.ts'
import { turnInputs } from './turn-inputs.ts'

const NO_USAGE = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }
const NOTHING_FOUND: Retrieved = { memories: [], turns: [], sessions: [], confidence: 0, context: '' }

interface StoredTurn extends DatasetTurn {
  readonly session: string
}

/** A system that stores turns as they are. */
interface Baseline {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  /** Returns the text of a turn as a memory. Absent: the system stores nothing. */
  readonly textOf?: (turn: StoredTurn) => string
  readonly open?: (user: string) => Promise<Retrieval>
}

/** How a baseline finds turns. */
interface Retrieval {
  readonly addDialogue?: (dialogue: Dialogue) => Promise<void>
  readonly retrieve: (
    query: string,
    options: RetrieveOptions,
    stored: readonly StoredTurn[],
  ) => Promise<Retrieved>
  readonly close?: () => Promise<void>
}

function baseline({ name, config, textOf, open }: Baseline): MemorySystem {
  return {
    name,
    config,
    needsModel: false,
    async open({ user }): Promise<SystemMemory> {
      const retrieval = await open?.(user)
      let stored: StoredTurn[] = []
      const itemsOf = (turns: readonly StoredTurn[]): SystemMemoryItem[] =>
        turns.map((turn) => ({ id: turn.id, text: textOf?.(turn) ?? '', turns: [turn.id], saidAt: turn.at }))
      return {
        answer: null,
        async addDialogue(dialogue): Promise<AddedDialogue> {
          if (textOf === undefined || dialogue.turns.length === 0) return { operations: [] }
          await retrieval?.addDialogue?.(dialogue)
          const { session, turns } = dialogue
          stored.push(...turns.map((turn) => ({ ...turn, session })))
          return {
            operations: turns.map(({ id, text }) => ({ kind: 'add', memory: id, before: null, after: text })),
          }
        },
        dialogueMemories: async (session) => itemsOf(stored.filter((turn) => turn.session === session)),
        memories: async () => itemsOf(stored),
        retrieve: async (query, options) => retrieval?.retrieve(query, options, stored) ?? NOTHING_FOUND,
        usage: () => NO_USAGE,
        async close() {
          stored = []
          await retrieval?.close?.()
        },
      }
    },
  }
}

/** Makes the system without a memory. Only the reader answers, so it is the lower bound. */
export function noMemory(): MemorySystem {
  return baseline({ name: 'none', config: {} })
}

/** Makes the system whose context is the newest turns within the budget. It ranks nothing, so its retrieval cannot be measured. */
export function wholeContext(): MemorySystem {
  const textOf = ({ speaker, text }: StoredTurn): string => `${speaker}: ${text}`
  return baseline({
    name: 'whole-context',
    config: { cut: 'the oldest turns are left out until the rest fits the budget' },
    textOf,
    open: async () => ({
      retrieve: async (_query, { limit, tokens }, stored) => ({
        memories: stored
          .slice(-limit)
          .toReversed()
          .map((turn) => ({
            id: turn.id,
            text: textOf(turn),
            turns: [turn.id],
            saidAt: turn.at,
            score: null,
          })),
        turns: null,
        sessions: null,
        confidence: null,
        context: newestWithin(stored, tokens),
      }),
    }),
  })
}

/** Writes the newest turns that fit the budget, one per line with day and speaker. */
function newestWithin(turns: readonly StoredTurn[], tokens: number): string {
  const lines: string[] = []
  let usedTokens = 0
  for (const { at, speaker, text } of turns.toReversed()) {
    const line = `[${new Date(at).toISOString().slice(0, 10)}] ${speaker}: ${text}`
    usedTokens += estimateTokens(`${line}\n`)
    if (usedTokens > tokens) break
    lines.unshift(line)
  }
  return lines.join('\n')
}

/** Makes the baseline of retrieval: BM25 (a ranking by rare common words) over single turns, in the same engine without extraction. */
export function turnBm25(): MemorySystem {
  return baseline({
    name: 'bm25',
    config: { unit: 'turn', parts: ['lexical'] },
    textOf: ({ text }) => text,
    async open(user) {
      const preset = lexicalOnly()
      const { keepsake, scope, clock } = await openKeepsake({ preset, user })
      return {
        addDialogue: async ({ session, turns }) => {
          clock.now = Math.max(clock.now, turns.at(-1)?.at ?? 0)
          await scope.remember(turnInputs(turns), { session })
        },
        retrieve: async (query, options) => {
          const recalled = await retrievedOf(scope, preset, query, options)
          // A turn that is not consolidated has no lasting memory id, so the id of the turn is used.
          const memories = recalled.memories.flatMap((one) =>
            (one.turns ?? []).slice(0, 1).map((turn) => ({ ...one, id: turn, turns: [turn] })),
          )
          return { ...recalled, memories }
        },
        close: () => keepsake.close(),
      }
    },
  })
}

/** Makes a preset without branches. Turns are never consolidated, so each is found by itself. */
function lexicalOnly(): Preset {
  const otherParts = RETRIEVAL_PARTS.filter((part) => part !== 'lexical')
  return { ...withoutPartsOf(findPreset('keepsake'), otherParts), name: 'bench-bm25', branches: [] }
}
