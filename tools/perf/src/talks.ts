import { EVERYDAY_FOLDER, loadEveryday } from '@keepsake/bench/parts'

/** What users of one language say and ask, of the everyday talks that ship with the harness. */
export interface Talk {
  readonly turns: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  readonly questions: readonly string[]
}

const START = Date.UTC(2025, 0, 1)
const GAP_MS = 600_000

async function loadTalks(): Promise<readonly Talk[]> {
  const { conversations } = await loadEveryday(EVERYDAY_FOLDER)
  return [...Map.groupBy(conversations, ({ language }) => language).values()].map((talks) => ({
    turns: talks.flatMap(({ sessions }) =>
      sessions.flatMap(({ turns }) => turns.map(({ role, text }) => ({ role, text }))),
    ),
    questions: talks.flatMap(({ questions }) => questions.map(({ text }) => text)),
  }))
}

const talks = await loadTalks()

/** The talk of a user by number: languages alternate. */
export function talkOf(user: number): Talk {
  const talk = talks[user % talks.length]
  if (talk === undefined) throw new Error('The harness ships no everyday talk.')
  return talk
}

/** Turns of a user from `from` on, ten minutes apart. A talk that is over begins again. */
export function cycleTurns({ turns }: Talk, from: number, count: number) {
  const all = Array.from({ length: count }, (_, at) => ({ turn: turns[(from + at) % turns.length], at }))
  return all.flatMap(({ turn, at }) =>
    turn === undefined ? [] : [{ ...turn, at: START + (from + at) * GAP_MS }],
  )
}
