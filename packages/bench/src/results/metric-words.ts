import type { FigureTask, Unit } from '../log/figure.ts'
import { COVERAGE_BUDGETS } from '../log/log-entry.ts'
import { isPlain, plainWords, type PlainTask } from './plain-words.ts'

/** How a report speaks of a metric. */
export interface MetricWords {
  /** Heads a column. */
  readonly label: string
  /** Which way is good; `null`: neither. */
  readonly better: 'high' | 'low' | null
  /** What it counts, in a sentence without its full stop. */
  readonly about: string
  /** `drawn`: in the task's first table and its plots; `tabled`: in the table alone; `further`: in a second one. */
  readonly rank: 'drawn' | 'tabled' | 'further'
  /** What it is called among the few figures that a run is known by; `null`: it is none of them. */
  readonly headline: string | null
  /** Its unit, where it is always the same. */
  readonly unit: Unit | null
}

type Words = Pick<MetricWords, 'label'> & Partial<Omit<MetricWords, 'label'>>
type Row = Readonly<Record<string, Words>>

const high = (label: string, about: string, more: Partial<Words> = {}): Words => ({
  label,
  better: 'high',
  about,
  ...more,
})
const low = (label: string, about: string, more: Partial<Words> = {}): Words => ({
  ...high(label, about, more),
  better: 'low',
})
const neither = (label: string, about: string, more: Partial<Words> = {}): Words => ({
  ...high(label, about, more),
  better: null,
})
const TABLED = { rank: 'tabled' } as const
const FURTHER = { rank: 'further' } as const
const headline = (words: string) => ({ headline: words })

const AUROC = 'how well confidence tells what was said from what never was; 50 % is chance'
const CONFIDENCE: Row = {
  auroc: high('AUROC', AUROC),
  ece: low('calibration error', 'how far confidence lies from how often it is right', FURTHER),
}
const WORD_MATCH = 'words matched greedily, each by the vector it has by itself; this is not BERTScore'
const BERTSCORE = 'tokens matched greedily by their vectors in context, of the model that the settings name'
const PUBLISHED_UPDATES =
  'the same over updates for which anything was retrieved, as the published script counts'
const RETENTION: Row = {
  recall: high('recall', 'questions so far with an answer kept', headline('answers kept')),
  recall_all: high('recall, whole', 'questions so far with all of the answer kept', TABLED),
  precision: high('precision', 'of what is kept, what is asked about'),
  f1: high('F1', 'of a person’s recall and precision'),
  'hit@2': high('hit@2', 'questions so far with an answer among the best two of what is kept'),
  agreement: high('agreement', 'of what is kept, what people marked as important'),
}

/** COMEDY's table 2: what a model wrote against what people wrote. */
const WRITTEN: Row = {
  bleu1: high('BLEU-1', 'words in common with the reference', headline('BLEU-1')),
  bleu2: high('BLEU-2', 'words and pairs of words in common with it'),
  f1: high('F1', 'of the words in common, as bags'),
  distinct1: neither('Distinct-1', 'different words of all words, over all texts', TABLED),
  distinct2: neither('Distinct-2', 'different pairs of words of all pairs', TABLED),
}

const WORDS: Readonly<Record<Exclude<FigureTask, PlainTask>, Row>> = {
  retrieval: {
    'hit@1': high('hit@1', 'questions with evidence in the first place', TABLED),
    'hit@5': high(
      'hit@5',
      'questions with any evidence among the first five',
      headline('evidence in the first five'),
    ),
    'hit@10': high('hit@10', 'questions with any evidence among the first ten', TABLED),
    'recall@10': high(
      'recall@10',
      'share of a question’s evidence among the first ten',
      headline('evidence found in the first ten'),
    ),
    'all@10': high('all@10', 'questions with all their evidence among the first ten', TABLED),
    'ndcg@10': high('nDCG@10', 'how high the evidence stands among the first ten', TABLED),
    mrr: high('MRR', 'one over the place of the first evidence'),
    ...CONFIDENCE,
  },
  everyday: {
    'evidence@4': high(
      'evidence@4',
      'questions whose whole answer is among the first four memories',
      headline('answer among the first four'),
    ),
    'evidence@context': high(
      'evidence@context',
      'questions whose whole answer stands in the context',
      headline('answer in the context'),
    ),
    known: high(
      'known',
      'questions of which it is rightly said whether there is an answer',
      headline('known rightly'),
    ),
    known_said: high('known, of what was said', 'of what is answerable, said to be known', TABLED),
    known_unsaid: high('unknown, of what was not', 'of what was never said, said not to be known', {
      ...TABLED,
      ...headline('never said, and said so'),
    }),
    ...CONFIDENCE,
    auroc: high('AUROC', AUROC, headline('AUROC of confidence')),
    unknown_tokens: low('tokens, unknown', 'handed over where there is no answer', {
      ...TABLED,
      ...headline('tokens when nothing is known'),
    }),
    answerable_tokens: neither('tokens, answerable', 'handed over where there is one', TABLED),
  },
  extraction: {
    recall: high('R', 'gold memories that the system holds whole', headline('gold memories held')),
    weighted_recall: high('weighted R', 'the same with half marks, weighted by importance', TABLED),
    target_precision: high('target P', 'how right the memories are that speak of the gold set'),
    accuracy: high('Acc.', 'how right all memories are that the system made'),
    fmr: high(
      'FMR',
      'false memories offered by the agent that were not stored',
      headline('false memories resisted'),
    ),
    f1: high('F1', 'of R and target P', headline('F1 of extraction')),
    'all.recall': high('R, all', 'R with updates counted as well', TABLED),
    'all.weighted_recall': high(
      'weighted R, all',
      'the same with half marks, weighted by importance',
      FURTHER,
    ),
    'all.f1': high('F1, all', 'of R with updates and target P', TABLED),
    'published.recall': high(
      'R, published',
      'R with updates for which nothing was retrieved counted here, as the published script does',
      TABLED,
    ),
    'published.weighted_recall': high('weighted R, published', 'likewise', FURTHER),
    'published.f1': high('F1, published', 'likewise', TABLED),
    'published.fmr': high('FMR, published', 'likewise', FURTHER),
    typewise: high('right by type', 'of new memories and updates together: those held whole or made', TABLED),
    'published.typewise': neither(
      'right by type, published',
      'as the published script counts, which also counts false memories, as right when they are held',
      FURTHER,
    ),
  },
  updating: {
    correct: high('C', 'updates that were made, of all updates', headline('updates made')),
    hallucinated: low('H', 'updates made wrongly'),
    omitted: low('O', 'updates that were not made'),
    other: neither('other', 'none of the three', TABLED),
    'published.correct': high('C, published', PUBLISHED_UPDATES, TABLED),
    'published.hallucinated': low('H, published', 'likewise', TABLED),
    'published.omitted': low('O, published', 'likewise', TABLED),
    'published.other': neither('other, published', 'likewise', FURTHER),
  },
  answering: {
    correct: high('C', 'questions answered rightly', headline('answers right')),
    hallucinated: low('H', 'questions answered with what is not so', headline('answers made up')),
    omitted: low('O', 'questions left without the answer'),
    precision: high(
      'precision',
      'of the answers given, those that are right, if only in part (LUFY)',
      TABLED,
    ),
    recall: high('recall', 'questions answered rightly, if only in part (LUFY)', TABLED),
    f1: high('F1', 'of precision and recall of answers (LUFY)', TABLED),
    abstention_precision: high('abstention P', 'of “I do not know”, how often nothing was to be known'),
    abstention_recall: high('abstention R', 'of what was never said, how often that was the answer'),
    abstention_f1: high('abstention F1', 'of the two', TABLED),
    ...CONFIDENCE,
    token_f1: high(
      'token F1',
      'words shared with the reference answer',
      headline('words shared with the reference'),
    ),
    rougeL: high('ROUGE-L', 'longest common run of words with the reference', TABLED),
    greedy_words: high('word match', WORD_MATCH, TABLED),
    bertscore: high('BERTScore', BERTSCORE, TABLED),
    cosine: high('cosine', 'likeness of the whole answer by embedding', FURTHER),
    rouge1: high('ROUGE-1', 'single words shared with the reference', FURTHER),
    rouge2: high('ROUGE-2', 'pairs of words shared with the reference', FURTHER),
    bleu1: high('BLEU-1', 'words of the answer found in the reference', FURTHER),
    bleu2: high('BLEU-2', 'the same for pairs of words', FURTHER),
    distinct1: neither('Distinct-1', 'different words over all words of the answers', FURTHER),
    distinct2: neither('Distinct-2', 'the same for pairs of words', FURTHER),
  },
  coverage: Object.fromEntries(
    COVERAGE_BUDGETS.flatMap((budget): [string, Words][] => [
      [
        `all_points@${budget}`,
        high(`all points, ${budget}`, `questions all of whose key points stand in ${budget} tokens`, {
          ...headline(`all key points in ${budget} tokens`),
        }),
      ],
      [`points@${budget}`, high(`points, ${budget}`, `key points that stand in ${budget} tokens`, TABLED)],
      [`words@${budget}`, high(`words, ${budget}`, 'of the words, numbers and dates of key points', TABLED)],
      [`tokens@${budget}`, neither(`tokens, ${budget}`, 'that the context does cost', FURTHER)],
    ]),
  ),
  probes: { accuracy: high('right', 'multiple-choice probes answered rightly', headline('probes right')) },
  'probe-table': {
    reply_score: high('score', 'how near replies come to what somebody who remembers would say, 0 to 5', {
      ...headline('probe table, 0 to 5'),
      unit: 'score',
    }),
    token_f1: high('token F1', 'words shared with the reference', TABLED),
    rougeL: high('ROUGE-L', 'longest common run of words with the reference', TABLED),
    greedy_words: high('word match', WORD_MATCH, FURTHER),
    bertscore: high('BERTScore', BERTSCORE, TABLED),
    cosine: high('cosine', 'likeness of the whole reply by embedding', FURTHER),
  },
  operations: {
    type: high(
      'type',
      'turns with the right operation: add, modify, delete or none',
      headline('operation types right'),
    ),
    index: high('index', 'turns that touched the right memory, or rightly none, whatever the type'),
    index_where_any: high(
      'index, where any',
      'modifications and deletions of the right memory, among all of them',
      {
        ...TABLED,
        ...headline('operation indices right'),
      },
    ),
    index_where_shown: high(
      'index, where shown',
      'the same where the memory meant was among those that the updater was shown',
      TABLED,
    ),
    content: high('content', 'turns that wrote the right thing, or rightly nothing, whatever the type'),
    content_where_any: high(
      'content, where any',
      'additions and modifications with the right content, among all of them',
      {
        ...TABLED,
        ...headline('operation contents right'),
      },
    ),
  },
  labels: {
    rouge2: high('ROUGE-2', 'how near the nearest memory comes to a label, by pairs of words'),
    rougeL: high('ROUGE-L', 'by longest common run of words'),
    greedy_words: high('word match', WORD_MATCH, headline('labels matched by a memory, word by word')),
    bertscore: high('BERTScore', BERTSCORE, headline('labels matched by a memory, BERTScore')),
    cosine: high('cosine', 'by embeddings of the whole'),
    mem_score: high(
      'MemScore',
      'how well the memory says what the label means, 0 to 5',
      headline('MemScore'),
    ),
  },
  cost: {
    tokens: neither('tokens', 'read and written by models a conversation'),
    calls: neither('calls', 'of language models a conversation', headline('model calls a conversation')),
    input_tokens: neither('tokens in', 'a conversation', TABLED),
    output_tokens: neither('tokens out', 'a conversation', TABLED),
    embedding_requests: neither('embedding requests', 'a conversation', TABLED),
    memories: neither('memories', 'that stand at a conversation’s end', TABLED),
    context_tokens: neither('context tokens', 'handed to the reader a question', TABLED),
    reader_input_tokens: neither('reader tokens in', 'a question', TABLED),
    reader_output_tokens: neither('reader tokens out', 'a question', TABLED),
    ingest_ms_per_turn: neither('adding a turn', 'mean over all turns', TABLED),
    retrieve_ms_p50: neither('retrieval p50', 'half of the retrievals take no longer', {
      ...TABLED,
      ...headline('retrieval, median'),
    }),
    retrieve_ms_p95: neither('retrieval p95', '', TABLED),
    retrieve_ms_p99: neither('retrieval p99', '', FURTHER),
    answer_ms_p50: neither('answer p50', 'half of the answers take no longer', TABLED),
    answer_ms_p95: neither('answer p95', '', FURTHER),
    answer_ms_p99: neither('answer p99', '', FURTHER),
    adding_ms: neither('adding, in all', 'the whole run', FURTHER),
    retrieving_ms: neither('retrieving, in all', 'the whole run, for questions alone', FURTHER),
    total_ms: neither('both', '', FURTHER),
  },
  attribution: {
    'never-extracted': low('never extracted', 'no session left what the answer needs'),
    'wrongly-updated': low('wrongly updated', 'it was to be changed, and was not or wrongly'),
    forgotten: low('forgotten', 'it was held once, and no longer'),
    'not-retrieved': low('not retrieved', 'it was held, and not found for the question'),
    misread: low('misread', 'it was found, and the answer was wrong all the same'),
    unknown: neither('unknown', 'the system shows too little'),
  },
  'session-memory': WRITTEN,
  compression: WRITTEN,
  replies: {
    average: high('average', 'of the five', headline('replies, 0 to 3')),
    coherence: high('coherence', 'whether a reply follows from the talk, 0 to 3'),
    consistency: high('consistency', 'whether it agrees with past, talk and itself'),
    memorability: high('memorability', 'whether what bears on the talk is remembered'),
    engagingness: high('engagingness', 'whether one would want to go on'),
    humanness: high('humanness', 'whether it sounds as a person would'),
  },
  'reply-ranks': {
    top1: high(
      'Top@1',
      'replies that are ranked first; ranks may be shared',
      headline('replies ranked first'),
    ),
    top3: high('Top@3', 'replies among the first three ranks'),
    rank: low('rank', 'mean over replies', TABLED),
  },
  forgetting: RETENTION,
  'forgetting-lead': RETENTION,
  capacity: RETENTION,
  'capacity-lead': RETENTION,
}

/** The words for a metric; an unknown one is called by its own name and stands among the further ones. */
export function metricWords(task: FigureTask, metric: string): MetricWords {
  const words = { about: '', better: null, headline: null, unit: null }
  if (isPlain(task)) return { ...words, ...plainWords(task, metric) }
  const unknown = { label: metric.replaceAll('_', ' '), rank: 'further' } as const
  return { ...words, rank: 'drawn', ...(WORDS[task][metric] ?? unknown) }
}

/** Metrics in the order in which tables show them: those that are known first, the others as they came. */
export function inOrder(task: FigureTask, metrics: Iterable<string>): string[] {
  const known = isPlain(task) ? [] : Object.keys(WORDS[task])
  const place = (metric: string): number => (known.includes(metric) ? known.indexOf(metric) : known.length)
  return [...new Set(metrics)].toSorted((a, b) => place(a) - place(b))
}
