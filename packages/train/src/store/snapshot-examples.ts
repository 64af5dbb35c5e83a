import type { Turn } from 'keepsake'
import { findKey } from '@keepsake/text'
import { keyName, type PromptLanguage } from 'keepsake/preset'
import { snapshotReader } from '@keepsake/papers'
import { makeExample, type CheckedExample } from '../examples/example.ts'
import { questionOf } from '../examples/ask-engine.ts'
import { vouchedBy, type ExtractedFact, type ExtractedFacts } from './extracted-facts.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'
import type { Statement } from './verdicts.ts'

/** The MOOM paper extracts a snapshot (keys and values about each speaker) every ten rounds (section 3.2). */
const ROUNDS_PER_SNAPSHOT = 10

/** Makes examples for the persona branch of MOOM: the keys and values that a section of talk states about each speaker. */
export async function snapshotExamples(life: Life, { extracted }: ExtractedFacts): Promise<CheckedExample[]> {
  const examples: (CheckedExample | null)[] = []
  const factsWithKey = extracted.filter(({ fact }) => fact.key !== null && fact.value !== null)
  for (const { id } of life.sessions) {
    const rounds = roundsIn(talkOf(life, id))
    for (let first = 0; first < rounds.length; first += ROUNDS_PER_SNAPSHOT) {
      const turns = rounds.slice(first, first + ROUNDS_PER_SNAPSHOT).flat()
      const ids = new Set(turns.map((turn) => turn.id))
      const ofSection = factsWithKey.filter(({ evidence }) => evidence.some(({ turn }) => ids.has(turn.id)))
      if (ofSection.length > 0) examples.push(await exampleOf(life, turns, ofSection))
    }
  }
  return examples.filter((example) => example !== null)
}

async function exampleOf(
  life: Life,
  turns: readonly Turn[],
  extracted: readonly ExtractedFact[],
): Promise<CheckedExample | null> {
  const question = await questionOf((ask) =>
    snapshotReader({ table: life.keyTable }).extract(segmentOf(life, turns), { ask, related: [] }),
  )
  if (question === null) return null
  const facts = lastStates(extracted)
  const section = { turns, language: question.language }
  const peopleWith = (statementOf: (fact: ExtractedFact) => Statement | null | undefined) =>
    groupByPerson(facts.flatMap((fact) => entryOf(life, fact, statementOf(fact), section)))
  // A verdict (`verdicts.ts`) has the statement after a user's later edits, and the one before them.
  const correctPeople = peopleWith(({ statementVerdict }) => statementVerdict?.right)
  const hasCorrection = extracted.some(({ statementVerdict }) => statementVerdict?.byPerson)
  const worsePeople = hasCorrection ? peopleWith(({ statementVerdict }) => statementVerdict?.before) : null
  return makeExample('persona-snapshot', question, {
    answer: { people: correctPeople },
    worse: worsePeople === null ? null : { people: worsePeople },
    by: vouchedBy(extracted),
    isEmpty: correctPeople.length === 0,
    basis: { turns: turns.map(({ id }) => id), memories: extracted.map(({ fact }) => fact.id) },
  })
}

/** Returns the last state of each fact in the section, with the evidence of all states of the same value. */
function lastStates(extracted: readonly ExtractedFact[]): ExtractedFact[] {
  return [...Map.groupBy(extracted, ({ fact }) => fact.id).values()].flatMap((states) => {
    const last = states.at(-1)
    if (last === undefined) return []
    const sameValue = states.filter(({ fact }) => fact.value === last.fact.value)
    return [{ ...last, evidence: sameValue.flatMap(({ evidence }) => evidence) }]
  })
}

/** Returns the entry of a fact, with the numbers of its turns in the section, from 1. Returns none for a fact without a value there. */
function entryOf(
  { keyTable }: Life,
  { fact, evidence }: ExtractedFact,
  statement: Statement | null | undefined,
  { turns, language }: { readonly turns: readonly Turn[]; readonly language: PromptLanguage },
) {
  const numbers = evidence
    .map(({ turn }) => turns.findIndex(({ id }) => id === turn.id) + 1)
    .filter((number) => number > 0)
  const value = statement?.value ?? null
  if (value === null || fact.key === null || numbers.length === 0) return []
  const key = findKey(keyTable, fact.key)
  const name = key === undefined ? fact.key : keyName(key, language)
  return [{ person: fact.subject, key: name, value, turns: [...new Set(numbers)] }]
}

function groupByPerson(entries: ReturnType<typeof entryOf>) {
  const people = Map.groupBy(entries, ({ person }) => person)
  return [...people].map(([person, ofPerson]) => ({
    person,
    entries: ofPerson.map(({ key, value, turns }) => ({ key, value, turns })),
  }))
}
