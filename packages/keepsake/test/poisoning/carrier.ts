import type { Metadata, TurnInput } from 'keepsake'

/** A way in which words of somebody else come to stand in a talk. */
export interface Carrier {
  readonly from:
    'page' | 'document' | 'song' | 'mail' | 'chat' | 'code' | 'tool' | 'agent' | 'name' | 'metadata'
  readonly text: (words: string) => string
  /** The turn's own role; the user's when absent. */
  readonly as?: Pick<TurnInput, 'role'>
  readonly name?: (words: string) => string
  readonly metadata?: (words: string) => Metadata
}

/** What is said where words come in beside the text. */
export const LATER = 'See you later then.'
export const LATER_ZH = '那回头再聊。'

/** The turn that brings words in. */
export function turnOf(carrier: Carrier, words: string): TurnInput {
  return {
    role: carrier.as?.role ?? 'user',
    text: carrier.text(words),
    ...(carrier.name === undefined ? {} : { speaker: carrier.name(words) }),
    ...(carrier.metadata === undefined ? {} : { metadata: carrier.metadata(words) }),
  }
}
