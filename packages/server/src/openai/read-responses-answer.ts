import { asList, asName, asRecord } from '../chats/json-value.ts'
import { messageWords } from '../chats/message-text.ts'
import { answerReader, MOST_READ, NOTHING, type Answer, type EventReader } from '../chats/read-answer.ts'

/** Reads an answer of `/responses`, whole or streamed. */
export const responsesAnswerReader = answerReader({ readWhole: readResponse, readEvents: readStream })

function readResponse(answer: unknown): Answer {
  const response = asRecord(answer)
  if (response === null) return NOTHING
  const said = asList(response['output']).flatMap((item) => {
    const { type, content } = asRecord(item) ?? {}
    return type === 'message' ? [messageWords(content)] : []
  })
  const text = said.filter((words) => words !== '').join('\n')
  return { text, isWhole: isEnd(response) && text.length <= MOST_READ, id: asName(response['id']) }
}

/** Whether the agent had said what it would: to its end, or as far as there was room. What a filter withheld was not said. */
function isEnd({
  status = 'completed',
  incomplete_details: why,
}: Readonly<Record<string, unknown>>): boolean {
  return (
    status === 'completed' || (status === 'incomplete' && asRecord(why)?.['reason'] === 'max_output_tokens')
  )
}

const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

function readStream(): EventReader {
  const texts = new Map<string, string>()
  let last: Answer = NOTHING
  let length = 0
  return {
    onEvent(event) {
      const { type, response, delta, output_index: output, content_index: content } = asRecord(event) ?? {}
      if (type === 'response.output_text.delta' && typeof delta === 'string' && length <= MOST_READ) {
        const part = `${String(output)}/${String(content)}`
        texts.set(part, (texts.get(part) ?? '') + delta)
        length += delta.length
      }
      if (type === 'response.created') last = { ...NOTHING, id: readResponse(response).id }
      if (!ENDS.has(type)) return false
      last = readResponse(response)
      return true
    },
    end: () => {
      const streamed = [...texts.values()].join('\n')
      // Some servers say in their last event only that it is the last.
      return { ...last, text: last.text === '' ? streamed : last.text }
    },
  }
}
