import { z } from 'zod'
import { bySplitSchema } from './told-kind.ts'

const words = z.array(z.string())
const pair = z.tuple([z.string(), z.string()])
const pairsBySplit = z.object({ train: z.array(pair), test: z.array(pair) })
const coreFact = z.object({
  memory: z.string(),
  ask: z.string(),
  values: words.default([]),
  tell: bySplitSchema,
})

/** The talk around the facts: openings, small talk, what an agent answers, names, and how questions are put. */
export const talkWordsSchema = z.object({
  names: z.array(z.tuple([z.string(), z.enum(['Female', 'Male'])])),
  surnames: words,
  openers: bySplitSchema,
  closers: bySplitSchema,
  /** Requests to forget something. */
  forget: bySplitSchema,
  replies: z.object({ add: words, modify: words, delete: words }),
  /** Rounds that tell nothing: what the person says, what the agent answers. */
  small: pairsBySplit,
  /** An agent brings up what was never told: `{you}` is the clause. */
  hints: bySplitSchema,
  /** The person passes over it, without a yes or a no. */
  deflections: bySplitSchema,
  /** An agent proposes, the person takes it up in words of their own. */
  proposals: pairsBySplit,
  proposalMemory: z.string(),
  proposalValues: words,
  intros: bySplitSchema,
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
