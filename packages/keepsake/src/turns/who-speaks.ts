import type { Role, Turn } from './turn.ts'

/** Returns the subject of what a nameless speaker says about themself: an assistant's is `agent`. */
export function subjectOfRole(role: Role): 'user' | 'agent' | 'other' {
  return role === 'assistant' ? 'agent' : role
}

/** Whom a statement of a turn is about: the speaker's name, else `user` or `agent`. */
export function whoSpeaks(turn: Turn): string {
  return turn.speaker ?? (turn.role === 'assistant' ? 'agent' : 'user')
}
