const LONGEST_NAME = 80

/** A message of a request to a language model, as far as memory needs it. */
export interface ChatMessage {
  /** `other`: system, developer, results of tools. */
  readonly by: 'user' | 'agent' | 'other'
  /** The role in which the application tells the model what to do; `null` for the talk itself. */
  readonly instructs: 'system' | 'developer' | null
  /** The model asks for tools here: what it says next still answers the same turn of the user. */
  readonly callsTools: boolean
  /** What was said, with a note in place of each image, sound or file. */
  readonly text: string
  /** What was said in words alone. */
  readonly words: string
  readonly name: string | null
}

/** What is not said by anybody: the result of a tool. */
export const RESULT: ChatMessage = {
  by: 'other',
  instructs: null,
  callsTools: false,
  text: '',
  words: '',
  name: null,
}

/**
 * The user's messages that the answer is to: those since the agent last said something to the end. Asking for tools ends
 * nothing. Given as places in the list.
 */
export function newMessages(messages: readonly ChatMessage[]): readonly number[] {
  const last = messages.findLastIndex(({ by, callsTools }) => by === 'agent' && !callsTools)
  return messages.flatMap(({ by, text }, index) =>
    index > last && by === 'user' && text.trim() !== '' ? [index] : [],
  )
}

/** On one line and not long: it is shown outside quotation marks where memories are. */
export function readSpeaker(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const short = name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return short === '' ? null : short
}
