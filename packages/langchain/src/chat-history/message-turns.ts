import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages'
import { attachmentsIn, type Turn, type TurnInput } from 'keepsake'

/** Ids of messages are the application's own, and turns' must be unique for a person: a talk's are kept apart. */
function idPrefix(kind: 'message' | 'system', session: string): string {
  return `langchain/${kind}/${session}/`
}

/**
 * A message as a turn; `null` for messages without a speaker: tools' results, and calls for tools without a word. Pure.
 *
 * @param newId makes an id where the message has none.
 */
export function turnOfMessage(message: BaseMessage, session: string, newId: () => string): TurnInput | null {
  const role = roleOf(message)
  const { text } = message
  const attachments = attachmentsIn(message.content)
  if (role === null || (text.trim() === '' && attachments.length === 0)) return null
  return {
    role,
    // Marks system messages: of the role `other` there are more kinds.
    id: `${idPrefix(role === 'other' ? 'system' : 'message', session)}${message.id ?? newId()}`,
    text,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(message.name === undefined ? {} : { speaker: message.name }),
  }
}

function roleOf(message: BaseMessage): 'user' | 'assistant' | 'other' | null {
  switch (message.getType()) {
    case 'human':
      return 'user'
    case 'ai':
      return 'assistant'
    case 'system':
    case 'developer':
      return 'other'
    default:
      return null
  }
}

/** A turn as a message; `null` for what was not the user's, the agent's or the application's word. Pure. */
export function messageOfTurn({ id, session, role, speaker, text }: Turn): BaseMessage | null {
  const prefix = idPrefix(role === 'other' ? 'system' : 'message', session)
  const isOurs = id.startsWith(prefix)
  const fields = {
    content: text,
    id: isOurs ? id.slice(prefix.length) : id,
    ...(speaker === null ? {} : { name: speaker }),
  }
  if (role === 'user') return new HumanMessage(fields)
  if (role === 'assistant') return new AIMessage(fields)
  return isOurs ? new SystemMessage(fields) : null
}
