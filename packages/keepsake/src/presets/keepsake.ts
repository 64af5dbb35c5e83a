// The presets of the engine itself: `keepsake`, `first-in-first-out` and `naive-rag`.
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

/** Maximum number of utterances, and of facts, in a scope: about three years of daily talk. Then the weakest are forgotten. */
const CAPACITY = 50_000

/** Share of the capacity that is freed at a time. A run judges tens of thousands of memories, which takes seconds. */
const SLACK = 0.05

/** Maximum rounds per call. In longer segments a model overlooks more. */
const SEGMENT_ROUNDS = 16
/** A unit for each segment, a summary of six units, and a summary of five summaries. They cover about 64 and 320 rounds. */
const SEGMENT_THRESHOLDS = [1, 6, 5]
/** Another portrait is made after three new units and a hundred turns, which are about fifty rounds. */
const PORTRAIT = { every: 3, leastTurns: 100 }
/** Number of results that a reranking model reorders. */
const RERANKED_RESULTS = 30

/** Returns the branches without a language model. They write no story and no summaries, which would be mere lists of sentences. */
function branchesByRules(): Branch[] {
  return [{ kind: 'facts', every: { rounds: 1 }, extractor: personaRules() }]
}

/** Returns the branches with a language model. One call per segment returns facts, operations, requests and a story unit. */
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

/** The default preset. It keeps messages word for word, extracts facts from them, and forgets the weakest over a capacity. */
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
    ranking: { kind: 'hybrid', recipe: HYBRID, rerank: RERANKED_RESULTS },
    recalls: ['utterance', 'fact'],
    context: form.model ? 'statements' : 'answer',
    use: { limit: 10, first: 1, second: 1, reinforce: true },
  }
}

/** Share of memories that stays after each session, as in LUFY's comparison. */
const KEPT_SHARE = 0.1

/** Naive RAG that forgets the oldest memories. Every other forgetting policy should do better. */
export function firstInFirstOut(): Preset {
  return {
    ...naiveRag(),
    name: 'first-in-first-out',
    summary: 'Utterance pairs by cosine; when a session ends, all but the latest tenth go.',
    policy: oldestFirst(),
    retention: { when: 'session-end', keep: KEPT_SHARE },
  }
}

/** Plain retrieval-augmented generation: it keeps every round, returns the nearest vectors, and forgets nothing. */
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

/** Silence in milliseconds that ends an unnamed session: longer than a meal, shorter than a night. */
const SESSION_GAP = 4 * 60 * 60 * 1000

/** Returns the defaults of presets: accept all facts without grounding, summarise by quoting, and forget nothing. */
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
