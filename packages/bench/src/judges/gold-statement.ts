import type { GoldMemory } from '../datasets/conversation.ts'

/** A statement as a gold memory of which nothing else is known: to ask a judge whether memories hold it. */
export function goldStatement(text: string): GoldMemory {
  return {
    id: 'statement',
    text,
    type: null,
    source: 'primary',
    isUpdate: false,
    replaces: [],
    importance: 1,
    turns: [],
  }
}
