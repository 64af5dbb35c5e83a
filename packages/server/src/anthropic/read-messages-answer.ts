import { asList, asRecord, type JsonRecord } from '../chats/json-value.ts'
import { answerReader, MOST_READ, NOTHING, type Answer, type EventReader } from '../chats/read-answer.ts'
import { joinBlocks } from './read-messages-request.ts'

/** Reads an answer of `/messages`, whole or streamed. */
export const messagesAnswerReader = answerReader({ readWhole: readMessage, readEvents: readStream })

function readMessage(answer: unknown): Answer {
  const message = asRecord(answer)
  if (message?.['type'] !== 'message') return NOTHING
  const text = joinBlocks(asList(message['content']).map(asRecord))
  return { text, isWhole: isEnd(message['stop_reason'] ?? null), id: null }
}

/**
 * Whether the agent had said what it would. What it refused was not said; a pause ends nothing: the request that goes on after it
 * brings what was said so far.
 */
function isEnd(reason: unknown): boolean {
  return typeof reason === 'string' && reason !== 'refusal' && reason !== 'pause_turn'
}

function readStream(): EventReader {
  const blocks = new Map<unknown, JsonRecord>()
  let length = 0
  let isWhole = false
  let isBroken = false
  const grow = (index: unknown, delta: JsonRecord): void => {
    const { type, text } = delta
    if (type !== 'text_delta' || typeof text !== 'string' || length > MOST_READ) return
    length += text.length
    const known = blocks.get(index)?.['text']
    blocks.set(index, { type: 'text', text: (typeof known === 'string' ? known : '') + text })
  }
  return {
    onEvent(event) {
      const { type, index, delta, content_block: block } = asRecord(event) ?? {}
      if (type === 'content_block_start') blocks.set(index, asRecord(block) ?? {})
      if (type === 'content_block_delta') grow(index, asRecord(delta) ?? {})
      if (type === 'message_delta') isWhole = isEnd(asRecord(delta)?.['stop_reason'] ?? null)
      if (type === 'error') isBroken = true
      return type === 'message_stop'
    },
    end: () => ({
      text: joinBlocks([...blocks.values()]),
      isWhole: isWhole && !isBroken && length <= MOST_READ,
      id: null,
    }),
  }
}
