// Reports in headers of the answer what memory did.
import type { ChatConversation } from './chat-conversation.ts'
import type { ChatContext } from './recall-for-chat.ts'

/**
 * Values of `X-Keepsake-Memory`, as docs/server.md describes them.
 * - `on`: the exchange is remembered.
 * - `read-only`: memories may be recalled, but the request or its API key does not allow writing.
 * - `too-long`: the message or the answer cannot be stored.
 * - `not-stored`: the upstream or the store failed, or the request has no words to store.
 * - `unavailable`: recall failed or took too long.
 * - `off`: no user was named, or the request is no conversation.
 */
type MemoryState = 'on' | 'read-only' | 'too-long' | 'not-stored' | 'unavailable' | 'off'

/**
 * Sets the headers about memory: state, number and ids of memories, and whether the answer is known.
 *
 * @param conversation `null`: memory takes no part
 * @param result `context` is `null` if nothing was recalled; `isAnswered`: the upstream has answered without an error
 */
export function setMemoryHeaders(
  headers: Headers,
  conversation: ChatConversation | null,
  result: { readonly context: ChatContext | null; readonly isAnswered: boolean },
): void {
  const { context, isAnswered } = result
  // Only an answered request is remembered.
  const isLost = conversation?.isRemembered === true && !isAnswered
  headers.set('x-keepsake-memory', isLost ? 'not-stored' : memoryState(conversation, context))
  if (context === null) return
  headers.set('x-keepsake-memories', String(context.memories.length))
  if (context.answerable !== null) {
    headers.set('x-keepsake-answerable', context.answerable)
    headers.set('x-keepsake-known', String(context.answerable === 'yes'))
  }
  const recalled = joinIds(context.memories)
  if (recalled !== '') headers.set('x-keepsake-recalled', recalled)
}

function memoryState(conversation: ChatConversation | null, context: ChatContext | null): MemoryState {
  if (conversation === null) return 'off'
  if (context === null) return 'unavailable'
  if (conversation.isRemembered && conversation.isTooLong) return 'too-long'
  if (!conversation.isRemembered) return 'read-only'
  return conversation.isStorable ? 'on' : 'not-stored'
}

/** Maximum length of the header with ids of memories: many clients accept 8 kB of headers. */
const MAX_HEADER_LENGTH = 4_000

/** Joins as many ids as fit into a header. Ids of turns may contain any character, so they are encoded. */
function joinIds(ids: readonly string[]): string {
  let list = ''
  for (const id of ids) {
    const next = `${list === '' ? '' : `${list},`}${encodeURIComponent(id).replaceAll('%3A', ':')}`
    if (next.length > MAX_HEADER_LENGTH) break
    list = next
  }
  return list
}
