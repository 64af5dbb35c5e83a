import type { Turn } from './turn.ts'

/** Whom a statement of a turn is about: the speaker's name, else `user` or `agent`. */
export function whoSpeaks(turn: Turn): string {
  return turn.speaker ?? (turn.role === 'agent' ? 'agent' : 'user')
}
