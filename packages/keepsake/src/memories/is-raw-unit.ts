import type { Memory } from './memory.ts'

/** Checks for a raw story unit, which holds turns that are not summarised yet. */
export function isRawUnit({ form, level, text }: Pick<Memory, 'form' | 'level' | 'text'>): boolean {
  return form === 'story' && level === 1 && text === ''
}
