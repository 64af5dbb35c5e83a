import type { Turn } from 'keepsake'
import { findKey } from '@keepsake/text'
import { keyName, type PromptLanguage } from 'keepsake/preset'
import { snapshotReader } from '@keepsake/papers'
import { answered, type Answered } from '../examples/answered.ts'
import { questionOf } from '../examples/ask-engine.ts'
import { vouchedBy, type Drawn, type DrawnLife } from './drawn.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'
import type { Said } from './verdicts.ts'

/** MOOM extracts a snapshot every ten rounds (section 3.2). */
const ROUNDS_A_SNAPSHOT = 10

/** MOOM's persona branch: keys and values of each speaker in a section of talk, known before or not. */
export async function snapshotExamples(life: Life, { drawn }: DrawnLife): Promise<Answered[]> {
  const examples: (Answered | null)[] = []
  const ofSheet = drawn.filter(({ fact }) => fact.key !== null && fact.value !== null)
  for (const { id } of life.sessions) {
    const rounds = roundsIn(talkOf(life, id))
    for (let at = 0; at < rounds.length; at += ROUNDS_A_SNAPSHOT) {
      const turns = rounds.slice(at, at + ROUNDS_A_SNAPSHOT).flat()
      const ids = new Set(turns.map((turn) => turn.id))
      const within = ofSheet.filter(({ evidence }) => evidence.some(({ turn }) => ids.has(turn.id)))
      if (within.length > 0) examples.push(await exampleOf(life, turns, within))
    }
  }
  return examples.flatMap((one) => one ?? [])
}

async function exampleOf(
  life: Life,
  turns: readonly Turn[],
  drawn: readonly Drawn[],
): Promise<Answered | null> {
  const asked = await questionOf((ask) =>
    snapshotReader({ table: life.keyTable }).extract(segmentOf(life, turns), { ask, related: [] }),
  )
  if (asked === null) return null
  const last = lastStates(drawn)
  const people = (pick: (one: Drawn) => Said | null | undefined) =>
    peopleOf(last.flatMap((one) => entryOf(life, one, pick(one), { turns, language: asked.language })))
  const right = people(({ stated }) => stated?.right)
  return answered('persona-snapshot', asked, {
    answer: { people: right },
    worse: drawn.some(({ stated }) => stated?.byPerson)
      ? { people: people(({ stated }) => stated?.before) }
      : null,
    by: vouchedBy(drawn),
    isEmpty: right.length === 0,
    rests: { turns: turns.map(({ id }) => id), memories: drawn.map(({ fact }) => fact.id) },
  })
}

/** The last state of each fact in the section, with all turns of it that say the same value. */
function lastStates(drawn: readonly Drawn[]): Drawn[] {
  return [...Map.groupBy(drawn, ({ fact }) => fact.id).values()].flatMap((states) => {
    const same = states.filter(({ fact }) => fact.value === states.at(-1)?.fact.value)
    return same.slice(-1).map((one) => ({ ...one, evidence: same.flatMap(({ evidence }) => evidence) }))
  })
}

function entryOf(
  { keyTable }: Life,
  { fact, evidence }: Drawn,
  said: Said | null | undefined,
  { turns, language }: { readonly turns: readonly Turn[]; readonly language: PromptLanguage },
) {
  const numbers = evidence
    .map(({ turn }) => turns.findIndex(({ id }) => id === turn.id) + 1)
    .filter((number) => number > 0)
  const value = said?.value ?? null
  if (value === null || fact.key === null || numbers.length === 0) return []
  const key = findKey(keyTable, fact.key)
  const name = key === undefined ? fact.key : keyName(key, language)
  return [{ person: fact.subject, key: name, value, turns: [...new Set(numbers)] }]
}

function peopleOf(entries: ReturnType<typeof entryOf>) {
  const people = Map.groupBy(entries, ({ person }) => person)
  return [...people].map(([person, own]) => ({
    person,
    entries: own.map(({ key, value, turns }) => ({ key, value, turns })),
  }))
}
