/** Where a chat can be when its server is killed, in the order in which it comes by. */
export const CHAT_PHASES = [
  'before-upstream',
  'upstream-asked',
  'question-unkept',
  'question-kept',
  'amid-stream',
  'answer-whole',
  'answer-unkept',
  'answer-kept',
  'acknowledged',
] as const
export type ChatPhase = (typeof CHAT_PHASES)[number]

/** Which of its turns must be there after a kill, and whether the same request is answered as it was, without the upstream. */
export interface Left {
  readonly question: boolean
  readonly answer: boolean
  readonly replays: boolean
}

/** What a kill leaves of a chat, by where it met it. */
export function leftBy(phase: ChatPhase): Left {
  const reached = CHAT_PHASES.indexOf(phase)
  const from = (first: ChatPhase): boolean => reached >= CHAT_PHASES.indexOf(first)
  return { question: from('question-kept'), answer: from('answer-kept'), replays: from('answer-unkept') }
}
