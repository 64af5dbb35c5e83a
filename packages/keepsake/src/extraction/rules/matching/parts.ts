import type { Word } from './word.ts'

/** What a slot of a pattern took: words from a place up to another. */
export interface Slot {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Goes on behind a step; false has the step try another way. */
type Next = (at: number) => boolean
type Step = (words: readonly Word[], at: number, slots: Slot[], next: Next) => boolean
type Test = (word: Word) => boolean

/** A part of a pattern, which matches by trying one way after another. */
export interface Part {
  readonly step: Step
  /** Where it takes one word and never more: whether it takes that. */
  readonly test?: Test
  /** The word it takes, where it can be no other. */
  readonly word?: string
  /** Words without one of which it takes nothing; any will do when absent. */
  readonly needs?: ReadonlySet<string> | undefined
}

const always = (): boolean => true

export const end: Part = { step: (words, at, _, next) => at === words.length && next(at) }

export function one(test: Test): Part {
  return { test, step: (words, at, _, next) => passes(test, words[at]) && next(at + 1) }
}

export function word(text: string): Part {
  return {
    ...one(({ lower, lemma }) => lower === text || lemma === text),
    word: text,
    needs: new Set([text]),
  }
}

function passes(test: Test, word: Word | undefined): boolean {
  return word !== undefined && test(word)
}

export function inOrder([first, ...more]: readonly Part[]): Part {
  if (first === undefined) return { step: (_words, at, _slots, next) => next(at) }
  if (more.length === 0) return first
  const { step, test } = first
  const { step: then, needs } = inOrder(more)
  return {
    needs: (first.needs?.size ?? Infinity) < (needs?.size ?? Infinity) ? first.needs : needs,
    step:
      test === undefined
        ? (words, at, slots, next) => step(words, at, slots, (to) => then(words, to, slots, next))
        : (words, at, slots, next) => passes(test, words[at]) && then(words, at + 1, slots, next),
  }
}

/** Options that begin with a word are looked up by it, those of several words before the word alone. */
export function anyOf(options: readonly (readonly Part[])[]): Part {
  const tests = options.flatMap(([first, ...more]) => (more.length === 0 ? (first?.test ?? []) : []))
  const firsts = options.map((option) => inOrder(option).needs)
  const needs = firsts.every((one) => one !== undefined)
    ? new Set(firsts.flatMap((one) => [...one]))
    : undefined
  if (tests.length === options.length) return { ...one(anyTest(options.flat())), needs }
  const byWord = new Map<string, Step[]>()
  const others: Step[] = []
  const isWord = ([first, ...more]: readonly Part[]): boolean =>
    first?.word !== undefined && more.length === 0
  for (const option of options.toSorted((one, other) => Number(isWord(one)) - Number(isWord(other)))) {
    const [first, ...more] = option
    if (first?.word === undefined) others.push(inOrder(option).step)
    else byWord.set(first.word, [...(byWord.get(first.word) ?? []), inOrder(more).step])
  }
  const step: Step = (words, at, slots, next) => {
    const { lower = '', lemma = '' } = words[at] ?? {}
    for (const then of byWord.get(lower) ?? []) if (then(words, at + 1, slots, next)) return true
    if (lower !== lemma)
      for (const then of byWord.get(lemma) ?? []) if (then(words, at + 1, slots, next)) return true
    for (const other of others) if (other(words, at, slots, next)) return true
    return false
  }
  return { step, needs }
}

function anyTest(parts: readonly Part[]): Test {
  const known = new Set(parts.flatMap((part) => part.word ?? []))
  const tests = parts.flatMap(({ word, test }) => (word === undefined && test !== undefined ? test : []))
  return (word) => known.has(word.lower) || known.has(word.lemma) || tests.some((test) => test(word))
}

export function optional({ step }: Part): Part {
  return { step: (words, at, slots, next) => step(words, at, slots, next) || next(at) }
}

/** As often as it will do. Each time the first way is taken for good, or else a long run of 刚刚刚 would take for ever. */
export function repeated({ step }: Part): Part {
  const again: Step = (words, at, slots, next) => {
    let end = at
    step(words, at, slots, (to) => (end = to) > at)
    return (end > at && again(words, end, slots, next)) || next(at)
  }
  return { step: again }
}

export function unless({ step, test }: Part): Part {
  if (test !== undefined) return { step: (words, at, _, next) => !passes(test, words[at]) && next(at) }
  return { step: (words, at, _, next) => !step(words, at, [], always) && next(at) }
}

export function ahead({ step, needs }: Part): Part {
  return { needs, step: (words, at, _, next) => step(words, at, [], always) && next(at) }
}

/** Any words, as few as will do. */
export function span(least: number, most: number): Part {
  return {
    step: (words, at, _, next) => {
      for (let to = at + least; to <= Math.min(at + most, words.length); to++) if (next(to)) return true
      return false
    },
  }
}

/** What a slot must end in, or must not. */
export interface Ending {
  readonly part: Part
  readonly isWanted: boolean
}

function endsIn(
  { part, isWanted }: Ending,
  words: readonly Word[],
  { from, to }: Omit<Slot, 'name'>,
): boolean {
  for (let at = from; at < to; at++) if (part.step(words, at, [], (until) => until === to)) return isWanted
  return !isWanted
}

/** Keeps what a part takes under a name. What it ends in is looked for in the first core within it, if there is one. */
export function slotOf(name: string | null, part: Part, ending: Ending | null): Part {
  if (name === null && ending === null && part.test !== undefined)
    return { ...one(part.test), needs: part.needs }
  const step: Step = (words, from, slots, next) => {
    const before = slots.length
    return part.step(words, from, slots, (to) => {
      const inner = slots.splice(before)
      const core = inner.find((slot) => slot.name === 'core') ?? { from, to }
      if (name !== null) slots.push({ name, from, to })
      // What follows is cheaper to try than what it ends in.
      if (next(to) && (ending === null || endsIn(ending, words, core))) return true
      slots.splice(before, slots.length, ...inner)
      return false
    })
  }
  return { step, needs: part.needs }
}
