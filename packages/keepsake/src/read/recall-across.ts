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

/** One of those who share a talk, and what the context calls them. */
export interface AcrossScope extends ScopeKey {
  /** The user when absent. */
  readonly name?: string
}

/** A memory, and whose it is. */
export interface AcrossMemory extends RecalledMemory {
  /** Place of the scope among those that were asked. */
  readonly of: number
}

/** What several memories hold on one question. */
export interface AcrossRecall {
  readonly question: string
  /** Each scope's own recall, in the order they were named. */
  readonly scopes: readonly { readonly key: ScopeKey; readonly name: string; readonly recall: Recall }[]
  /** All that was found, best first: the surer a user's recall, the higher its memories rank. */
  readonly memories: readonly AcrossMemory[]
  /** A part for each who is known to have said something of it, under their name; within the budget. */
  readonly context: RecallContext
  /** The greatest of the scopes'. */
  readonly confidence: number
  /** The surest answer of the scopes’. */
  readonly answerable: Answerable | null
  /** Whether `answerable` is `yes`. */
  readonly known: boolean
  readonly milliseconds: number
}

const SCOPE_OPTIONS: readonly (keyof AcrossScope)[] = ['tenant', 'user', 'agent', 'app', 'name']
const USUAL_TOKENS = 1_000
const SUREST_FIRST = ['yes', 'maybe', 'no'] as const satisfies readonly Answerable[]
/** As many as talk with one another. */
const MOST_SCOPES = 32

interface Asking {
  readonly scopes: readonly AcrossScope[]
  readonly question: string
  readonly recallOf: (key: ScopeKey, options: RecallOptions) => Promise<Recall>
  readonly countTokens: CountTokens
}

interface Asked {
  readonly key: ScopeKey
  readonly name: string
}

/** Asks several memories one question, each by itself. */
export async function recallAcross(
  { scopes, question, recallOf, countTokens: usual }: Asking,
  options: RecallOptions,
): Promise<AcrossRecall> {
  const started = performance.now()
  const scopesRead = readScopes(scopes)
  requireKnownOptions(options, RECALL_OPTIONS, 'recallAcross()')
  const { tokens = USUAL_TOKENS, countTokens = usual } = options
  const heads = scopesRead.map(({ name }) => `${name}:`)
  const room = tokens - heads.reduce((sum, head) => sum + countTokens(`${head}\n\n`), 0)
  const share = Math.max(1, Math.floor(room / scopesRead.length))
  const recalls = await Promise.all(
    scopesRead.map(async ({ key }) => recallOf(key, { ...options, tokens: share })),
  )
  const found = recalls.map((recall, of) => ({ recall, of }))
  return {
    question,
    scopes: scopesRead.map((scopeRead, of) => ({ ...scopeRead, recall: recalls[of] as Recall })),
    memories: inOneOrder(found),
    context: inOneText(found, { heads, tokens, countTokens }),
    confidence: Math.max(...recalls.map(({ confidence }) => confidence)),
    answerable: SUREST_FIRST.find((one) => recalls.some(({ answerable }) => answerable === one)) ?? null,
    known: recalls.some(({ known }) => known),
    milliseconds: performance.now() - started,
  }
}

function readScopes(scopes: readonly AcrossScope[]): Asked[] {
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > MOST_SCOPES)
    throw new InvalidInputError(
      `recallAcross() takes a list of 1 to ${MOST_SCOPES} scopes, but it got ${describeValue(scopes)}.`,
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

interface Found {
  readonly recall: Recall
  readonly of: number
}

/** Scores compare within one recall alone; across several they go by their share of its best, and by how sure it is. */
function inOneOrder(found: readonly Found[]): AcrossMemory[] {
  const weighed = found.flatMap(({ recall, of }) => {
    const best = Math.max(...recall.memories.map(({ score }) => score), Number.MIN_VALUE)
    return recall.memories.map((memory) => ({
      memory: { ...memory, of },
      weight: recall.confidence * (memory.score / best),
    }))
  })
  return weighed.sort((a, b) => b.weight - a.weight).map(({ memory }) => memory)
}

interface Telling {
  readonly heads: readonly string[]
  readonly tokens: number
  readonly countTokens: CountTokens
}

function inOneText(found: readonly Found[], { heads, tokens, countTokens }: Telling): RecallContext {
  const parts = found.filter(({ recall }) => recall.context.text !== '')
  const textOf = (some: readonly Found[]): string =>
    some.map(({ recall, of }) => `${heads[of] ?? ''}\n${recall.context.text}`).join('\n\n')
  // A counter may find more in the whole than in its parts.
  while (parts.length > 0 && countTokens(textOf(parts)) > tokens) parts.pop()
  const text = textOf(parts)
  const shown = parts.flatMap(({ recall }) => recall.context.shown)
  return { text, tokens: text === '' ? 0 : countTokens(text), memories: shown.length, shown }
}
