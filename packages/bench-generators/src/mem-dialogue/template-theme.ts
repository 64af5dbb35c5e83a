import { seededDraw } from '../draw.ts'
import { asClause, definite, type Slots } from '../material/fill-template.ts'
import type { Material, Theme, ThemeKindId } from '../material/read-material.ts'
import type { FactKind, Split } from '../material/told-kind.ts'
import { Voice } from '../material/voice.ts'
import { insertConflicts, planConflicts, type PlannedConflict } from './plan-conflicts.ts'
import { MEMORIES_PER_THEME, type ThemeRecord } from './theme-record.ts'
import { lastingConflicts, writeTheme, type ThemePair } from './write-theme.ts'

export interface TemplateThemeOptions {
  readonly theme: Theme
  /** Its place among the themes, from 0. */
  readonly place: number
  readonly seed: number
  readonly split: Split
  readonly material: Material
}

/** A memory of a theme: its kind, the values it goes through, and which of them holds. */
interface PlannedMemory {
  readonly id: string
  readonly kind: FactKind
  readonly values: readonly string[]
  state: number
}

interface Context {
  readonly voice: Voice
  readonly around: (text: string) => string
}

/** Which share of deletions is a request to forget; the others say that it is no longer so. */
const SHARE_OF_REQUESTS = 0.4
/** Which share of what is told is answered by its kind's own reply. */
const SHARE_OF_OWN_REPLIES = 0.6

/** Makes one theme without a language model. */
export function templateTheme({ theme, place, seed, split, material }: TemplateThemeOptions): {
  record: ThemeRecord
  templates: ReadonlySet<string>
} {
  const draw = seededDraw(seed, place)
  const [who] = draw.pick(material.words.names)
  const voice = new Voice({ draw, material, split, slots: { who, theme: theme.name } })
  const context = { voice, around: voice.smallTalk() }
  const planned = planMemories(voice, theme)
  const memories = planned.map((memory) => ({ id: memory.id, text: stateText(voice, memory) }))
  const base = planned.map((memory) => tellPair(context, memory))
  const plan = planConflicts(
    draw,
    planned.map((memory) => changeable(memory, split)),
  )
  const flow = insertConflicts(
    draw,
    base,
    plan.map((conflict) => conflictPair(context, conflict, planned)),
  )
  const operation = draw.pick(lastingConflicts(flow))
  const question = { ...askAbout(voice, planned, flow[operation]), operation }
  const header = { theme: theme.name, place, language: material.language, split, user: who }
  return { record: writeTheme(draw, { ...header, memories, flow, question }), templates: voice.used }
}

/** The four things told of the theme, and six of the person's life. */
function planMemories({ draw, material }: Voice, theme: Theme): PlannedMemory[] {
  const ofTheme = material.themeFacts.map((kind) => ({ kind, values: theme.values[kind.id as ThemeKindId] }))
  const ofPerson = draw
    .shuffled(material.facts.filter(({ repeatable }) => !repeatable))
    .slice(0, MEMORIES_PER_THEME - ofTheme.length)
    .map((kind) => ({ kind, values: draw.shuffled(kind.values) }))
  const all = draw.shuffled([...ofTheme, ...ofPerson])
  return all.map((memory, index) => ({ id: `m${index + 1}`, ...memory, state: 0 }))
}

function changeable({ id, kind, values }: PlannedMemory, split: Split) {
  const modifications = kind.change[split].length === 0 ? 0 : values.length - 1
  return { id, modifications, deletable: kind.gone !== undefined }
}

function slotsOf({ material }: Voice, { values }: PlannedMemory, state: number): Slots {
  const old = values[state - 1] ?? ''
  return { value: values[state] ?? '', old, the: definite(old, material.language) }
}

function stateText(voice: Voice, memory: PlannedMemory): string {
  return voice.sentence(memory.kind.memory, slotsOf(voice, memory, memory.state))
}

function tellPair({ voice, around }: Context, memory: PlannedMemory): ThemePair {
  const { id, kind } = memory
  const { draw, material } = voice
  const user = around(voice.say(kind.tell, `${kind.id}/tell`, slotsOf(voice, memory, 0)))
  const agent = draw.chance(SHARE_OF_OWN_REPLIES) ? kind.reply : draw.pick(material.words.replies.add)
  return { memory: id, kind: 'add', before: null, after: stateText(voice, memory), user, agent }
}

function conflictPair(
  { voice, around }: Context,
  { memory: id, kind }: PlannedConflict,
  memories: readonly PlannedMemory[],
): ThemePair {
  const memory = memories.find((one) => one.id === id)
  if (memory === undefined) throw new RangeError(`There is no memory ${id}.`)
  const before = stateText(voice, memory)
  const slots = slotsOf(voice, memory, memory.state + 1)
  const agent = voice.draw.pick(voice.material.words.replies[kind])
  if (kind === 'delete')
    return { memory: id, kind, before, after: null, user: around(dropText(voice, memory.kind, slots)), agent }
  memory.state += 1
  const user = around(voice.say(memory.kind.change, `${memory.kind.id}/change`, slots))
  return { memory: id, kind, before, after: stateText(voice, memory), user, agent }
}

function dropText(voice: Voice, kind: FactKind, slots: Slots): string {
  const { draw, material, split } = voice
  const isRequest = kind.drop[split].length === 0 || draw.chance(SHARE_OF_REQUESTS)
  return isRequest
    ? voice.say(material.words.forget, 'forget', { ...slots, topic: kind.topic })
    : voice.say(kind.drop, `${kind.id}/drop`, slots)
}

function askAbout(voice: Voice, memories: readonly PlannedMemory[], pair: ThemePair | undefined) {
  const memory = memories.find(({ id }) => id === pair?.memory)
  if (pair === undefined || memory === undefined) throw new RangeError('There is no conflict to ask about.')
  const { frames } = voice.material.words
  const { kind, values, state } = memory
  if (pair.after !== null)
    return { question: voice.phrase(frames.now, { ask: voice.phrase(kind.ask) }), answer: pair.after }
  const gone = voice.phrase(kind.gone ?? '', { value: values[state] ?? '' })
  return {
    question: voice.phrase(frames.still, { claim: asClause(pair.before ?? '') }),
    answer: voice.phrase(frames.stillNo, { memory: gone }),
  }
}
