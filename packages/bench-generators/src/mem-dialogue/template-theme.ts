import { definite, type Slots } from '../material/fill-template.ts'
import type { Theme, ThemeKindId } from '../material/read-material.ts'
import type { FactKind } from '../material/fact-kinds.ts'
import type { Voice } from '../material/voice.ts'
import type { ThemePair, ThemeWriter } from './make-theme.ts'
import { MEMORIES_PER_THEME } from './theme-record.ts'

/** A memory of a theme. */
interface PlannedMemory {
  readonly id: string
  readonly kind: FactKind
  /** Its values, one after the other. */
  readonly values: readonly string[]
  /** Index of the current value. */
  state: number
}

/** Share of deletions in which the user asks to forget the fact. In the others the user states that it has ended. */
const SHARE_OF_REQUESTS = 0.4
/** Share of facts that the agent answers with their kind's own reply. */
const SHARE_OF_OWN_REPLIES = 0.6

/** Makes a writer that uses templates. */
export function templateTheme(voice: Voice, theme: Theme): ThemeWriter {
  const { draw, split } = voice
  const { replies } = voice.material.words
  const addSmallTalk = voice.smallTalk()
  const planned = new Map(planMemories(voice, theme).map((memory) => [memory.id, memory]))
  const memoryOf = (id: string): PlannedMemory => {
    const memory = planned.get(id)
    if (memory === undefined) throw new RangeError(`There is no memory ${id}.`)
    return memory
  }
  return {
    memories: [...planned.values()].map((memory) => ({
      id: memory.id,
      text: stateText(voice, memory),
      modifications: memory.kind.change[split].length === 0 ? 0 : memory.values.length - 1,
      deletable: memory.kind.gone !== undefined,
    })),
    tell(id) {
      const memory = memoryOf(id)
      const { kind } = memory
      const user = addSmallTalk(voice.say(kind.tell, `${kind.id}/tell`, slotsOf(voice, memory, 0)))
      const agent = draw.chance(SHARE_OF_OWN_REPLIES) ? kind.reply : draw.pick(replies.add)
      return { memory: id, kind: 'add', before: null, after: stateText(voice, memory), user, agent }
    },
    change({ memory: id, kind }) {
      const memory = memoryOf(id)
      const before = stateText(voice, memory)
      const slots = slotsOf(voice, memory, memory.state + 1)
      const agent = draw.pick(replies[kind])
      if (kind === 'delete') {
        const user = addSmallTalk(deletionText(voice, memory.kind, slots))
        return { memory: id, kind, before, after: null, user, agent }
      }
      memory.state += 1
      const user = addSmallTalk(voice.say(memory.kind.change, `${memory.kind.id}/change`, slots))
      return { memory: id, kind, before, after: stateText(voice, memory), user, agent }
    },
    ask: (pair) => askAbout(voice, memoryOf(pair.memory), pair),
  }
}

function askAbout(voice: Voice, { kind, values, state }: PlannedMemory, { before, after }: ThemePair) {
  if (after !== null) return voice.askChange({ ask: voice.phrase(kind.ask), after })
  const endedText = voice.phrase(kind.gone ?? '', { value: values[state] ?? '' })
  return voice.askChange({ before: before ?? '', gone: endedText })
}

/** Chooses the theme's four facts and six facts of the user's life. */
function planMemories({ draw, material }: Voice, theme: Theme): PlannedMemory[] {
  const themeFacts = material.themeFacts.map((kind) => ({
    kind,
    values: theme.values[kind.id as ThemeKindId],
  }))
  const lifeFacts = draw
    .shuffled(material.facts.filter(({ repeatable }) => !repeatable))
    .slice(0, MEMORIES_PER_THEME - themeFacts.length)
    .map((kind) => ({ kind, values: draw.shuffled(kind.values) }))
  const all = draw.shuffled([...themeFacts, ...lifeFacts])
  return all.map((memory, index) => ({ id: `m${index + 1}`, ...memory, state: 0 }))
}

function slotsOf({ material }: Voice, { values }: PlannedMemory, state: number): Slots {
  const old = values[state - 1] ?? ''
  return { value: values[state] ?? '', old, the: definite(old, material.language) }
}

function stateText(voice: Voice, memory: PlannedMemory): string {
  return voice.sentence(memory.kind.memory, slotsOf(voice, memory, memory.state))
}

function deletionText(voice: Voice, kind: FactKind, slots: Slots): string {
  const { draw, material, split } = voice
  const isRequest = kind.drop[split].length === 0 || draw.chance(SHARE_OF_REQUESTS)
  return isRequest
    ? voice.say(material.words.forget, 'forget', { ...slots, topic: kind.topic })
    : voice.say(kind.drop, `${kind.id}/drop`, slots)
}
