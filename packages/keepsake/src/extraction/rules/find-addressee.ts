// Checks whether a speaker says something to another person of the talk, by calling the name.
import { escapePattern } from '@keepsake/text'
import { isToAssistant, type Turn } from '../../turns/turn.ts'
import type { UserState } from '../../user-state/user-state.ts'

/** The parts of a turn from which its addressee is found. */
export type AddressingTurn = Pick<Turn, 'role' | 'text'> & Partial<Pick<Turn, 'metadata' | 'speaker'>>

/** Returns the names of the users who speak in a user's memory: several in a group with an assistant. */
export function namesOfUsers({ index }: Pick<UserState, 'index'>): readonly string[] {
  return index.speakers.flatMap(({ name, isUser }) => (isUser ? [name] : []))
}

/** Matches words before a name that is called: “hey”, “and please”. */
const GREETING = String.raw`(?:(?:hey|hi|hello|dear|oh|ok|okay|so|and|but|no|well|please|嘿|喂|哎|诶|亲爱的)[\s,，]*)*`
const WORDS_AFTER_NAME = "please|pls|can|could|will|would|you|don['’]?t|do|never|forget|let"
/** Matches what follows a name that is called at the beginning of a sentence. */
const AFTER_NAME = String.raw`(?:\s*[,，:：!！–—-]|\s+(?:${WORDS_AFTER_NAME})\b|\s*(?:你|请|麻烦|把|忘|别|能|可|就|帮))`

/** Makes a pattern that matches the call of one of these names: “Ben, …”, “…, Ben.”, “@Ben”. */
function matchCallOf(names: readonly string[]): RegExp {
  const name = `(?:${names.map(escapePattern).join('|')})`
  return new RegExp(
    String.raw`^\W*${GREETING}${name}(?=${AFTER_NAME})|[,，]\s*${name}\s*(?:[,，]|[.!?。！？]*$)|@${name}(?![\p{L}\p{N}])`,
    'iu',
  )
}

/**
 * Finds where a turn calls another person: in the quoted sentence, or before it in the turn. If no assistant takes part in
 * the talk, every sentence is said to a person.
 *
 * @param users names of the users who speak
 * @returns `null` if the assistant may be meant
 */
export function findAddressedPerson(
  turn: AddressingTurn,
  quote: string | null,
  users: readonly string[],
): 'in-sentence' | 'before' | null {
  if (!isToAssistant(turn)) return 'in-sentence'
  const others = users.filter((name) => name !== turn.speaker)
  if (others.length === 0) return null
  const firstNames = others.flatMap((name) => name.split(/\s+/)[0] ?? [])
  const call = matchCallOf([...others, ...firstNames].filter((name) => name.length > 1))
  if (call.test(quote ?? turn.text)) return 'in-sentence'
  const before = turn.text.slice(0, Math.max(0, turn.text.indexOf(quote ?? '')))
  return before.split(/(?<=[.!?。！？\n])\s*/u).some((sentence) => call.test(sentence.trim()))
    ? 'before'
    : null
}
