import { seededDraw, type Draw } from '../draw.ts'
import type { FactKind, Split } from '../material/fact-kind.ts'
import {
  asClause,
  definite,
  fillTemplate,
  sentenceCase,
  speaker,
  type Slots,
  type Speak,
} from '../material/fill-template.ts'
import { smallTalk, type SmallTalk } from '../material/small-talk.ts'
import type { Material, Theme, ThemeKindId } from '../material/read-material.ts'
import { insertConflicts, planConflicts, type PlannedConflict } from './plan-conflicts.ts'
import { MEMORIES_PER_THEME, type ThemeRecord } from './theme-record.ts'
import { lastingConflicts, startOfTheme, writeTheme, type ThemePair } from './write-theme.ts'

export interface TemplateThemeOptions {
  readonly theme: Theme
  /** Its place among the themes, from 0. */
  readonly place: number
  readonly seed: number
  readonly split: Split
  readonly material: Material
}

/** A memory of a theme: its kind, and the values it goes through. */
interface PlannedMemory {
  readonly id: string
  readonly kind: FactKind
  readonly values: readonly string[]
}

interface Context {
  readonly draw: Draw
  readonly split: Split
  readonly material: Material
  readonly who: string
  readonly theme: string
  readonly smallTalk: SmallTalk
  readonly speak: Speak
  readonly used: string[]
}

/** Which share of deletions is a request to forget; the others say that it is no longer so. */
const SHARE_OF_REQUESTS = 0.4

/** Makes one theme without a language model. */
export function templateTheme(options: TemplateThemeOptions): { record: ThemeRecord; templates: string[] } {
  const { theme, place, seed, split, material } = options
  const draw = seededDraw(seed, place)
  const [who] = draw.pick(material.words.names)
  const context: Context = {
    draw,
    split,
    material,
    who,
    theme: theme.name,
    smallTalk: smallTalk(draw, material, split),
    speak: speaker(draw),
    used: [],
  }
  const memories = planMemories(context, theme)
  const states = new Map(memories.map((memory) => [memory.id, 0]))
  const base = memories.map((memory) => tellPair(context, memory))
  const plan = planConflicts(
    draw,
    memories.map((memory) => changeable(memory, split)),
  )
  const conflicts = plan.map((conflict) => conflictPair(context, conflict, memories, states))
  const flow = insertConflicts(draw, base, conflicts)
  const asked = draw.pick(lastingConflicts(flow))
  const record = writeTheme(
    draw,
    {
      id: `theme-${String(place + 1).padStart(3, '0')}`,
      theme: theme.name,
      language: material.language,
      split,
      user: who,
    },
    startOfTheme(place),
    memories.map((memory) => ({ id: memory.id, text: stateText(context, memory, 0) })),
    flow,
    { ...askAbout(context, memories, flow[asked]), operation: asked },
  )
  return { record, templates: context.used }
}

/** The four things told of the theme, and six of the person's life. */
function planMemories({ draw, material }: Context, theme: Theme): PlannedMemory[] {
  const ofTheme = material.themeFacts.map((kind) => ({ kind, values: theme.values[kind.id as ThemeKindId] }))
  const ofPerson = draw
    .shuffled(material.facts.filter(({ repeatable }) => !repeatable))
    .slice(0, MEMORIES_PER_THEME - ofTheme.length)
    .map((kind) => ({ kind, values: draw.shuffled(kind.values) }))
  return draw.shuffled([...ofTheme, ...ofPerson]).map((memory, index) => ({ id: `m${index + 1}`, ...memory }))
}

function changeable({ id, kind, values }: PlannedMemory, split: Split) {
  const modifications = kind.change[split].length === 0 ? 0 : values.length - 1
  return { id, modifications, deletable: kind.gone !== undefined }
}

function slots({ who, theme, material }: Context, { values }: PlannedMemory, state: number): Slots {
  const old = values[state - 1] ?? ''
  return { who, theme, value: values[state] ?? '', old, the: definite(old, material.language) }
}

function stateText(context: Context, memory: PlannedMemory, state: number): string {
  const text = fillTemplate(memory.kind.memory, slots(context, memory, state))
  return sentenceCase(text, context.material.language)
}

function say(context: Context, templates: FactKind['tell'], id: string, filled: Slots): string {
  const { split, material, used, speak, smallTalk: around } = context
  const { text, template } = speak(templates, { id, split, language: material.language, slots: filled })
  used.push(template)
  return around.wrap(text)
}

function tellPair(context: Context, memory: PlannedMemory): ThemePair {
  const { kind } = memory
  const user = say(context, kind.tell, `${kind.id}/tell`, slots(context, memory, 0))
  const agent = context.draw.chance(0.6) ? kind.reply : context.draw.pick(context.material.words.replies.add)
  return { memory: memory.id, kind: 'add', before: null, after: stateText(context, memory, 0), user, agent }
}

function conflictPair(
  context: Context,
  conflict: PlannedConflict,
  memories: readonly PlannedMemory[],
  states: Map<string, number>,
): ThemePair {
  const memory = memories.find(({ id }) => id === conflict.memory)
  if (memory === undefined) throw new RangeError(`There is no memory ${conflict.memory}.`)
  const { draw, material } = context
  const state = states.get(memory.id) ?? 0
  const before = stateText(context, memory, state)
  const filled = slots(context, memory, state + 1)
  const agent = draw.pick(material.words.replies[conflict.kind])
  if (conflict.kind === 'delete') {
    const user = dropText(context, memory.kind, filled)
    return { memory: memory.id, kind: 'delete', before, after: null, user, agent }
  }
  states.set(memory.id, state + 1)
  const user = say(context, memory.kind.change, `${memory.kind.id}/change`, filled)
  return {
    memory: memory.id,
    kind: 'modify',
    before,
    after: stateText(context, memory, state + 1),
    user,
    agent,
  }
}

function dropText(context: Context, kind: FactKind, filled: Slots): string {
  const isRequest = kind.drop[context.split].length === 0 || context.draw.chance(SHARE_OF_REQUESTS)
  return isRequest
    ? say(context, context.material.words.forget, 'forget', { ...filled, topic: kind.topic })
    : say(context, kind.drop, `${kind.id}/drop`, filled)
}

function askAbout(context: Context, memories: readonly PlannedMemory[], pair: ThemePair | undefined) {
  const memory = memories.find(({ id }) => id === pair?.memory)
  if (pair === undefined || memory === undefined) throw new RangeError('There is no conflict to ask about.')
  const { who, theme, material } = context
  const { frames } = material.words
  const ask = fillTemplate(memory.kind.ask, { who, theme })
  if (pair.after !== null) return { question: fillTemplate(frames.now, { ask }), answer: pair.after }
  const value = memory.values.find((one) => pair.before === fillBefore(context, memory, one)) ?? ''
  const gone = fillTemplate(memory.kind.gone ?? '', { who, theme, value })
  return {
    question: fillTemplate(frames.still, { claim: asClause(pair.before ?? '') }),
    answer: fillTemplate(frames.stillNo, { memory: gone }),
  }
}

function fillBefore({ who, theme, material }: Context, memory: PlannedMemory, value: string): string {
  return sentenceCase(fillTemplate(memory.kind.memory, { who, theme, value }), material.language)
}
