import type { DatasetTurn } from '@keepsake/bench'
import { z } from 'zod'
import type { Refusal } from './http-client.ts'
import { idField, scoreField, someRecords, stateField, textField } from './odd-fields.ts'
import {
  awaitProcessed,
  processingError,
  readPages,
  type PeerDefinition,
  type PeerItem,
  type PeerRequests,
  type PeerService,
} from './peer.ts'
import { batchTurns, instantOf, roleOf, textWithName } from './send-turns.ts'

/** As many as HaluMem's script sends at once. */
const MESSAGES_PER_ADD = 20
/** The documented limit of an addition is 20,000 tokens of the service's own; the estimate keeps a margin. */
const TOKENS_PER_ADD = 15_000
/** The documented limit of a search. */
const MAX_FOUND = 25
const PAGE_SIZE = 50
/** When more memories than this are wanted, six of them are preferences, else two: as HaluMem's script asks. */
const FEW_WANTED = 10

const dataOf = <T extends z.ZodType>(data: T) => z.object({ data })
const envelope = z.object({ code: z.number(), message: z.string().nullish() })
const added = dataOf(z.object({ task_id: idField, status: stateField, success: z.boolean().nullish() }))
const detail = z.object({
  id: idField,
  conversation_id: idField,
  relativity: scoreField,
})
const itemOf = ({ id, conversation_id, relativity }: z.infer<typeof detail>, text: string): PeerItem => ({
  id,
  text,
  turns: null,
  score: relativity,
  sessions: conversation_id === '' ? [] : [conversation_id],
})
const fact = detail.extend({ memory_value: textField }).transform((one) => itemOf(one, one.memory_value))
const preference = detail.extend({ preference: textField }).transform((one) => itemOf(one, one.preference))
const lists = z.object({
  memory_detail_list: someRecords(fact),
  preference_detail_list: someRecords(preference),
})
const searchAnswer = dataOf(lists)
const listed = dataOf(lists.extend({ pages: z.number().nullish() }))

/**
 * MemOS Cloud, the documented public interface "OpenMem" version 1 (`/api/openmem/v1`). HaluMem's script spoke
 * to a deployment of the makers' own (`/product/add`, `/product/search`), whose messages are not the documented
 * ones; the batches and the share of preferences follow it.
 *
 * Additions are processed in the background and followed through their task. A memory names the conversation
 * that it came from, which identifies a dialogue's memories.
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
  speak: speakMemos,
}

/** Finds the refusal that MemOS puts into an answer of status 200. */
function findMemosRefusal(body: unknown): Refusal | null {
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

function speakMemos(peer: PeerService): PeerRequests {
  const { client, user: user_id } = peer
  return {
    async add(turns, session) {
      const limits = { turns: MESSAGES_PER_ADD, tokens: TOKENS_PER_ADD }
      for (const batch of batchTurns(turns, limits)) await addBatch(peer, batch, session)
      return null
    },
    list: () =>
      readPages(async (page) => {
        const pages = { user_id, page, size: PAGE_SIZE }
        const body = { ...pages, include_preference: true, include_tool_memory: false }
        const { data } = await client.ask('POST /get/memory', listed, { body })
        return [itemsOf(data), page >= (data.pages ?? Number.POSITIVE_INFINITY)]
      }),
    /** Facts and preferences, together no more than are wanted: where there are few preferences, facts take their places. */
    async search(query, { limit }) {
      const wanted = Math.min(limit, limit > FEW_WANTED ? 6 : 2)
      const { data } = await client.ask('POST /search/memory', searchAnswer, {
        body: {
          user_id,
          query,
          memory_limit_number: Math.min(MAX_FOUND, limit),
          include_preference: true,
          preference_limit_number: wanted,
        },
      })
      const preferences = data.preference_detail_list.slice(0, wanted)
      const facts = data.memory_detail_list.slice(0, Math.max(0, limit - preferences.length))
      return { items: bestFirst([...facts, ...preferences]) }
    },
    deletions: [['POST /delete/memory', { body: { user_id } }]],
  }
}

async function addBatch(peer: PeerService, turns: readonly DatasetTurn[], session: string): Promise<void> {
  const line = 'POST /add/message'
  const messages = turns.map((turn) => ({
    role: roleOf(turn),
    content: textWithName(turn),
    chat_time: instantOf(turn.at),
  }))
  const body = { user_id: peer.user, conversation_id: session, messages, async_mode: true }
  const { data } = await peer.client.ask(line, added, { body, isSafeToRepeat: false })
  if (data.success === false || data.status === 'failed')
    throw processingError(peer, line, 'the addition', data)
  if (data.status === 'done' || data.task_id === '') return
  await awaitProcessed(peer, {
    what: `the addition ${data.task_id}`,
    line: 'POST /get/status',
    options: { body: { task_id: data.task_id } },
    reads: dataOf(z.object({ status: stateField })),
    stateOf: ({ data: { status } }) => status,
  })
}

/** Sorts by score if every item has one. Otherwise the service's order stays. */
function bestFirst(items: readonly PeerItem[]): readonly PeerItem[] {
  if (items.some(({ score }) => typeof score !== 'number')) return items
  return items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
}

function itemsOf({ memory_detail_list, preference_detail_list }: z.infer<typeof lists>): PeerItem[] {
  return [...memory_detail_list, ...preference_detail_list]
}
