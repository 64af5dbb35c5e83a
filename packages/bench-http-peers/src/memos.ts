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

/** HaluMem's script sends this many messages at once. */
const MESSAGES_PER_ADD = 20
/** The service allows 20,000 tokens in an addition. This limit is lower, since tokens are only estimated. */
const TOKENS_PER_ADD = 15_000
/** The documented limit of a search. */
const MAX_SEARCH_LIMIT = 25
const PAGE_SIZE = 50
/** As in HaluMem's script, a search asks for two preferences, or for six if its limit is above ten memories. */
const preferenceLimit = (limit: number): number => Math.min(limit, limit > 10 ? 6 : 2)

/** The service refuses the request without doing anything, because it is busy. */
const BUSY = 40300
/** Failures that may pass. */
const TEMPORARY_FAILURES = [50000, 50004, 50005]
/** The requested thing does not exist. */
const ABSENT = [40307, 40308]

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
 * MemOS Cloud, through the documented public interface "OpenMem" version 1 (`/api/openmem/v1`). HaluMem's script
 * used a server of MemOS's makers (`/product/add`, `/product/search`), whose messages have another form. Only the
 * size of the batches and the number of preferences follow that script.
 *
 * Additions are processed in the background, and each has a task that reports its state. A memory has the id of
 * its conversation: this shows which memories come from a dialogue.
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
    isRetryable: code === BUSY || TEMPORARY_FAILURES.includes(code),
    isAbsent: ABSENT.includes(code),
    mayHaveActed: code !== BUSY,
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
    /** Finds facts and preferences, together at most `limit`. If there are few preferences, there are more facts. */
    async search(query, { limit }) {
      const preference_limit_number = preferenceLimit(limit)
      const { data } = await client.ask('POST /search/memory', searchAnswer, {
        body: {
          user_id,
          query,
          memory_limit_number: Math.min(MAX_SEARCH_LIMIT, limit),
          include_preference: true,
          preference_limit_number,
        },
      })
      const preferences = data.preference_detail_list.slice(0, preference_limit_number)
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
    schema: dataOf(z.object({ status: stateField })),
    stateOf: ({ data: { status } }) => status,
  })
}

/** Sorts by score if every item has one. Otherwise keeps the service's order. */
function bestFirst(items: readonly PeerItem[]): readonly PeerItem[] {
  if (items.some(({ score }) => typeof score !== 'number')) return items
  return items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
}

function itemsOf({ memory_detail_list, preference_detail_list }: z.infer<typeof lists>): PeerItem[] {
  return [...memory_detail_list, ...preference_detail_list]
}
