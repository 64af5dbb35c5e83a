import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages'
import type { ScopedMemory, TurnInput } from 'keepsake'
import { z } from 'zod'

const turnRow = z.object({
  row: z.literal('turn'),
  id: z.string(),
  scope: z.int(),
  session: z.string(),
  role: z.enum(['user', 'agent', 'other']),
  speaker: z.string().nullable(),
  text: z.string(),
})

const scopeRow = z.object({
  row: z.literal('scope'),
  scope: z.int(),
  agent: z.string().nullable(),
  app: z.string().nullable(),
})
const exportedRow = z.discriminatedUnion('row', [turnRow, scopeRow])

/** A turn as an export holds it. */
export type ExportedTurn = z.infer<typeof turnRow>

/**
 * A session's turns in one scope, in the order in which they were stored. Reads the person's turns through: their number,
 * not the session's, is what it costs.
 */
export async function* sessionTurns(scope: ScopedMemory, session: string): AsyncGenerator<ExportedTurn> {
  const { agent = null, app = null } = scope.key
  // Looked for before a line is parsed, which is most of the cost.
  const named = JSON.stringify(session)
  let own: number | null = null
  for await (const line of scope.export()) {
    // Turns come before the log, which is most of an export.
    if (line.startsWith('{"row":"operation"')) return
    if (!line.includes(named) && !line.startsWith('{"row":"scope"')) continue
    const row = exportedRow.safeParse(JSON.parse(line)).data
    if (row?.row === 'scope' && row.agent === agent && row.app === app) own = row.scope
    // The same name in another agent's or app's scope is another session.
    if (row?.row === 'turn' && row.scope === own && row.session === session) yield row
  }
}

/** Ids of messages are the application's own, and turns' must be unique for a person: a talk's are kept apart. */
function idPrefix(kind: 'message' | 'system', session: string): string {
  return `langchain/${kind}/${session}/`
}

/**
 * A message as a turn; `null` for what nobody said: tools' results, and calls for tools without a word. Pure.
 *
 * @param newId makes an id where the message has none.
 */
export function turnOfMessage(message: BaseMessage, session: string, newId: () => string): TurnInput | null {
  const role = roleOf(message)
  const { text } = message
  if (role === null || text.trim() === '') return null
  return {
    role,
    // Marks system messages: of the role `other` there are more kinds.
    id: `${idPrefix(role === 'other' ? 'system' : 'message', session)}${message.id ?? newId()}`,
    text,
    ...(message.name === undefined ? {} : { speaker: message.name }),
  }
}

function roleOf(message: BaseMessage): 'user' | 'agent' | 'other' | null {
  switch (message.getType()) {
    case 'human':
      return 'user'
    case 'ai':
      return 'agent'
    case 'system':
    case 'developer':
      return 'other'
    default:
      return null
  }
}

/** A turn as a message; `null` for what was not the user's, the agent's or the application's word. Pure. */
export function messageOfTurn({ id, session, role, speaker, text }: ExportedTurn): BaseMessage | null {
  const prefix = idPrefix(role === 'other' ? 'system' : 'message', session)
  const isOurs = id.startsWith(prefix)
  const fields = {
    content: text,
    id: isOurs ? id.slice(prefix.length) : id,
    ...(speaker === null ? {} : { name: speaker }),
  }
  if (role === 'user') return new HumanMessage(fields)
  if (role === 'agent') return new AIMessage(fields)
  return isOurs ? new SystemMessage(fields) : null
}
