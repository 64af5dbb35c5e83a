// Recalls from the scopes of several people at once.
import {
  InvalidInputError,
  describeValue,
  readName,
  requireKnownOptions,
  type CountTokens,
} from '@keepsake/text'
import {
  RECALL_OPTIONS,
  type Answerable,
  type Recall,
  type RecallContext,
  type RecallOptions,
  type RecalledMemory,
} from '../retrieval/recall-types.ts'
import { readScopeKey, type ScopeKey } from '../scopes/scope.ts'

/** The scope of one person of a shared talk, and the person's name in the context. */
export interface AcrossScope extends ScopeKey {
  /** The user when absent. */
  readonly name?: string
}

/** A memory, and the place of its scope. */
export interface AcrossMemory extends RecalledMemory {
  /** Index of the scope in the list of the question. */
  readonly of: number
}

/** The answers of several scopes to one question. */
export interface AcrossRecall {
  readonly question: string
  /** Each scope's own recall, in the order they were named. */
  readonly scopes: readonly { readonly key: ScopeKey; readonly name: string; readonly recall: Recall }[]
  /** All found memories, best first. Memories of a recall with a higher confidence rank higher. */
  readonly memories: readonly AcrossMemory[]
  /** A part for each scope with memories, under its name, within the budget. */
  readonly context: RecallContext
  /** The highest confidence of the scopes. */
  readonly confidence: number
  /** The surest answer of the scopes. */
  readonly answerable: Answerable | null
  /** Whether `answerable` is `yes`. */
  readonly known: boolean
  readonly milliseconds: number
}

const SCOPE_OPTIONS: readonly (keyof AcrossScope)[] = ['tenant', 'user', 'agent', 'app', 'name']
const DEFAULT_TOKENS = 1_000
const SUREST_FIRST = ['yes', 'maybe', 'no'] as const satisfies readonly Answerable[]
/** Maximum number of scopes, for a talk of many people. */
const MAX_SCOPES = 32

interface AcrossQuestion {
  readonly scopes: readonly AcrossScope[]
  readonly question: string
  readonly recallOf: (key: ScopeKey, options: RecallOptions) => Promise<Recall>
  readonly countTokens: CountTokens
}

interface NamedScope {
  readonly key: ScopeKey
  readonly name: string
}

/** Recalls from several scopes, one by one, and joins the results. */
export async function recallAcross(
  { scopes, question, recallOf, countTokens: defaultCounter }: AcrossQuestion,
  options: RecallOptions,
): Promise<AcrossRecall> {
  const started = performance.now()
  const scopesRead = readScopes(scopes)
  requireKnownOptions(options, RECALL_OPTIONS, 'recallAcross()')
  const { tokens = DEFAULT_TOKENS, countTokens = defaultCounter } = options
  const headings = scopesRead.map(({ name }) => `${name}:`)
  const tokensLeft = tokens - headings.reduce((sum, heading) => sum + countTokens(`${heading}\n\n`), 0)
  const tokensPerScope = Math.max(1, Math.floor(tokensLeft / scopesRead.length))
  const recalls = await Promise.all(
    scopesRead.map(async ({ key }) => recallOf(key, { ...options, tokens: tokensPerScope })),
  )
  const found = recalls.map((recall, of) => ({ recall, of }))
  return {
    question,
    scopes: scopesRead.map((scopeRead, of) => ({ ...scopeRead, recall: recalls[of] as Recall })),
    memories: mergeMemories(found),
    context: joinContexts(found, { headings, tokens, countTokens }),
    confidence: Math.max(...recalls.map(({ confidence }) => confidence)),
    answerable: SUREST_FIRST.find((answer) => recalls.some((recall) => recall.answerable === answer)) ?? null,
    known: recalls.some(({ known }) => known),
    milliseconds: performance.now() - started,
  }
}

function readScopes(scopes: readonly AcrossScope[]): NamedScope[] {
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > MAX_SCOPES)
    throw new InvalidInputError(
      `recallAcross() takes a list of 1 to ${MAX_SCOPES} scopes, but it got ${describeValue(scopes)}.`,
    )
  const known = new Set<string>()
  return (scopes as readonly AcrossScope[]).map((scope, index) => {
    requireKnownOptions(scope, SCOPE_OPTIONS, `scopes[${index}]`)
    const { name, ...key } = scope
    const id = JSON.stringify(Object.values(readScopeKey(key)))
    if (known.has(id)) throw new InvalidInputError(`scopes[${index}] names a scope that is named before it.`)
    known.add(id)
    return { key, name: name === undefined ? key.user : readName(name, `scopes[${index}].name`) }
  })
}

/** The recall of one scope, with the index of the scope. */
interface ScopeRecall {
  readonly recall: Recall
  readonly of: number
}

/** Orders memories of several recalls. Their scores are not comparable, so each counts as a share of its recall's best, times the confidence. */
function mergeMemories(found: readonly ScopeRecall[]): AcrossMemory[] {
  const weighed = found.flatMap(({ recall, of }) => {
    const best = Math.max(...recall.memories.map(({ score }) => score), Number.MIN_VALUE)
    return recall.memories.map((memory) => ({
      memory: { ...memory, of },
      weight: recall.confidence * (memory.score / best),
    }))
  })
  return weighed.sort((a, b) => b.weight - a.weight).map(({ memory }) => memory)
}

interface TextBudget {
  readonly headings: readonly string[]
  readonly tokens: number
  readonly countTokens: CountTokens
}

/** Joins the contexts of scopes, each under the name of its scope, within the budget. */
function joinContexts(found: readonly ScopeRecall[], budget: TextBudget): RecallContext {
  const { headings, tokens, countTokens } = budget
  const parts = found.filter(({ recall }) => recall.context.text !== '')
  const textOf = (recalls: readonly ScopeRecall[]): string =>
    recalls.map(({ recall, of }) => `${headings[of] ?? ''}\n${recall.context.text}`).join('\n\n')
  // A counter may find more tokens in the whole text than in its parts. The last parts are then left out.
  while (parts.length > 0 && countTokens(textOf(parts)) > tokens) parts.pop()
  const text = textOf(parts)
  const shown = parts.flatMap(({ recall }) => recall.context.shown)
  return { text, tokens: text === '' ? 0 : countTokens(text), memories: shown.length, shown }
}
