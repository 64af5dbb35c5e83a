/** A memory that a scripted service keeps: every message of a user becomes one, as it is. */
export interface KeptMemory {
  readonly id: string
  readonly text: string
  /** What the service tells of where it came from: a session, a document, a message. */
  readonly source: string
}

/** What the scripted services have in common: users, memories, processing that takes a few looks, search. */
export class ScriptedStore {
  readonly users = new Map<string, KeptMemory[]>()
  /** How many looks at an addition's state find it still under way; infinite: it never ends. */
  looksNeeded = 0
  readonly #underWay = new Map<string, { looksLeft: number; finish: () => void }>()
  #ids = 0

  /** Ids as `m1`, `m2`, … in the order in which they are asked for. */
  newId(prefix = 'm'): string {
    this.#ids += 1
    return `${prefix}${this.#ids}`
  }

  memoriesOf(user: string): readonly KeptMemory[] {
    return this.users.get(user) ?? []
  }

  keep(user: string, texts: readonly string[], source: string): readonly KeptMemory[] {
    const memories = texts.map((text) => ({ id: this.newId(), text, source }))
    this.users.set(user, [...this.memoriesOf(user), ...memories])
    return memories
  }

  /** A user without memories, unless there is one. */
  meet(user: string): void {
    this.users.set(user, [...this.memoriesOf(user)])
  }

  /** Runs `finish` once the addition was looked at often enough. */
  process(id: string, finish: () => void): void {
    if (this.looksNeeded === 0) finish()
    else this.#underWay.set(id, { looksLeft: this.looksNeeded, finish })
  }

  look(id: string): boolean {
    const addition = this.#underWay.get(id)
    if (addition === undefined) return true
    if (addition.looksLeft > 0) {
      addition.looksLeft -= 1
      return false
    }
    this.#underWay.delete(id)
    addition.finish()
    return true
  }

  /** Those that share a word with the query, the largest share of its words first. */
  search(user: string, query: string, limit = Infinity): readonly (KeptMemory & { score: number })[] {
    const asked = wordsOf(query)
    return this.memoriesOf(user)
      .map((memory) => {
        const said = new Set(wordsOf(memory.text))
        return { ...memory, score: asked.filter((word) => said.has(word)).length / asked.length }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

interface Spoken {
  readonly role: string
  readonly content: string
}

export function saidByUser(messages: readonly Spoken[]): readonly string[] {
  return messages.filter((message) => message.role === 'user').map((message) => message.content)
}
