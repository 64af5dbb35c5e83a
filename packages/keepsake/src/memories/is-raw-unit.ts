import type { Memory } from './memory.ts'

/** A raw unit of the story is the talk itself, on its way to be summarised: its words are its turns'. */
export function isRawUnit({ form, level, text }: Pick<Memory, 'form' | 'level' | 'text'>): boolean {
  return form === 'story' && level === 1 && text === ''
}
