import { HYBRID } from '@keepsake/search'
import { keyTable } from '@keepsake/text'
import { personaRules } from '../extraction/rules/persona-rules.ts'
import { segmentReader } from '../extraction/segment-reader.ts'
import { keepsakeForgetting } from '../forget/policies/keepsake.ts'
import { firstInFirstOut as oldestFirst, noForgetting } from '../forget/policies/known-policies.ts'
import { portraitCompressor } from '../portrait/compress-by-model.ts'
import { storySummariser } from '../story/summarise-by-model.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { BY_RULES, type PresetForm, type Branch, type Preset } from './preset.ts'

/** Some three years of daily talk. A scope that grows past it lets its weakest utterances go, and as many facts its weakest facts. */
const CAPACITY = 50_000

/** Share freed at a time over capacity, because judging tens of thousands takes seconds. */
const SLACK = 0.05

/**
 * Maximum number of rounds per call, for the model's attention. An ending session is read to its end; unread turns
 * can be recalled.
 */
const SEGMENT_ROUNDS = 16
/** A segment each, six of them, five of those: some 64 and 320 rounds, for most sessions are shorter than a segment may be. */
const SEGMENT_THRESHOLDS = [1, 6, 5]
/** Turns until the next portrait, some fifty rounds. */
const PORTRAIT = { every: 3, leastTurns: 100 }
/** Number of results that a reranking model reorders. */
const RERANKED = 30

/** Rules write no story and no summaries: those would be sentences pasted together. */
function branchesByRules(): Branch[] {
  return [{ kind: 'facts', every: { rounds: 1 }, extractor: personaRules({ follows: 'changes' }) }]
}

/** One call per segment yields facts, operations, requests and the story unit that portraits use. */
function branchesByModel(): Branch[] {
  return [
    {
      kind: 'facts',
      every: { rounds: SEGMENT_ROUNDS },
      isEven: true,
      extractor: segmentReader({ table: keyTable() }),
      standIn: personaRules(),
    },
    { kind: 'story', thresholds: SEGMENT_THRESHOLDS, units: 'segments' },
    { kind: 'portrait', compressor: portraitCompressor(), ...PORTRAIT },
  ]
}

/** The default: the best part of each. What was said is kept, facts are drawn from it, and the weakest go under a capacity. */
export function keepsake(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'keepsake',
    summary:
      'Utterances with signals, facts by key and merge class, story and summaries, hybrid retrieval, forgetting by importance, use and redundancy.',
    source: null,
    branches: [
      { kind: 'utterances', order: 'answer' },
      ...(form.model ? branchesByModel() : branchesByRules()),
    ],
    grounding: form.model ? 'model' : 'rules',
    keepsInstructions: true,
    summariser: form.model ? storySummariser({ isChecked: true }) : extractiveSummariser(),
    policy: keepsakeForgetting(),
    retention: { when: 'capacity', memories: CAPACITY, slack: SLACK },
    exempt: ['fact', 'story', 'summary', 'portrait'],
    boundsFacts: true,
    ranking: { kind: 'hybrid', recipe: HYBRID, rerank: RERANKED },
    recalls: ['utterance', 'fact'],
    context: form.model ? 'statements' : 'answer',
    use: { limit: 10, first: 1, second: 1, reinforce: true },
  }
}

/** What stays after each session, as in LUFY's comparison. */
const KEEP = 0.1

/** First in, first out: naive RAG that lets the oldest go. What any other policy of forgetting has to beat. */
export function firstInFirstOut(): Preset {
  return {
    ...naiveRag(),
    name: 'first-in-first-out',
    summary: 'Utterance pairs by cosine; when a session ends, all but the latest tenth go.',
    policy: oldestFirst(),
    retention: { when: 'session-end', keep: KEEP },
  }
}

/** Plain retrieval-augmented generation: every round is kept, the nearest vectors come back, nothing is forgotten. */
export function naiveRag(): Preset {
  return {
    ...plainPreset(),
    name: 'naive-rag',
    summary: 'Every round as it was said, nearest vectors, no forgetting.',
    source: 'LUFY, table 4: the conventional retrieval-augmented chatbot it is compared with.',
    branches: [{ kind: 'utterances', order: 'answer' }],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['utterance'],
    use: { limit: 5, first: 0, second: 0, reinforce: false },
  }
}

/** Silence that ends an unnamed session: longer than a meal, shorter than a night. */
const SESSION_GAP = 4 * 60 * 60 * 1000

/** Defaults of presets: quote, believe everything, and forget nothing. */
export function plainPreset() {
  return {
    grounding: 'off',
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: noForgetting(),
    retention: { when: 'never' },
    exempt: [],
    context: 'list',
  } as const satisfies Partial<Preset>
}
