import { EVERYDAY_FOLDER, loadEveryday } from '@keepsake/bench/parts'

/** The turns and questions of one language, from the everyday conversations that ship with the harness. */
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

/** Returns the talk of a user by number. Languages alternate. */
export function talkOf(user: number): Talk {
  const talk = talks[user % talks.length]
  if (talk === undefined) throw new Error('The harness ships no everyday talk.')
  return talk
}

/** Returns turns of a user from `from` on, ten minutes apart. After its end a talk begins again. */
export function cycleTurns({ turns }: Talk, from: number, count: number) {
  const all = Array.from({ length: count }, (_, at) => ({ turn: turns[(from + at) % turns.length], at }))
  return all.flatMap(({ turn, at }) =>
    turn === undefined ? [] : [{ ...turn, at: START + (from + at) * GAP_MS }],
  )
}
