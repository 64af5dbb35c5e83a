import type { Retrieved, RetrieveOptions, SystemMemory, SystemMemoryItem, SystemUsage } from '@keepsake/bench'
import type { Found, PeerItem, PeerRequests, PeerService } from './peer.ts'
import { composeLines } from './send-turns.ts'

/** No service reports its use of models. `config.usage` says so. */
const UNKNOWN_USAGE: SystemUsage = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }

const NOTHING_RETRIEVED: Retrieved = {
  memories: [],
  turns: null,
  sessions: null,
  confidence: null,
  context: '',
}

/** Makes a memory of a peer: with a throw-away user, neutral session names, and deletion of that user at the end. */
export function peerMemory({ client, user }: PeerService, requests: PeerRequests): SystemMemory {
  const sessions = new Map<string, string>()
  let hasAdded = false
  /** Gives a session a name that reveals nothing about it. Every service accepts its form and length. */
  const nameSession = (session: string): string => {
    const name = sessions.get(session) ?? `${user}-s${sessions.size + 1}`
    sessions.set(session, name)
    return name
  }
  return {
    answer: null,
    usage: () => UNKNOWN_USAGE,
    async addDialogue({ turns, session }) {
      if (turns.length === 0) return { operations: [] }
      if (!hasAdded) {
        hasAdded = true
        await requests.addUser?.(turns)
      }
      return { operations: await requests.add(turns, nameSession(session)) }
    },
    async dialogueMemories(session) {
      const name = nameSession(session)
      if (requests.dialogueMemories !== undefined) return requests.dialogueMemories(name)
      const items = hasAdded ? await requests.list() : []
      return items?.filter((item) => item.sessions?.includes(name)).map(itemOf) ?? null
    },
    memories: async () => (hasAdded ? ((await requests.list())?.map(itemOf) ?? null) : []),
    async retrieve(query, options) {
      if (!hasAdded) return NOTHING_RETRIEVED
      return composeFound(await requests.search(query, options), options)
    },
    async close() {
      if (!hasAdded) return
      for (const [line, options] of requests.deletions)
        await client.tell(line, { ...options, mayBeAbsent: true })
      hasAdded = false
    },
  }
}

function composeFound(found: Found, { limit, tokens }: RetrieveOptions): Retrieved {
  const items = found.items.filter(({ text }) => text.trim() !== '').slice(0, limit)
  return {
    ...NOTHING_RETRIEVED,
    memories: items.map((item) => ({ ...itemOf(item), score: item.score ?? null })),
    context: composeLines(found.lines ?? items.map(({ text }) => `- ${text}`), tokens),
  }
}

function itemOf({ id, text, turns }: PeerItem): SystemMemoryItem {
  return { id, text, turns }
}
