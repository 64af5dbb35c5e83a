import { z } from 'zod'
import { generatePrompt, textProblems, unmet } from '../../generate-prompt.ts'

export interface SessionDialogueInput {
  readonly who: string
  /** The person, as lines: for the voice. */
  readonly persona: string
  /** The day of the talk, `2025-11-12`. */
  readonly day: string
  readonly summary: string
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** How many rounds it has at least. */
  readonly rounds: number
}

/** HaluMem's stage 5, second step: the talk itself. Medium has 107 tokens a round, which the prompt asks for in words. */
export const sessionDialoguePrompt = generatePrompt({
  id: 'generate-session-dialogue',
  version: 4,
  schema: z.object({ rounds: z.array(z.object({ user: z.string(), agent: z.string() })) }),
  shape: '{"rounds": [{"user": "…", "agent": "…"}]}',
  material: ({ who: name, persona: person, rounds, ...talk }: SessionDialogueInput) => ({
    name,
    person,
    rounds: String(rounds),
    ...talk,
  }),
  problems: ({ rounds }, { rounds: least }) => [
    ...unmet({
      [`There are ${rounds.length} rounds; write at least ${least}.`]: rounds.length >= least,
    }),
    ...textProblems(
      'turn of the person',
      rounds.map(({ user }) => user),
    ),
    ...textProblems(
      'turn of the assistant',
      rounds.map(({ agent }) => agent),
    ),
  ],
  maxOutputTokens: 8_000,
})
