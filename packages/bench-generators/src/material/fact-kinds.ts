import { z } from 'zod'

export type TalkLanguage = 'en' | 'zh'

/** Which sentences may be used: those of one split never occur in the other. */
export type Split = 'train' | 'test'

export const bySplitSchema = z.object({ train: z.array(z.string()), test: z.array(z.string()) })

/** Sentences to draw from, by split. */
export type BySplit = z.infer<typeof bySplitSchema>

export const toldKindSchema = z.object({
  id: z.string(),
  type: z.enum(['persona', 'event', 'relationship']),
  /** How much it matters, above 0, up to 1. */
  importance: z.number().gt(0).max(1),
  /** Whether it recurs, such as an outing: it is stated again, never changed. */
  repeatable: z.boolean().default(false),
  /** What is to be remembered, with `{who}` and `{value}`. */
  memory: z.string(),
  /** The memory once it has ended. */
  gone: z.string().optional(),
  tell: bySplitSchema,
  change: bySplitSchema.optional(),
  drop: bySplitSchema.optional(),
  ask: z.string().optional(),
  /** The question after a change, since the other one would give the answer away. */
  changed: z.string().optional(),
  /** A question about a nearby detail that no sentence states. */
  unknown: z.string().optional(),
  /** A question in a new situation that it lets one answer, and the answer. */
  apply: z.string().optional(),
  advice: z.string().optional(),
  /** An agent's answer when it is stated. */
  reply: z.string().optional(),
})

/**
 * A kind of personal fact, with the sentences to state, change and end it. `{value}` stands for the value, `{old}` for the earlier one,
 * `{who}` for the person's name.
 */
export type ToldKind = z.input<typeof toldKindSchema>

export const factKindSchema = toldKindSchema.extend({
  /** Phrases that fit `{value}` and `{old}` of every sentence. */
  values: z.array(z.string()),
  /** What the person calls it, in the first person. */
  topic: z.string(),
  change: bySplitSchema,
  drop: bySplitSchema,
  ask: z.string(),
  /** The memory said to the person, as a clause. */
  you: z.string().optional(),
  reply: z.string(),
})

/** A kind of our own lists, with values to draw from. */
export type FactKind = z.infer<typeof factKindSchema>

const sharedSentences = factKindSchema.omit({
  id: true,
  type: true,
  importance: true,
  values: true,
  repeatable: true,
})

export const preferencesSchema = z.object({
  categories: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      items: z.array(z.string()),
      apply: z.string(),
      advice: z.string(),
    }),
  ),
  like: sharedSentences,
  dislike: sharedSentences,
})

/** Tastes: categories with things to like or dislike, and the sentences they share. */
export type Preferences = z.infer<typeof preferencesSchema>
export type PreferenceCategory = Preferences['categories'][number]

const stated = z.object({ memory: z.string(), value: z.string() })

export const careerSchema = z.object({
  id: z.string(),
  name: z.string(),
  stages: z.array(
    stated.extend({
      id: z.string(),
      name: z.string(),
      tell: bySplitSchema,
      reason: stated.extend(bySplitSchema.shape),
      changes: z.array(z.string()),
    }),
  ),
})

/** A turn in a working life, in stages. */
export type Career = z.infer<typeof careerSchema>
export type CareerStage = Career['stages'][number]
