/** A message of a conversation that keeps edited and retried messages as branches. */
interface Branching {
  readonly id?: string | undefined
  readonly parent?: string | undefined
}

/** Returns the branch that ends in the message `current`, or in the last message. If no message has a parent, it returns all messages. */
export function shownBranch<Message extends Branching>(
  messages: readonly Message[],
  current?: string,
): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  if (!messages.some(({ parent }) => parent !== undefined && byId.has(parent))) return messages
  const branch: Message[] = []
  let next = (current === undefined ? undefined : byId.get(current)) ?? messages.at(-1)
  while (next !== undefined && !branch.includes(next)) {
    branch.unshift(next)
    next = next.parent === undefined ? undefined : byId.get(next.parent)
  }
  return branch
}
