// The parts of a compiled pattern, which match words by backtracking. Used by grammar.ts.
import type { Word } from './word.ts'

/** The words that a slot of a pattern matched, from one index to another. */
export interface Slot {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Matches the rest of the pattern from an index on. If it returns `false`, the step before it tries its next alternative. */
type Next = (at: number) => boolean
/** Matches a part at an index, adds its slots, and calls `next` at the end of the match. Returns whether all of it matched. */
type Step = (words: readonly Word[], at: number, slots: Slot[], next: Next) => boolean
type Test = (word: Word) => boolean

/** A part of a pattern, which matches by backtracking. */
export interface Part {
  readonly step: Step
  /** The test of a part that always takes exactly one word. */
  readonly test?: Test
  /** Words that the part may begin with. If it is absent, the part may begin with any word. */
  readonly firsts?: ReadonlySet<string> | undefined
  /** Sets of words. The part can match a sentence only if the sentence has a word of each set. */
  readonly needs?: readonly ReadonlySet<string>[]
  /** Whether the part is a lookahead, which moves past no word. */
  readonly takesNothing?: boolean
}

/** Ends a pattern: nothing is left to match. */
export const always = (): boolean => true

/** Matches the end of the words. */
export const end: Part = { step: (words, index, _, next) => index === words.length && next(index) }

/** Matches one word that passes a test. */
export function one(test: Test): Part {
  return { test, step: (words, index, _, next) => passes(test, words[index]) && next(index + 1) }
}

/** Matches one word, in any of its forms. */
export function word(text: string): Part {
  const taken = new Set([text])
  return { ...one(({ lower, lemma }) => lower === text || lemma === text), firsts: taken, needs: [taken] }
}

function passes(test: Test, word: Word | undefined): boolean {
  return word !== undefined && test(word)
}

/** Matches parts one after the other. */
export function inOrder([first, ...more]: readonly Part[]): Part {
  if (first === undefined) return { step: (_words, i, _slots, next) => next(i) }
  if (more.length === 0) return first
  const { step, test } = first
  const { step: then, needs, firsts } = inOrder(more)
  return {
    firsts: first.takesNothing === true ? firsts : first.firsts,
    needs: [...(first.needs ?? []), ...(needs ?? [])],
    step:
      test === undefined
        ? (words, i, slots, next) => step(words, i, slots, (to) => then(words, to, slots, next))
        : (words, index, slots, next) => passes(test, words[index]) && then(words, index + 1, slots, next),
  }
}

/** Matches one of several options. They are indexed by their first word, and single words are tried last. */
export function anyOf(options: readonly (readonly Part[])[]): Part {
  const parts = options.map(inOrder)
  const needs = unionOf(parts.map((part) => part.needs?.toSorted((a, b) => a.size - b.size)[0]))
  const firsts = unionOf(parts.map((part) => part.firsts))
  if (parts.every(({ test }) => test !== undefined))
    return { ...one(anyTest(parts)), needs: needs === undefined ? [] : [needs], firsts }
  const byWord = new Map<string, Part[]>()
  const withoutFirstWord: Part[] = []
  for (const part of parts.toSorted((a, b) => Number(isWord(a)) - Number(isWord(b)))) {
    if (part.firsts === undefined) withoutFirstWord.push(part)
    for (const first of part.firsts ?? []) byWord.set(first, [...(byWord.get(first) ?? []), part])
  }
  const step: Step = (words, i, slots, next) => {
    const word = words[i]
    if (word !== undefined) {
      for (const part of byWord.get(word.lower) ?? NONE) if (part.step(words, i, slots, next)) return true
      if (word.lower !== word.lemma)
        for (const part of byWord.get(word.lemma) ?? NONE) if (part.step(words, i, slots, next)) return true
    }
    for (const part of withoutFirstWord) if (part.step(words, i, slots, next)) return true
    return false
  }
  return { step, needs: needs === undefined ? [] : [needs], firsts }
}
const NONE: readonly Part[] = []

function isWord({ test, firsts }: Part): boolean {
  return test !== undefined && firsts !== undefined
}

/** Returns the union of sets, or `undefined` if one of them is: then any word is possible. */
function unionOf(sets: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  return sets.every((set) => set !== undefined) ? new Set(sets.flatMap((set) => [...set])) : undefined
}

/** Makes one test of several parts of one word each. */
function anyTest(parts: readonly Part[]): Test {
  const known = new Set(parts.flatMap(({ firsts }) => [...(firsts ?? [])]))
  const tests = parts.flatMap(({ firsts, test }) => (firsts === undefined && test !== undefined ? test : []))
  return (word) => known.has(word.lower) || known.has(word.lemma) || tests.some((test) => test(word))
}

/** Matches a part, or nothing. */
export function optional({ step }: Part): Part {
  return { step: (words, index, slots, next) => step(words, index, slots, next) || next(index) }
}

/**
 * Repeats a part without limit. Each repetition keeps its first match, which avoids exponential backtracking on
 * runs such as 刚刚刚.
 */
export function repeated({ step }: Part): Part {
  const again: Step = (words, index, slots, next) => {
    let end = index
    step(words, index, slots, (to) => {
      end = to
      return end > index
    })
    return (end > index && again(words, end, slots, next)) || next(index)
  }
  return { step: again }
}

/** Looks ahead and matches only if the part does not. */
export function unless({ step, test }: Part): Part {
  const takesNothing = true
  if (test !== undefined)
    return { takesNothing, step: (words, i, _, next) => !passes(test, words[i]) && next(i) }
  return { takesNothing, step: (words, index, _, next) => !step(words, index, [], always) && next(index) }
}

/** Looks ahead and matches only if the part does, without moving past it. */
export function ahead({ step, needs = [] }: Part): Part {
  return { needs, takesNothing: true, step: (words, i, _, next) => step(words, i, [], always) && next(i) }
}

/** Matches any words, as few as the rest of the pattern allows. */
export function span(minWords: number, maxWords: number): Part {
  return {
    step: (words, index, _, next) => {
      const lastEnd = Math.min(index + maxWords, words.length)
      for (let to = index + minWords; to <= lastEnd; to++) if (next(to)) return true
      return false
    },
  }
}

/**
 * Captures the match of a part as a slot. The slot must end with `ending`, or must not: `{thing/trade}`, `{thing/!trade}`.
 * If a phrase inside captures a slot named `core`, that slot must end so instead.
 *
 * @param name `null` captures nothing
 * @param isWanted whether the ending is required or forbidden
 */
export function slotOf(name: string | null, part: Part, ending?: Part, isWanted = true): Part {
  const needs = [...(part.needs ?? []), ...((isWanted ? ending?.needs : undefined) ?? [])]
  const hints = { needs, firsts: part.firsts }
  if (name === null && ending === undefined && part.test !== undefined) return { ...one(part.test), ...hints }
  const hasEnding = (words: readonly Word[], { from, to }: Omit<Slot, 'name'>): boolean => {
    for (let index = from; index < to; index++)
      if (ending?.step(words, index, [], (until) => until === to) === true) return true
    return false
  }
  const step: Step = (words, from, slots, next) => {
    const before = slots.length
    return part.step(words, from, slots, (to) => {
      const inner = slots.splice(before)
      const core = inner.find((slot) => slot.name === 'core') ?? { from, to }
      if (name !== null) slots.push({ name, from, to })
      // Tries the rest first, since it is cheaper than the ending.
      if (next(to) && (ending === undefined || hasEnding(words, core) === isWanted)) return true
      slots.splice(before, slots.length, ...inner)
      return false
    })
  }
  return { step, ...hints }
}
