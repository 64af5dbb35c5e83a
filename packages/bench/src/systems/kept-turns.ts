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

const NOTHING_ASKED = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }
const NOTHING_FOUND: Retrieved = { memories: [], turns: [], sessions: [], confidence: 0, context: '' }

interface Said extends DatasetTurn {
  readonly session: string
}

interface Baseline {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  /** A turn's text as a memory. Absent: it stores nothing. */
  readonly textOf?: (turn: Said) => string
  readonly open?: (user: string) => Promise<Retrieval>
}

/** How a baseline retrieves turns. */
interface Retrieval {
  readonly hear?: (dialogue: Dialogue) => Promise<void>
  readonly retrieve: (query: string, options: RetrieveOptions, said: readonly Said[]) => Promise<Retrieved>
  readonly close?: () => Promise<void>
}

function baseline({ name, config, textOf, open }: Baseline): MemorySystem {
  return {
    name,
    config,
    needsModel: false,
    async open({ user }): Promise<SystemMemory> {
      const retrieval = await open?.(user)
      let said: Said[] = []
      const itemsOf = (turns: readonly Said[]): SystemMemoryItem[] =>
        turns.map((turn) => ({ id: turn.id, text: textOf?.(turn) ?? '', turns: [turn.id], saidAt: turn.at }))
      return {
        answer: null,
        async addDialogue(dialogue): Promise<AddedDialogue> {
          if (textOf === undefined || dialogue.turns.length === 0) return { operations: [] }
          await retrieval?.hear?.(dialogue)
          const { session, turns } = dialogue
          said.push(...turns.map((turn) => ({ ...turn, session })))
          return {
            operations: turns.map(({ id, text }) => ({ kind: 'add', memory: id, before: null, after: text })),
          }
        },
        dialogueMemories: async (session) => itemsOf(said.filter((turn) => turn.session === session)),
        memories: async () => itemsOf(said),
        retrieve: async (query, options) => retrieval?.retrieve(query, options, said) ?? NOTHING_FOUND,
        usage: () => NOTHING_ASKED,
        async close() {
          said = []
          await retrieval?.close?.()
        },
      }
    },
  }
}

/** The floor: it stores nothing, so that answers come from the reader alone. */
export function noMemory(): MemorySystem {
  return baseline({ name: 'none', config: {} })
}

/**
 * The talk itself instead of a memory: every turn, truncated at its oldest end to the budget. Without ranking it has no turns and sessions
 * to measure; as memories it returns the newest turns.
 */
export function wholeContext(): MemorySystem {
  const textOf = ({ speaker, text }: Said): string => `${speaker}: ${text}`
  return baseline({
    name: 'whole-context',
    config: { cut: 'the oldest turns are left out until the rest fits the budget' },
    textOf,
    open: async () => ({
      retrieve: async (_query, { limit, tokens }, said) => ({
        memories: said
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
        context: newestWithin(said, tokens),
      }),
    }),
  })
}

/** The newest turns that fit, in order, one a line with day and speaker. */
function newestWithin(talk: readonly Said[], tokens: number): string {
  const lines: string[] = []
  let spent = 0
  for (const { at, speaker, text } of talk.toReversed()) {
    const line = `[${new Date(at).toISOString().slice(0, 10)}] ${speaker}: ${text}`
    spent += estimateTokens(`${line}\n`)
    if (spent > tokens) break
    lines.unshift(line)
  }
  return lines.join('\n')
}

/** The reference baseline: BM25 over single turns, in the same engine with the same words, without extraction. */
export function turnBm25(): MemorySystem {
  return baseline({
    name: 'bm25',
    config: { unit: 'turn', parts: ['lexical'] },
    textOf: ({ text }) => text,
    async open(user) {
      const preset = lexicalOnly()
      const { keepsake, scope, clock } = await openKeepsake({ preset, user })
      return {
        hear: async ({ session, turns }) => {
          clock.now = Math.max(clock.now, turns.at(-1)?.at ?? 0)
          await scope.remember(turnInputs(turns), { session })
        },
        retrieve: async (query, options) => {
          const recalled = await retrievedOf(scope, preset, query, options)
          // A turn not consolidated yet has no lasting memory id.
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

/** A preset without branches: turns are never consolidated, so that each is found by itself. */
function lexicalOnly(): Preset {
  const others = RETRIEVAL_PARTS.filter((part) => part !== 'lexical')
  return { ...withoutPartsOf(findPreset('keepsake'), others), name: 'bench-bm25', branches: [] }
}
