import { z } from 'zod'

export type TalkLanguage = 'en' | 'zh'

/** The two groups of sentences. No sentence of one group occurs in the other. */
export type Split = 'train' | 'test'

export const bySplitSchema = z.object({ train: z.array(z.string()), test: z.array(z.string()) })

/** Sentences to draw from, by split. */
export type BySplit = z.infer<typeof bySplitSchema>

// Three schemas share these fields. `toldKindSchema` has the sentences of a fact that is stated. `factKindSchema` is a record of
// `data/material/facts.*.jsonl` and adds values, for example {"id": "city", "topic": "where I live", "values": ["Lyon"],
// "memory": "{who} lives in {value}.", "tell": {"train": ["I live in {value}."], …}, "change": …, "drop": …, "ask": "Where does {who} live?"}.
// `sharedSentences` has the same fields for tastes, without values and id, since a category has those.

export const toldKindSchema = z.object({
  id: z.string(),
  type: z.enum(['persona', 'event', 'relationship']),
  /** Importance, above 0, up to 1. */
  importance: z.number().gt(0).max(1),
  /** Whether the fact can happen again, such as an outing. Such a fact is stated again, and never changed. */
  repeatable: z.boolean().default(false),
  /** The text of the memory, with `{who}` and `{value}`. */
  memory: z.string(),
  /** The text of the memory after the fact has ended. */
  gone: z.string().optional(),
  /** Sentences that state the fact; `change` and `drop` state its change and its end. */
  tell: bySplitSchema,
  change: bySplitSchema.optional(),
  drop: bySplitSchema.optional(),
  ask: z.string().optional(),
  /** The question after a change. Absent: `ask`. Needed when `ask` would reveal the answer. */
  changed: z.string().optional(),
  /** A question about a nearby detail that no sentence states. */
  unknown: z.string().optional(),
  /** A question in a new situation that the fact helps to answer. `advice` is the answer. */
  apply: z.string().optional(),
  advice: z.string().optional(),
  /** The agent's answer when the fact is stated. */
  reply: z.string().optional(),
})

/** A kind of fact with sentences that state, change and end it. Places: `{value}`, `{old}` (earlier value), `{who}` (the user's name). */
export type ToldKind = z.input<typeof toldKindSchema>

export const factKindSchema = toldKindSchema.extend({
  /** Phrases for `{value}` and `{old}`. */
  values: z.array(z.string()),
  /** The topic in the first person: `where I live`. */
  topic: z.string(),
  change: bySplitSchema,
  drop: bySplitSchema,
  ask: z.string(),
  /** The memory as a clause to the user: `you live in {value}`. */
  you: z.string().optional(),
  reply: z.string(),
})

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

/** Categories of things to like or dislike, and the sentences that all categories share. */
export type Preferences = z.infer<typeof preferencesSchema>
export type PreferenceCategory = Preferences['categories'][number]

const statement = z.object({ memory: z.string(), value: z.string() })

export const careerSchema = z.object({
  id: z.string(),
  name: z.string(),
  stages: z.array(
    statement.extend({
      id: z.string(),
      name: z.string(),
      tell: bySplitSchema,
      reason: statement.extend(bySplitSchema.shape),
      changes: z.array(z.string()),
    }),
  ),
})

export type Career = z.infer<typeof careerSchema>
export type CareerStage = Career['stages'][number]
