import type { Grammar, Pattern } from './grammar.ts'
import type { RequestRule } from './rule.ts'
import { isMark, withoutMarks, wordsToText, type Word } from './word.ts'

/** A language, as far as requests to forget need it. Its grammar has the phrases that are asked for below. */
export interface Listener {
  readonly grammar: Grammar
  readonly split: (sentence: string) => readonly Word[]
  /** Words without one of which nothing is asked for. */
  readonly hint: RegExp
  /** Longer "sentences" are lists, logs or pasted texts; a request is short. */
  readonly longest: number
  /** What stands before a request that is asked for in so many words. */
  readonly please: Word
}

export interface ReadyRequest {
  readonly rule: RequestRule
  readonly source: string
  readonly pattern: Pattern
}

/** What a sentence asks to forget. */
export interface Asked {
  /** In its words; `null` for what was just said. */
  readonly about: string | null
  /** The pattern that heard it. */
  readonly by: ReadyRequest
  readonly taken: readonly string[]
}

/** @throws PatternError */
export function readyRequests(rule: RequestRule, grammar: Grammar): ReadyRequest[] {
  return Object.keys(rule.forget).map((source) => ({ rule, source, pattern: grammar.pattern(source) }))
}

/** @returns what hears the request to forget in a sentence; `null` where there is none */
export function listen(
  listener: Listener,
): (sentence: string, patterns: readonly ReadyRequest[]) => Asked | null {
  const { grammar, split, longest } = listener
  const isRefused = grammar.test('<refused>')
  const isWaved = grammar.test('<waved>')
  const readings = readingsBy(listener)
  return (sentence, patterns) => {
    const words = sentence.length > longest ? [] : split(sentence)
    if (isRefused(words, 0)) return null
    for (const reading of readings(words)) {
      for (const by of patterns) {
        const slots = by.pattern.match(reading, 0)
        if (slots === null) continue
        const slot = slots.find(({ name }) => name === 'about')
        if (slot === undefined) return { about: null, by, taken: [] }
        const named = reading.slice(slot.from, slot.to)
        const about = wordsToText(named)
        if (about.length > 1 && !isWaved(named, 0)) return { about, by, taken: [about] }
      }
    }
    return null
  }
}

/** The ways to take a sentence for a request: without what leads in to it, its reasons, and thanks. */
function readingsBy({ grammar, please }: Listener): (words: readonly Word[]) => Generator<readonly Word[]> {
  const begins = grammar.test('<turn>')
  const opens = grammar.test('(<lead>|,|;|CAPITAL .)* .')
  const isNotAsked = grammar.test('<unasked>')
  const isPolite = grammar.search('<polite>')
  const isUnmistakable = grammar.test('<unmistakable>')
  const isInPassing = grammar.test('<passing>')
  const isAside = grammar.test('<aside>')
  const isSecret = grammar.search('<secret> .')
  const closes = grammar.test('([,|;] <closing>)+ .')
  const [pastLead, pastInterjections] = [grammar.end('<leads>'), grammar.end('<interjections>')]

  /** Interjections may come before any request, a whole clause only before one that asks in so many words. */
  function mayFollow(lead: readonly Word[], head: readonly Word[]): boolean {
    return opens(lead, 0) || (!isNotAsked(lead, 0) && (isPolite(head) || isUnmistakable(head, 0)))
  }

  /** Up to where an aside begins; who says why first (“it's private, don't keep it”) goes on to the next. */
  function* cut(words: readonly Word[], wasAsked: boolean): Generator<readonly Word[]> {
    const asides = [...words.keys()].filter((at) => at > 0 && isAside(words, at))
    const bare = withoutMarks(words.slice(0, asides[0]))
    for (const some of isSecret(bare) ? [bare, withoutMarks(words.slice(0, asides[1]))] : [bare]) {
      const closing = some.findIndex((_, at) => at > 0 && closes(some, at))
      const closed = closing < 0 ? some : some.slice(0, closing)
      const isAsked = wasAsked || isPolite(some.slice(closed.length))
      for (const one of new Set([closed, some])) yield* isAsked ? [one, [please, ...one]] : [one]
    }
  }

  return function* (words) {
    for (const at of words.keys()) {
      if (at > 0 && !isMark(words[at - 1]) && !begins(words, at - 1)) continue
      const head = withoutMarks(words.slice(at))
      if (!mayFollow(withoutMarks(words.slice(0, at)), head)) continue
      const lead = pastLead(head, 0)
      for (const from of new Set([lead, pastInterjections(head, 0), 0]))
        if (!isInPassing(head, from)) yield* cut(head.slice(from), isPolite(head.slice(0, lead)))
    }
  }
}
