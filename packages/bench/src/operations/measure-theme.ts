import type { LanguageModel, Memory } from 'keepsake'
import type { Extractor, ProposedOperation, Segment } from 'keepsake/preset'
import { findPreset, operationsReader } from '@keepsake/papers'
import type { BenchConversation, DatasetTurn, GoldOperation } from '../datasets/conversation.ts'
import type { Judge } from '../judges/judge.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { attempt } from '../runs/measure/conversation-run.ts'
import { applyGoldOperation, writeOperation, type GoldState } from '../runs/measure/operations.ts'
import { openPreset, type KeepsakeMemory } from '../systems/keepsake.ts'
import type { SystemOperation } from '../systems/memory-system.ts'

/** The memories that the updater sees before each turn: the right ones (`gold`), or those that it made itself (`free`). */
export const MODES = ['gold', 'free'] as const
export type Mode = (typeof MODES)[number]

/** The models and conditions with which a theme is measured. */
export interface ThemeSetting {
  readonly model: LanguageModel
  readonly judge: Judge
  readonly language: 'en' | 'zh'
  readonly mode: Mode
  /** Token budget of the shown memories. `null`: that of the preset. */
  readonly listTokens: number | null
}

/** Measures MMM's updater on one theme of Mem_Dialogue, turn by turn. The updater is a model that changes a list of memories. */
export async function measureTheme(
  conversation: BenchConversation,
  setting: ThemeSetting,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  const [session] = conversation.sessions
  const operations = new Map((session?.operations ?? []).map((one) => [one.turn, one]))
  const watched = watchUpdater(
    makeUpdater(setting),
    setting.mode === 'gold' ? (turn) => operations.get(turn) : null,
  )
  const memory = await openMmm(conversation.user, setting.model, watched)
  const gold: GoldState = { texts: [] }
  const entryFields = { conversation: conversation.name, person: conversation.person }
  const write = (entry: LogEntry): unknown => entries.push(entry)
  try {
    const turns = session?.turns.filter(({ role }) => role === 'user') ?? []
    for (const [at, turn] of turns.entries()) {
      const operation = operations.get(turn.id)
      if (operation === undefined) continue
      const textsBefore = ((await memory.memories()) ?? []).map(({ text }) => text)
      const added = await addTurn(memory, conversation, turn, at === turns.length - 1)
      const update = watched.take()
      const actual = setting.mode === 'gold' ? (update?.proposed ?? []) : (added.value?.operations ?? [])
      const shown = { texts: (update?.shown ?? []).map(({ text }) => text), standing: textsBefore }
      const made = { operation, actual, gold, failure: added.failure, shown }
      await writeOperation({ ...setting, conversation, write }, made)
      applyGoldOperation(gold, operation)
      const fault = setting.mode === 'gold' ? await repairList(memory, operation, gold) : null
      if (fault !== null)
        write({ entry: 'failure', ...entryFields, where: `list after turn ${turn.id}`, message: fault })
    }
  } finally {
    await memory.close()
  }
  entries.push({
    entry: 'done',
    ...entryFields,
    usage: memory.usage(),
    ingestMs: 0,
    memories: null,
    milliseconds: 0,
  })
  return entries
}

function makeUpdater({ listTokens }: ThemeSetting): Extractor {
  return operationsReader(listTokens === null ? {} : { related: { list: 'whole', tokens: listTokens } })
}

/** Opens the preset with a watched updater. */
async function openMmm(
  user: string,
  model: LanguageModel,
  { extractor }: WatchedUpdater,
): Promise<KeepsakeMemory> {
  const preset = findPreset('mmm', { model: true })
  const branches = preset.branches.map((branch) =>
    branch.kind === 'facts' ? { ...branch, extractor } : branch,
  )
  return openPreset({ ...preset, branches }, { user, model, embedding: null })
}

/** Adds a user's turn with the agent's turns after it, so that the engine need not wait for a reply. */
function addTurn(
  memory: KeepsakeMemory,
  { sessions }: BenchConversation,
  turn: DatasetTurn,
  isLast: boolean,
) {
  const all = sessions[0]?.turns ?? []
  const from = all.indexOf(turn)
  const next = all.findIndex(({ role }, at) => at > from && role === 'user')
  const turns = all.slice(from, next === -1 ? undefined : next)
  return attempt(() => memory.addDialogue({ session: sessions[0]?.id ?? '', turns, endsSession: isLast }))
}

/** Repairs the list if the expected memory was not shown. @returns what is still wrong, or `null` */
async function repairList({ opened: { scope } }: KeepsakeMemory, operation: GoldOperation, gold: GoldState) {
  const { kind, target, text } = operation
  const unchanged = (await scope.memories({ forms: ['fact'] })).find((memory) => memory.text === target)
  if (unchanged !== undefined && kind === 'modify' && text !== null) await scope.edit(unchanged.id, { text })
  if (unchanged !== undefined && kind === 'delete') await scope.forget(unchanged.id)
  const texts = new Set((await scope.memories({ forms: ['fact'] })).map((memory) => memory.text))
  const missing = gold.texts.filter((goldText) => !texts.has(goldText)).length
  return missing === 0 && texts.size === new Set(gold.texts).size
    ? null
    : `The list has ${texts.size} memories where ${gold.texts.length} are right; ${missing} of these are not in it.`
}

/** The memories that an updater was shown in a round, and the operations that it proposed. */
interface WatchedUpdate {
  readonly shown: readonly Memory[]
  readonly proposed: readonly SystemOperation[]
}

interface WatchedUpdater {
  readonly extractor: Extractor
  /** Returns and clears the last update. */
  take(): WatchedUpdate | null
}

/** Wraps an updater and records its input and proposals. If `goldOf` is given, gold operations replace the proposals, so that the next list is right. */
function watchUpdater(
  updater: Extractor,
  goldOf: ((turn: string) => GoldOperation | undefined) | null,
): WatchedUpdater {
  let last: WatchedUpdate | null = null
  return {
    extractor: {
      ...updater,
      extract: async (segment, options) => {
        const shown = options?.related ?? []
        const extraction = await updater.extract(segment, options)
        const proposed = extraction.operations ?? []
        const before = last
        const made = proposed.flatMap((one) => asSystemOperation(one, shown))
        last = {
          shown: [...(before?.shown ?? []), ...shown],
          proposed: [...(before?.proposed ?? []), ...made],
        }
        if (goldOf === null) return extraction
        return { candidates: [], requests: [], operations: goldOperationsOf(segment, goldOf, shown) }
      },
    },
    take() {
      const taken = last
      last = null
      return taken
    },
  }
}

/** Converts a proposal to the harness's form. A proposal about a memory that was not shown changes nothing. */
function asSystemOperation(proposed: ProposedOperation, shown: readonly Memory[]): SystemOperation[] {
  if (proposed.kind === 'add')
    return [{ kind: 'add', memory: '', before: null, after: proposed.candidate.text }]
  const target = shown[proposed.index - 1]
  if (target === undefined) return []
  const { id: memory, text: before } = target
  return proposed.kind === 'delete'
    ? [{ kind: 'delete', memory, before, after: null }]
    : [{ kind: 'modify', memory, before, after: proposed.candidate.text }]
}

/** Lists the expected operations of a segment. A change of a memory that was not shown is left out, because it has no number. */
function goldOperationsOf(
  { turns }: Segment,
  goldOf: (turn: string) => GoldOperation | undefined,
  shown: readonly Memory[],
): ProposedOperation[] {
  return turns.flatMap(({ id: turn, at }): ProposedOperation[] => {
    const gold = goldOf(turn)
    if (gold === undefined || gold.kind === 'none') return []
    const index = shown.findIndex(({ text }) => text === gold.target) + 1
    const evidence = [{ turn, quote: null }]
    if (gold.kind === 'delete')
      return index === 0 ? [] : [{ kind: 'delete', index, why: 'no-longer-so', at, evidence }]
    const candidate = makeCandidate(gold.text ?? '', at, evidence)
    if (gold.kind === 'add') return [{ kind: 'add', candidate }]
    return index === 0 ? [] : [{ kind: 'modify', index, candidate }]
  })
}

type Candidate = Extract<ProposedOperation, { kind: 'add' }>['candidate']

function makeCandidate(text: string, validFrom: number, evidence: Candidate['evidence']): Candidate {
  return {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text,
    searchWords: '',
    key: null,
    value: null,
    level: 0,
    evidence,
    validFrom,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
}
