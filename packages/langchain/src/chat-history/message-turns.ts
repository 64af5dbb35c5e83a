import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages'
import { attachmentsIn, type Turn, type TurnInput } from 'keepsake'

/** Turn ids must be unique for a user, and message ids are unique only within a session: so the prefix has both. */
function idPrefix(kind: 'message' | 'system', session: string): string {
  return `langchain/${kind}/${session}/`
}

/** Converts a message to a turn; `null` for results of tools, and for messages without text and attachments. */
export function turnOfMessage(message: BaseMessage, session: string, newId: () => string): TurnInput | null {
  const role = roleOf(message)
  const { text } = message
  const attachments = attachmentsIn(message.content)
  if (role === null || (text.trim() === '' && attachments.length === 0)) return null
  return {
    role,
    // The id marks system messages, since other turns have the role `other` too.
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

/** Converts a turn to a message; `null` for a turn of role `other` that was no system message. Pure. */
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
