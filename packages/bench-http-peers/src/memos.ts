import { z } from 'zod'
import type { DatasetTurn } from '@keepsake/bench'
import type { AddedDialogue, Dialogue, Retrieved, RetrieveOptions, SystemMemoryItem } from '@keepsake/bench'
import type { Refusal } from './http-client.ts'
import { NOTHING_RETRIEVED, PeerMemory, nameThrowAwayUser } from './peer-memory.ts'
import { pollUntil, processingError, type PeerDefinition } from './peer.ts'
import { batchTurns, composeLines, instantOf, roleOf, textWithName } from './send-turns.ts'

/** As many as HaluMem's script sends at once. */
const MESSAGES_PER_ADD = 20
/** The documented limit of an addition is 20,000 tokens of the service's own; the estimate keeps a margin. */
const TOKENS_PER_ADD = 15_000
/** The documented limit of a search. */
const MOST_FOUND = 25
const PAGE_SIZE = 50
/** Above as many memories wanted, six preferences are among them, else two: as HaluMem's script asks. */
const FEW_WANTED = 10

const envelope = z.object({ code: z.number(), message: z.string().nullish() })
const taskStatus = z.enum(['running', 'completed', 'failed'])
const added = z.object({
  data: z.object({ task_id: z.string().nullish(), status: taskStatus.nullish(), success: z.boolean() }),
})
const status = z.object({ data: z.object({ status: taskStatus }) })
const fact = z.object({
  id: z.string(),
  memory_value: z.string(),
  conversation_id: z.string().nullish(),
  relativity: z.number().nullish(),
})
const preference = z.object({
  id: z.string(),
  preference: z.string(),
  conversation_id: z.string().nullish(),
  relativity: z.number().nullish(),
})
const lists = z.object({
  memory_detail_list: z.array(fact).nullish(),
  preference_detail_list: z.array(preference).nullish(),
})
const found = z.object({ data: lists })
const listed = z.object({ data: lists.extend({ current: z.number(), pages: z.number() }) })

interface MemosItem extends SystemMemoryItem {
  readonly conversation: string | null
  readonly score: number | null
}

/**
 * MemOS Cloud, the documented public interface "OpenMem" version 1 (`/api/openmem/v1`). HaluMem's script spoke
 * to a deployment of the makers' own (`/product/add`, `/product/search`), whose messages are not the documented
 * ones; batches and the share of preferences are taken over from it.
 *
 * Additions are processed in the background and followed through their task. A memory names the conversation
 * that it came from, which is what tells a dialogue's memories.
 */
export const memos: PeerDefinition = {
  name: 'memos',
  speaks: 'MemOS Cloud OpenMem v1 (/api/openmem/v1)',
  defaultUrl: 'https://memos.memtensor.cn/api/openmem/v1',
  keyVariable: 'MEMOS_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Token ${key}` }),
  findRefusal: findMemosRefusal,
  settings: {
    messagesPerAdd: MESSAGES_PER_ADD,
    tokensPerAdd: TOKENS_PER_ADD,
    preferences: 'two among ten, six among more',
    relativity: "the service's own threshold",
    turnTimes: 'one a message',
  },
  open: (peer) => new MemosMemory(peer, nameThrowAwayUser(peer)),
}

/** Finds the refusal that MemOS puts into an answer of status 200. */
export function findMemosRefusal(body: unknown): Refusal | null {
  const read = envelope.safeParse(body)
  if (!read.success || read.data.code === 0) return null
  const { code, message } = read.data
  return {
    problem: `was refused with code ${code}${message ? ` (${message})` : ''}`,
    isRetryable: code === 40300 || code === 50000 || code === 50004 || code === 50005,
    isAbsent: code === 40307 || code === 40308,
    isUntaken: code === 40300,
    advice:
      code >= 40100 && code < 40200
        ? 'Check the key in MEMOS_API_KEY.'
        : "Look the code up in the service's list of error codes.",
  }
}

class MemosMemory extends PeerMemory {
  async addDialogue(dialogue: Dialogue): Promise<AddedDialogue> {
    const conversation = this.nameSession(dialogue.session)
    const limits = { turns: MESSAGES_PER_ADD, tokens: TOKENS_PER_ADD }
    for (const batch of batchTurns(dialogue.turns, limits)) await this.#add(batch, conversation)
    return { operations: dialogue.turns.length === 0 ? [] : null }
  }

  async #add(turns: readonly DatasetTurn[], conversation: string): Promise<void> {
    this.markMade()
    const { data } = await this.peer.client.request({
      method: 'POST',
      path: '/add/message',
      body: {
        user_id: this.user,
        conversation_id: conversation,
        messages: turns.map((turn) => ({
          role: roleOf(turn),
          content: textWithName(turn),
          chat_time: instantOf(turn.at),
        })),
        async_mode: true,
      },
      reads: added,
      isSafeToRepeat: false,
    })
    if (!data.success || data.status === 'failed') {
      const refused = { what: 'the addition', method: 'POST', path: '/add/message' }
      throw processingError(this.peer, refused, JSON.stringify(data))
    }
    if (data.status !== 'completed' && data.task_id) await this.#awaitTask(data.task_id)
  }

  async #awaitTask(task: string): Promise<void> {
    const awaited = { what: `the addition ${task}`, method: 'POST', path: '/get/status' }
    const state = await pollUntil(
      this.peer,
      awaited,
      () =>
        this.peer.client.request({
          method: 'POST',
          path: '/get/status',
          body: { task_id: task },
          reads: status,
        }),
      ({ data }) => data.status !== 'running',
    )
    if (state.data.status === 'failed') throw processingError(this.peer, awaited, 'failed')
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    if (!this.isMade) return []
    const conversation = this.nameSession(session)
    return (await this.#list()).filter((item) => item.conversation === conversation).map(toItem)
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    return this.isMade ? (await this.#list()).map(toItem) : []
  }

  async #list(): Promise<readonly MemosItem[]> {
    const items: MemosItem[] = []
    for (let page = 1; ; page += 1) {
      const { data } = await this.peer.client.request({
        method: 'POST',
        path: '/get/memory',
        body: {
          user_id: this.user,
          page,
          size: PAGE_SIZE,
          include_preference: true,
          include_tool_memory: false,
        },
        reads: listed,
      })
      items.push(...itemsOf(data))
      if (page >= data.pages) return items
    }
  }

  /** Facts and preferences, together no more than are wanted. */
  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.isMade) return NOTHING_RETRIEVED
    const preferences = Math.min(options.limit, options.limit > FEW_WANTED ? 6 : 2)
    const { data } = await this.peer.client.request({
      method: 'POST',
      path: '/search/memory',
      body: {
        user_id: this.user,
        query,
        memory_limit_number: Math.min(MOST_FOUND, Math.max(1, options.limit - preferences)),
        include_preference: true,
        preference_limit_number: preferences,
      },
      reads: found,
    })
    const items = [...itemsOf(data)].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, options.limit)
    const lines = items.map((item) => `- ${item.text}`)
    return {
      ...NOTHING_RETRIEVED,
      memories: items.map((item) => ({ ...toItem(item), score: item.score })),
      context: composeLines(lines, options.tokens),
    }
  }

  async update(id: string, text: string): Promise<void> {
    await this.peer.client.request({
      method: 'POST',
      path: '/update/memory',
      body: { memory_id: id, content: text },
      reads: z.unknown(),
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'POST',
      path: '/delete/memory',
      body: { user_id: this.user },
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}

function itemsOf(data: z.infer<typeof lists>): readonly MemosItem[] {
  const facts = (data.memory_detail_list ?? []).map((item) => ({
    id: item.id,
    text: item.memory_value,
    turns: null,
    conversation: item.conversation_id ?? null,
    score: item.relativity ?? null,
  }))
  const preferences = (data.preference_detail_list ?? []).map((item) => ({
    id: item.id,
    text: item.preference,
    turns: null,
    conversation: item.conversation_id ?? null,
    score: item.relativity ?? null,
  }))
  return [...facts, ...preferences]
}

function toItem(item: MemosItem): SystemMemoryItem {
  return { id: item.id, text: item.text, turns: item.turns }
}
