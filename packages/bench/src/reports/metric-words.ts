import type { Figure } from '../runs/figure.ts'

/** How a report speaks of a metric. */
export interface MetricWords {
  readonly metric: string
  /** Heads a column. */
  readonly label: string
  /** Which way is good; `null`: neither. */
  readonly better: 'high' | 'low' | null
  /** What it counts, in a sentence without its full stop. */
  readonly about: string
  /** `drawn`: in the task's first table and its plots; `tabled`: in the table alone; `further`: in a second one. */
  readonly rank: 'drawn' | 'tabled' | 'further'
}

type Task = Figure['task']
type Row = readonly [
  label: string,
  better: MetricWords['better'],
  about: string,
  rank?: Exclude<MetricWords['rank'], 'drawn'>,
]

const AUROC: Row = [
  'AUROC',
  'high',
  'how well confidence tells what was said from what never was; 50 % is chance',
]
const ECE: Row = ['calibration error', 'low', 'how far confidence lies from how often it is right', 'further']
const PUBLISHED_UPDATES =
  'the same over updates for which anything was retrieved, as the published script counts'

const WORDS: Readonly<Record<Task, Readonly<Record<string, Row>>>> = {
  retrieval: {
    'hit@1': ['hit@1', 'high', 'questions with evidence in the first place', 'tabled'],
    'hit@5': ['hit@5', 'high', 'questions with any evidence among the first five'],
    'hit@10': ['hit@10', 'high', 'questions with any evidence among the first ten', 'tabled'],
    'recall@10': ['recall@10', 'high', 'share of a question’s evidence among the first ten'],
    'all@10': ['all@10', 'high', 'questions with all their evidence among the first ten', 'tabled'],
    'ndcg@10': ['nDCG@10', 'high', 'how high the evidence stands among the first ten', 'tabled'],
    mrr: ['MRR', 'high', 'one over the place of the first evidence'],
    auroc: AUROC,
    ece: ECE,
  },
  extraction: {
    recall: ['R', 'high', 'gold memories that the system holds whole'],
    weighted_recall: ['weighted R', 'high', 'the same with half marks, weighted by importance', 'tabled'],
    target_precision: ['target P', 'high', 'how right the memories are that speak of the gold set'],
    accuracy: ['Acc.', 'high', 'how right all memories are that the system made'],
    fmr: ['FMR', 'high', 'false memories offered by the agent that were not stored'],
    f1: ['F1', 'high', 'of R and target P'],
    'published.recall': [
      'R, published',
      'high',
      'R with updates for which nothing was retrieved counted here, as the published script does',
      'tabled',
    ],
    'published.weighted_recall': ['weighted R, published', 'high', 'likewise', 'further'],
    'published.f1': ['F1, published', 'high', 'likewise', 'tabled'],
    typewise: [
      'right by type',
      'high',
      'of new memories and updates together: those held whole or made',
      'tabled',
    ],
  },
  updating: {
    correct: ['C', 'high', 'updates that were made, of all updates'],
    hallucinated: ['H', 'low', 'updates made wrongly'],
    omitted: ['O', 'low', 'updates that were not made'],
    other: ['other', null, 'none of the three', 'tabled'],
    'published.correct': ['C, published', 'high', PUBLISHED_UPDATES, 'tabled'],
    'published.hallucinated': ['H, published', 'low', 'likewise', 'tabled'],
    'published.omitted': ['O, published', 'low', 'likewise', 'tabled'],
    'published.other': ['other, published', null, 'likewise', 'further'],
  },
  answering: {
    correct: ['C', 'high', 'questions answered rightly'],
    hallucinated: ['H', 'low', 'questions answered with what is not so'],
    omitted: ['O', 'low', 'questions left without the answer'],
    abstention_precision: ['abstention P', 'high', 'of “I do not know”, how often nothing was to be known'],
    abstention_recall: ['abstention R', 'high', 'of what was never said, how often that was the answer'],
    abstention_f1: ['abstention F1', 'high', 'of the two', 'tabled'],
    auroc: AUROC,
    ece: ECE,
    token_f1: ['token F1', 'high', 'words shared with the reference answer'],
    rougeL: ['ROUGE-L', 'high', 'longest common run of words with the reference', 'tabled'],
    bertscore: ['BERTScore', 'high', 'best matches of words by embedding, greedily', 'tabled'],
    cosine: ['cosine', 'high', 'likeness of the whole answer by embedding', 'further'],
    rouge1: ['ROUGE-1', 'high', 'single words shared with the reference', 'further'],
    rouge2: ['ROUGE-2', 'high', 'pairs of words shared with the reference', 'further'],
    bleu1: ['BLEU-1', 'high', 'words of the answer found in the reference', 'further'],
    bleu2: ['BLEU-2', 'high', 'the same for pairs of words', 'further'],
    distinct1: ['Distinct-1', null, 'different words over all words of the answers', 'further'],
    distinct2: ['Distinct-2', null, 'the same for pairs of words', 'further'],
  },
  probes: { accuracy: ['right', 'high', 'multiple-choice probes answered rightly'] },
  operations: {
    type: ['type', 'high', 'turns with the right operation: add, modify, delete or none'],
    index: ['index', 'high', 'turns that touched the right memory, or rightly none'],
    index_where_any: [
      'index, where any',
      'high',
      'the same over modifications and deletions alone',
      'tabled',
    ],
    content: ['content', 'high', 'turns that wrote the right thing, or rightly nothing'],
    content_where_any: [
      'content, where any',
      'high',
      'the same over additions and modifications alone',
      'tabled',
    ],
  },
  labels: {
    rouge2: ['ROUGE-2', 'high', 'how near the nearest memory comes to a label, by pairs of words'],
    rougeL: ['ROUGE-L', 'high', 'by longest common run of words'],
    bertscore: ['BERTScore', 'high', 'by embeddings of words, matched greedily'],
    cosine: ['cosine', 'high', 'by embeddings of the whole'],
    mem_score: ['MemScore', 'high', 'how well the memory says what the label means, 0 to 5'],
  },
  cost: {
    tokens: ['tokens', null, 'read and written by models a conversation'],
    calls: ['calls', null, 'of language models a conversation'],
    input_tokens: ['tokens in', null, 'a conversation'],
    output_tokens: ['tokens out', null, 'a conversation'],
    embedding_requests: ['embedding requests', null, 'a conversation'],
    memories: ['memories', null, 'that stand at a conversation’s end'],
    context_tokens: ['context tokens', null, 'handed to the reader a question'],
    reader_input_tokens: ['reader tokens in', null, 'a question'],
    reader_output_tokens: ['reader tokens out', null, 'a question'],
    ingest_ms_per_turn: ['adding a turn', null, 'mean over all turns'],
    retrieve_ms_p50: ['retrieval p50', null, 'half of the retrievals take no longer'],
    retrieve_ms_p95: ['retrieval p95', null, ''],
    retrieve_ms_p99: ['retrieval p99', null, ''],
    answer_ms_p50: ['answer p50', null, 'half of the answers take no longer'],
    answer_ms_p95: ['answer p95', null, ''],
    answer_ms_p99: ['answer p99', null, ''],
    adding_ms: ['adding, in all', null, 'the whole run'],
    retrieving_ms: ['retrieving, in all', null, 'the whole run, for questions alone'],
    total_ms: ['both', null, ''],
  },
  attribution: {
    'never-extracted': ['never extracted', 'low', 'no session left what the answer needs'],
    'wrongly-updated': ['wrongly updated', 'low', 'it was to be changed, and was not or wrongly'],
    forgotten: ['forgotten', 'low', 'it was held once, and no longer'],
    'not-retrieved': ['not retrieved', 'low', 'it was held, and not found for the question'],
    misread: ['misread', 'low', 'it was found, and the answer was wrong all the same'],
    unknown: ['cannot be told', null, 'the system shows too little'],
  },
}

/** The words for a metric; an unknown one is called by its own name and stands among the further ones. */
export function metricWords(task: Task, metric: string): MetricWords {
  const row = Object.entries(WORDS[task]).find(([name]) => plain(name) === plain(metric))?.[1]
  if (row === undefined) {
    const label = metric.replaceAll('_', ' ')
    return { metric, label, better: null, about: '', rank: task === 'cost' ? 'tabled' : 'further' }
  }
  const [label, better, about, rank] = row
  return { metric, label, better, about, rank: rank ?? 'drawn' }
}

/** Metrics in the order in which tables show them: those that are known first, the others as they came. */
export function inOrder(task: Task, metrics: Iterable<string>): string[] {
  const known = Object.keys(WORDS[task]).map(plain)
  const place = (metric: string): number => {
    const at = known.indexOf(plain(metric))
    return at < 0 ? known.length : at
  }
  return [...new Set(metrics)].toSorted((a, b) => place(a) - place(b))
}

/** However it is spelled: `target_precision`, `targetPrecision`. */
function plain(metric: string): string {
  return metric.toLowerCase().replaceAll(/[_-]/g, '')
}

/** What a task is called, as a heading. */
export const TASK_TITLES: Readonly<Record<Task, string>> = {
  retrieval: 'Retrieval',
  extraction: 'Extraction',
  updating: 'Updating',
  answering: 'Answering',
  probes: 'Probes',
  operations: 'Operations',
  labels: 'Labels',
  cost: 'Cost',
  attribution: 'Where errors arise',
}
