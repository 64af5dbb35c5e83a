import { estimateTokens } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type { Dialogue, MemorySystem, Retrieved, SystemMemory, SystemMemoryItem } from './memory-system.ts'
import { UnsupportedError } from './unsupported-error.ts'

const NAME = 'whole-context'

interface Said extends DatasetTurn {
  readonly session: string
}

/**
 * The talk itself instead of a memory: every turn as it was said, the oldest left out where the budget ends. It ranks
 * nothing, so that it has no turns and no sessions to measure; as memories it hands out the newest turns.
 */
export function wholeContext(): MemorySystem {
  return {
    name: NAME,
    config: { cut: 'the oldest turns are left out until the rest fits the budget' },
    needsModel: false,
    open: () => Promise.resolve(openTalk()),
  }
}

function openTalk(): SystemMemory {
  let talk: Said[] = []
  return {
    answer: null,
    addDialogue({ session, turns }: Dialogue) {
      talk.push(...turns.map((turn) => ({ ...turn, session })))
      const operations = turns.map(({ id, text }) => ({
        kind: 'add' as const,
        memory: id,
        before: null,
        after: text,
      }))
      return Promise.resolve({ operations })
    },
    dialogueMemories: (session) =>
      Promise.resolve(talk.filter((turn) => turn.session === session).map(itemOf)),
    memories: () => Promise.resolve(talk.map(itemOf)),
    retrieve: (_query, { limit, tokens }): Promise<Retrieved> =>
      Promise.resolve({
        memories: talk
          .slice(-limit)
          .toReversed()
          .map((turn) => ({ ...itemOf(turn), score: null })),
        turns: null,
        sessions: null,
        confidence: null,
        context: newestWithin(talk, tokens),
      }),
    update: () => Promise.reject(new UnsupportedError(NAME, 'change what was said')),
    usage: () => ({ calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }),
    close() {
      talk = []
      return Promise.resolve()
    },
  }
}

function itemOf({ id, speaker, text }: Said): SystemMemoryItem {
  return { id, text: `${speaker}: ${text}`, turns: [id] }
}

/** The newest turns that fit, in the order they were said; each on a line with its day and speaker. */
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
