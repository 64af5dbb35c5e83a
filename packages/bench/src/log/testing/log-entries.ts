import type { EntryOf } from '../log-entry.ts'

/** Makes log entries with default fields, some of which a test replaces. */
const WHERE = { conversation: 'c1', person: 'ana' } as const

export function integrity(given: Partial<EntryOf<'integrity'>>): EntryOf<'integrity'> {
  return {
    entry: 'integrity',
    ...WHERE,
    session: 's1',
    gold: 'g1',
    text: 'Ana plays the cello.',
    type: 'persona',
    source: 'primary',
    isUpdate: false,
    importance: 1,
    score: 0,
    reason: '',
    isUnretrievedUpdate: false,
    ...given,
  }
}

export function accuracy(given: Partial<EntryOf<'accuracy'>>): EntryOf<'accuracy'> {
  return {
    entry: 'accuracy',
    ...WHERE,
    session: 's1',
    memory: 'm1',
    text: 'Plays the cello.',
    score: 0,
    isTarget: false,
    reason: '',
    ...given,
  }
}

export function update(given: Partial<EntryOf<'update'>>): EntryOf<'update'> {
  return {
    entry: 'update',
    ...WHERE,
    session: 's1',
    gold: 'g1',
    text: 'Ana plays the viola now.',
    originals: ['Ana plays the cello.'],
    type: 'persona',
    retrieved: ['Plays the cello.'],
    outcome: 'omitted',
    reason: '',
    milliseconds: 1,
    ...given,
  }
}

export function answer(given: Partial<EntryOf<'answer'>>): EntryOf<'answer'> {
  return {
    entry: 'answer',
    ...WHERE,
    question: 'q1',
    category: 'single-hop',
    text: 'What does Ana play?',
    reference: 'the cello',
    keyPoints: [],
    answerable: true,
    answer: 'cello',
    abstained: false,
    confidence: null,
    context: '',
    retrieved: [],
    outcome: 'correct',
    reason: '',
    lost: null,
    overlap: {},
    contextTokens: 100,
    inputTokens: 120,
    outputTokens: 4,
    retrieveMs: 2,
    answerMs: 10,
    failure: null,
    ...given,
  }
}

export function probe(given: Partial<EntryOf<'probe'>>): EntryOf<'probe'> {
  return {
    entry: 'probe',
    ...WHERE,
    question: 'q1',
    category: 'probe',
    text: 'What does Ana play?',
    choices: ['cello', 'viola', 'horn', 'none'],
    correct: 0,
    chosen: 0,
    retrieved: [],
    context: '',
    failure: null,
    ...given,
  }
}

export function operation(given: Partial<EntryOf<'operation'>>): EntryOf<'operation'> {
  return {
    entry: 'operation',
    ...WHERE,
    gold: { turn: 't1', kind: 'none', target: null, text: null },
    actual: [],
    typeCorrect: true,
    indexCorrect: null,
    contentCorrect: null,
    reason: '',
    ...given,
  }
}

export function label(given: Partial<EntryOf<'label'>>): EntryOf<'label'> {
  return {
    entry: 'label',
    ...WHERE,
    label: 'l1',
    text: 'Ana plays the cello',
    memory: 'Plays the cello.',
    overlap: {},
    memScore: null,
    reason: '',
    ...given,
  }
}

export function retrieval(given: Partial<EntryOf<'retrieval'>>): EntryOf<'retrieval'> {
  return {
    entry: 'retrieval',
    ...WHERE,
    question: 'q1',
    category: 'single-hop',
    text: 'What does Ana play?',
    answerable: true,
    confidence: 0.5,
    milliseconds: 3,
    units: [],
    evidence: ['t1'],
    scores: {},
    failure: null,
    ...given,
  }
}

export function ingestion(given: Partial<EntryOf<'ingestion'>>): EntryOf<'ingestion'> {
  return { entry: 'ingestion', ...WHERE, session: 's1', turns: 2, milliseconds: 10, failure: null, ...given }
}

export function done(given: Partial<EntryOf<'done'>>): EntryOf<'done'> {
  const usage = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }
  return { entry: 'done', ...WHERE, usage, ingestMs: 0, memories: 0, milliseconds: 0, ...given }
}
