// Reads whose memory a chat uses, and what of the chat may be remembered.
import { readOwnWords, textWithAttachments, withoutThinking } from '@keepsake/text'
import type { ScopeKey } from 'keepsake'
import { requireAccess, requireAnyMemory } from '../access/access.ts'
import { allows } from '../access/grant.ts'
import type { UpstreamBudget } from '../access/limit-requests.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import type { ChatSettings } from './chat-options.ts'
import {
  asksNextSpeaker,
  newMessages,
  type ChatMessage,
  type ChatProtocol,
  type ChatRequest,
} from './chat-protocol.ts'
import { isClientTask } from './client-task.ts'
import { readMemoryHeaders, type MemoryRequest } from './read-memory-headers.ts'

/** State that all model proxies share. */
export interface ChatProxy {
  readonly deps: ServerDeps
  readonly settings: ChatSettings
  readonly budget: UpstreamBudget
}

/** A request that takes part in memory. */
export interface ChatConversation {
  readonly scope: ScopeKey
  readonly options: MemoryRequest
  readonly chat: ChatRequest
  /** The messages of the request, without words that only the client program wrote. */
  readonly messages: readonly ChatMessage[]
  readonly protocol: ChatProtocol
  /** Whether the request and its API key allow storing the exchange. */
  readonly isRemembered: boolean
  /** Whether a user message is longer than a turn may be, so that it cannot be remembered. */
  readonly isTooLong: boolean
  /** Whether anything can be stored: new words of the user, or an answer that continues the conversation without them. */
  readonly isStorable: boolean
  /** Arrival, in milliseconds since 1970. */
  readonly askedAt: number
}

/**
 * Reads the conversation. `null`: memory takes no part, because the request names no user, has no messages, or is a task of the client
 * program, such as a title for the chat.
 *
 * @throws Problem 403 for a scope that the key may not read; 400 for a missing user that the settings require
 */
export function readConversation(
  proxy: ChatProxy,
  c: ServerRequest,
  { protocol, chat }: { readonly protocol: ChatProtocol; readonly chat: ChatRequest },
): ChatConversation | null {
  const { deps, settings } = proxy
  const { user, messages } = chat
  const options = readMemoryHeaders(c.req.raw.headers, c.get('grant'), {
    user,
    tokens: settings.contextTokens,
  })
  const { scope } = options
  if (scope === null) {
    if (settings.requireUser) throw userRequired(protocol.userField)
    requireAnyMemory(c.get('grant'))
    logNoUser(proxy, protocol.userField)
    return null
  }
  requireAccess(c, 'read', scope)
  // Refuses overlong names before anything is sent.
  deps.keepsake.scope(scope)
  if (messages === null || isClientTask(messages)) return null
  const spoken = messages.map(withOwnWords)
  const isRemembered = options.remember && allows(c.get('grant'), 'write', scope)
  const { maxTurnLength } = deps.keepsake
  const newIndexes = newMessages(spoken)
  const isTooLong = newIndexes.some((index) => (spoken[index]?.text.length ?? 0) > maxTurnLength)
  // The model continues the conversation without new words of the user.
  const isNextSpeaker = asksNextSpeaker(spoken) || (chat.answerPrefix !== null && spoken.length > 0)
  return {
    scope,
    options,
    chat,
    messages: spoken,
    protocol,
    isRemembered,
    isTooLong,
    isStorable: newIndexes.length > 0 || chat.continuedId !== null || isNextSpeaker,
    askedAt: deps.now(),
  }
}

/** Removes what only some clients write into messages: the model's visible reasoning, and words that are not the user's. */
function withOwnWords(message: ChatMessage): ChatMessage {
  const { role, attachments } = message
  if (role === 'assistant') return { ...message, text: withoutThinking(message.text) }
  if (role !== 'user') return message
  const textOnly = readOwnWords(message.textOnly)
  return { ...message, textOnly, text: textWithAttachments(textOnly, attachments) }
}

/** Proxies that have logged that requests name no user. */
const hasLoggedNoUser = new WeakSet<ChatProxy>()

/** Logs once why requests have no memory. The header `X-Keepsake-Memory: off` reports it for each request. */
function logNoUser(proxy: ChatProxy, field: string): void {
  if (hasLoggedNoUser.has(proxy)) return
  hasLoggedNoUser.add(proxy)
  const hint = `This request has no memory: name its user in the field ${field}, or in the header X-Keepsake-User.`
  proxy.deps.log({ level: 'warn', event: 'no-user', hint })
}

function userRequired(field: string): Problem {
  const detail = `Name the user in the field ${field}, or in the header X-Keepsake-User.`
  const fields = [{ field, problem: 'must be given' }]
  return new Problem(400, 'user-required', detail, { fields })
}
