import { z } from 'zod'

const words = z.array(z.string())
const bySplit = z.object({ train: words, test: words })
const pair = z.tuple([z.string(), z.string()])
const pairsBySplit = z.object({ train: z.array(pair), test: z.array(pair) })
const coreFact = z.object({
  memory: z.string(),
  ask: z.string(),
  values: words.default([]),
  tell: bySplit,
})

/** The talk around the facts: openings, small talk, what an agent answers, names, and how questions are put. */
export const talkWordsSchema = z.object({
  names: z.array(z.tuple([z.string(), z.enum(['Female', 'Male'])])),
  surnames: words,
  openers: bySplit,
  closers: bySplit,
  /** Requests to forget something. */
  forget: bySplit,
  replies: z.object({ add: words, modify: words, delete: words }),
  /** Rounds that tell nothing: what the person says, what the agent answers. */
  small: pairsBySplit,
  /** An agent brings up what was never told: `{you}` is the clause. */
  hints: bySplit,
  /** The person passes over it, without a yes or a no. */
  deflections: bySplit,
  /** An agent proposes, the person takes it up in words of their own. */
  proposals: pairsBySplit,
  proposalMemory: z.string(),
  proposalValues: words,
  intros: bySplit,
  introMemory: z.string(),
  born: coreFact,
  study: coreFact,
  father: coreFact,
  aim: coreFact,
  persona: z.object({ education: words, tags: words }),
  frames: z.object({
    now: z.string(),
    still: z.string(),
    stillNo: z.string(),
    unknown: z.string(),
    conflict: words,
    conflictAnswer: z.string(),
    first: z.string(),
    both: z.string(),
    join: z.string(),
  }),
  eventNames: z.object({
    fixed: z.string(),
    dynamic: z.string(),
    preferences: z.string(),
    modify: z.string(),
  }),
})

export type TalkWords = z.infer<typeof talkWordsSchema>
