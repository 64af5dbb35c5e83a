import { createHash } from 'node:crypto'
import type { GeneratedHalumem } from './halumem/generate-halumem.ts'
import type { ThemeRecord } from './mem-dialogue/theme-record.ts'

/** Numbers by the name of the counted thing: `operations.add`. */
export type Counts = Readonly<Record<string, number>>

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Counts themes, memories, rounds, and operations by kind. */
export function countThemes(themes: readonly ThemeRecord[]): Counts {
  const operations = themes.flatMap((theme) => theme.operations)
  return {
    themes: themes.length,
    ...countNames(themes.map(({ split }) => `themes.${split}`)),
    memories: themes.reduce((sum, { memories }) => sum + memories.length, 0),
    rounds: operations.length,
    ...countNames(operations.map(({ kind }) => `operations.${kind}`)),
    questions: themes.length,
  }
}

/** Counts users, sessions, rounds, memory points by source and type, updates, and questions by type. */
export function countHalumem({ users }: Pick<GeneratedHalumem, 'users'>): Counts {
  const sessions = users.flatMap((user) => user.sessions)
  const points = sessions.flatMap((session) => session.memory_points)
  const questions = sessions.flatMap((session) => session.questions)
  return {
    users: users.length,
    sessions: sessions.length,
    insertedSessions: sessions.filter((session) => session.is_generated_qa_session === true).length,
    rounds: sessions.reduce((sum, session) => sum + session.dialogue_turn_num, 0),
    memoryPoints: points.length,
    ...countNames(points.map((point) => `memoryPoints.${point.memory_source}`)),
    ...countNames(points.map((point) => `memoryPoints.${point.memory_type}`)),
    updates: points.filter((point) => point.is_update === 'True').length,
    questions: questions.length,
    ...countNames(questions.map((question) => `questions.${question.question_type}`)),
  }
}

function countNames(names: readonly string[]): Counts {
  const groups = Object.groupBy(names.toSorted(), (name) => name)
  return Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all?.length ?? 0]))
}
