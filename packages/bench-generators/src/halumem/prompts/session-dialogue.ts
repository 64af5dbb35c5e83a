import { z } from 'zod'
import { generatePrompt, textProblems, failedChecks } from '../../generate-prompt.ts'

export interface SessionDialogueInput {
  readonly who: string
  /** A description of the user. */
  readonly persona: string
  /** The day of the talk, `2025-11-12`. */
  readonly day: string
  readonly summary: string
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** Minimum number of rounds. */
  readonly rounds: number
}

/** Asks for the talk (HaluMem's stage 5, second step). HaluMem-Medium has 107 tokens a round; the prompt asks for that in words. */
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
  problems: ({ rounds }, { rounds: minRounds }) => [
    ...failedChecks({
      [`There are ${rounds.length} rounds; write at least ${minRounds}.`]: rounds.length >= minRounds,
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
