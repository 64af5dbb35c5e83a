import { Grammar } from '../matching/grammar.ts'
import { ENGLISH_PHRASES } from './phrases.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'
import { WIDE_PHRASES } from './wide-requests.ts'
import { WORD_KINDS } from './word-kinds.ts'

/** The grammar of English patterns, which are split into words. */
export const english = new Grammar(
  { ...ENGLISH_PHRASES, ...REQUEST_PHRASES, ...WIDE_PHRASES },
  (text) => [text.toLowerCase()],
  WORD_KINDS,
)
