import type { Finding } from '../finding.ts'
import { readFrame } from './frame.ts'
import { readBeing, readFeeling, readHaving } from './frames-of-being.ts'
import { readEnding, readEvent, readHabit, readLifeEvent, readPlanning } from './frames-of-happening.ts'
import { readAbility, readBelief, readDiet, readLiking } from './frames-of-liking.ts'
import { readActivity, readLiving, readWorking } from './frames-of-living.ts'
import { readMine } from './frames-of-mine.ts'
import type { Clause } from './read-clauses.ts'
import { readName } from './noun-phrase.ts'
import type { Word } from './word.ts'

/** From the particular to the general: the first that finds something is taken. */
const READERS = [
  readBeing,
  readHaving,
  readFeeling,
  readLiking,
  readLiving,
  readWorking,
  readAbility,
  readDiet,
  readActivity,
  readPlanning,
  readBelief,
  readHabit,
  readEnding,
  readLifeEvent,
  readEvent,
]

/** A statement that stops before its end: what followed was a quotation or a clause of its own. */
const TRUNCATED =
  /\b(?:called|named|titled|like|the|an?|and|or|to|of|for|with|from|by|such|as|my|their|is|are|was|than|very|so|that|how|what)\.$/i

/** Longer clauses are run-on sentences, in which a tagger errs. */
const LONGEST_CLAUSE = 32

/**
 * What a first-person clause says of its speaker, by the grammar of the statement.
 *
 * @param who `The user`, or the speaker's name
 */
export function interpretClause(clause: Clause, who: string): Finding[] {
  if (clause.words.length > LONGEST_CLAUSE) return []
  if (clause.words[0]?.lower === 'my' || clause.words[0]?.lower === 'our') return readMine(clause, who)
  const frame = readFrame(clause, who)
  if (frame === null) return []
  for (const read of READERS) {
    const found = read(frame)
    if (found.length > 0) return found.filter(({ text }) => text !== '' && !TRUNCATED.test(text))
  }
  return []
}

/** "call me Tom", "you can call me Tom": said without a first-person subject. */
export function readCallMe(words: readonly Word[], who: string): Finding[] {
  const at = words.findIndex((word, index) => word.lower === 'call' && words[index + 1]?.lower === 'me')
  const before = words
    .slice(0, Math.max(at, 0))
    .map((word) => word.lower)
    .join(' ')
  if (
    at < 0 ||
    !/^(?:|please|just|you can|you may|please just|but you can|everyone|my friends|people|so|friends)$/.test(
      before.replace(/^(?:.*[,.;] )/, ''),
    )
  )
    return []
  const name = readName(words, at + 2)
  if (name === null || (name.next < words.length && words[name.next]?.pos !== 'PUNCT')) return []
  return [
    {
      key: 'form-of-address',
      type: 'persona',
      value: name.name,
      text: `${who} is called ${name.name}.`,
      about: null,
      state: 'holds',
      isEvent: false,
    },
  ]
}
