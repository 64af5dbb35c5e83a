// Reads the talks that ship with the repository, and makes generated ones, in one form.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TurnInput } from 'keepsake'

export type Language = 'en' | 'zh'
export const LANGUAGES: readonly Language[] = ['en', 'zh']

export interface GoldenTurn extends TurnInput {
  readonly id: string
  readonly text: string
  readonly at: number
}

export interface GoldenSession {
  readonly id: string
  readonly turns: readonly GoldenTurn[]
}

export interface Question {
  readonly id: string
  readonly text: string
  readonly at: number
}

export interface Talk {
  readonly name: string
  readonly user: string
  readonly sessions: readonly GoldenSession[]
  readonly questions: readonly Question[]
}

export const ROOT = join(import.meta.dirname, '..', '..')
const BENCH = join(ROOT, 'packages/bench/data')
const MATERIAL = join(ROOT, 'packages/bench-generators/data/material')

export function readJsonLines<Row>(file: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line): Row => JSON.parse(line))
}

/** Names of the shipped short talks, and of the invented people in HaluMem's form. */
export const TALK_NAMES = { en: 'nadia-en', zh: 'haoran-zh' } as const
export const PERSON_NAMES = { en: 'marisol-vega', zh: 'he-yuting' } as const

interface EverydayTurn {
  readonly id: string
  readonly session: string
  readonly at: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly speaker?: string
  readonly timeZone?: string
}

function groupSessions(rows: readonly EverydayTurn[]): GoldenSession[] {
  return [...Map.groupBy(rows, ({ session }) => session)].map(([id, of]) => ({
    id,
    turns: of.map(({ id: turn, role, text, speaker, at, timeZone = 'UTC' }) => ({
      id: turn,
      role,
      text,
      at: Date.parse(at),
      timeZone,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  }))
}

/** Reads a set of everyday talks, such as `everyday-unseen`. */
export function readEveryday(set: string, language: Language): Talk[] {
  const folder = join(BENCH, set, language)
  return globSync('*.turns.jsonl', { cwd: folder })
    .toSorted()
    .map((file) => {
      const name = basename(file, '.turns.jsonl')
      const turns = readJsonLines<EverydayTurn>(join(folder, file))
      const asked = readJsonLines<{ id: string; text: string; asked_at: string }>(
        join(folder, `${name}.questions.jsonl`),
      )
      const sessions = groupSessions(turns)
      const questions = asked.map(({ id, text, asked_at: at }) => ({ id, text, at: Date.parse(at) }))
      return { name, user: name, sessions, questions }
    })
}

/** Reads a short talk. With `rounds`, reads only the first rounds and the questions whose evidence they contain. */
export function readShortTalk(language: Language, rounds = Number.POSITIVE_INFINITY): Talk {
  const name = TALK_NAMES[language]
  const rows = readJsonLines<EverydayTurn>(join(BENCH, 'talks', `${name}.jsonl`))
  const notes: { user: string; asOf: string; questions: { question: string; evidence: string[] }[] } =
    JSON.parse(readFileSync(join(BENCH, 'talks', `${name}.notes.json`), 'utf8'))
  const users = rows.filter(({ role }) => role === 'user')
  const next = users[rounds]
  const taken = rows.slice(0, next === undefined ? rows.length : rows.indexOf(next))
  const ids = new Set(taken.map(({ id }) => id))
  const at = Date.parse(notes.asOf)
  const questions = notes.questions.flatMap(({ question: text, evidence }, index) =>
    evidence.every((turn) => ids.has(turn)) ? [{ id: `q${index + 1}`, text, at }] : [],
  )
  const sessions = groupSessions(
    taken.map(({ speaker, ...row }) => ({ ...row, speaker: speaker ?? row.role })),
  )
  return { name, user: notes.user, sessions, questions }
}

interface PublishedPerson {
  readonly uuid: string
  readonly user_name?: string
  readonly persona_info: string
  readonly sessions: readonly {
    readonly start_time: string
    readonly end_time?: string
    readonly dialogue: readonly { role: string; content: string; timestamp?: string }[]
    readonly questions?: readonly { question: string }[]
  }[]
}

/** Reads an invented person in HaluMem's form. Times are UTC. */
export function readPerson(language: Language): Talk {
  const [person] = readJsonLines<PublishedPerson>(join(BENCH, 'people', `${PERSON_NAMES[language]}.jsonl`))
  if (person === undefined) throw new Error(`There is no person for ${language}.`)
  const user = person.user_name ?? /Name:\s*([^;\n]+)/.exec(person.persona_info)?.[1]?.trim() ?? 'user'
  const questions: Question[] = []
  const sessions = person.sessions.map(
    ({ start_time, end_time, dialogue, questions: asked = [] }, number) => {
      let at = Date.parse(`${start_time} UTC`)
      const turns = dialogue.map(({ role, content, timestamp }, place): GoldenTurn => {
        at = timestamp === undefined ? at : Date.parse(`${timestamp} UTC`)
        const id = `d${String(number + 1).padStart(2, '0')}.${String(place + 1).padStart(3, '0')}`
        const who = role === 'user' ? { role, speaker: user } : { role: 'assistant', speaker: 'assistant' }
        return { id, text: content, at, timeZone: 'UTC', ...(who as { role: 'user' | 'assistant' }) }
      })
      const end = end_time === undefined ? at : Math.max(at, Date.parse(`${end_time} UTC`))
      for (const { question: text } of asked)
        questions.push({ id: `q${String(questions.length + 1).padStart(2, '0')}`, text, at: end })
      return { id: `s${number + 1}`, turns }
    },
  )
  return { name: PERSON_NAMES[language], user, sessions, questions }
}

const START = Date.parse('2025-03-03T08:00:00Z')
const HOUR = 3_600_000
const ROUNDS_A_SESSION = 12

interface MaterialFact {
  readonly id: string
  readonly values: readonly string[]
  readonly topic: string
  readonly tell: { readonly train: readonly string[]; readonly test: readonly string[] }
}

/** Generates a talk of stated facts, changed facts and unrelated questions. It is always the same for the same number of rounds. */
export function generateTalk(language: Language, rounds: number): Talk {
  const facts = readJsonLines<MaterialFact>(join(MATERIAL, `facts.${language}.jsonl`))
  const others = readJsonLines<{ user: string; agent: string }>(join(MATERIAL, `unrelated.${language}.jsonl`))
  const pick = <Item>(from: readonly Item[], place: number): Item => {
    const hash = createHash('sha256').update(`${language} ${place}`).digest().readUInt32BE()
    const chosen = from[hash % from.length]
    if (chosen === undefined) throw new Error('There is nothing to pick from.')
    return chosen
  }
  const sessions: { id: string; turns: GoldenTurn[] }[] = []
  let at = START
  for (let round = 0; round < rounds; round += 1) {
    if (round % ROUNDS_A_SESSION === 0) {
      sessions.push({ id: `g${sessions.length + 1}`, turns: [] })
      at += 40 * HOUR
    }
    const fact = pick(facts, 4 * round)
    const sentence = pick([...fact.tell.train, ...fact.tell.test], 4 * round + 1)
    const other = pick(others, 4 * round + 2)
    const isFact = round % 3 !== 2
    const [user, agent] = isFact
      ? [
          sentence.replaceAll('{value}', pick(fact.values, 4 * round + 3)),
          language === 'en' ? 'I see, thank you.' : '好的，我知道了。',
        ]
      : [other.user, other.agent]
    const id = `r${String(round + 1).padStart(4, '0')}`
    at += 90_000
    sessions
      .at(-1)
      ?.turns.push(
        { id: `${id}u`, role: 'user', text: user, at, timeZone: 'UTC' },
        { id: `${id}a`, role: 'assistant', text: agent, at: at + 20_000, timeZone: 'UTC' },
      )
  }
  const questions = facts.map(({ id, topic }) => {
    const text = language === 'en' ? `What have I said about ${topic}?` : `关于${topic}，我说过什么？`
    return { id, text, at: at + HOUR }
  })
  return { name: 'generated', user: 'Robin', sessions, questions }
}
