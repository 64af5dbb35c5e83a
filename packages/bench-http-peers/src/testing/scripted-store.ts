/** A memory of a scripted service. Every message of a user becomes one, without changes. */
export interface StoredMemory {
  readonly id: string
  readonly text: string
  /** Its origin, as the service reports it: the id of a session, a document or a message. */
  readonly source: string
}

/** The data of a scripted service: users, memories, and additions in processing. */
export class ScriptedStore {
  readonly users = new Map<string, StoredMemory[]>()
  /** So many requests for the state of an addition get the answer that it is still in processing. Infinity: all of them. */
  pollsNeeded = 0
  readonly #inProcessing = new Map<string, { pollsLeft: number; finish: () => void }>()
  #ids = 0

  /** Returns a new id: `m1`, `m2` and so on. */
  newId(prefix = 'm'): string {
    this.#ids += 1
    return `${prefix}${this.#ids}`
  }

  memoriesOf(user: string): readonly StoredMemory[] {
    return this.users.get(user) ?? []
  }

  /** Stores texts as memories of a user. */
  add(user: string, texts: readonly string[], source: string): readonly StoredMemory[] {
    const memories = texts.map((text) => ({ id: this.newId(), text, source }))
    this.users.set(user, [...this.memoriesOf(user), ...memories])
    return memories
  }

  /** Adds a user without memories, if the user is new. */
  addUser(user: string): void {
    this.users.set(user, [...this.memoriesOf(user)])
  }

  /** Starts the processing of an addition. Runs `finish` at its end. */
  process(id: string, finish: () => void): void {
    if (this.pollsNeeded === 0) finish()
    else this.#inProcessing.set(id, { pollsLeft: this.pollsNeeded, finish })
  }

  /** Reports whether an addition is processed. */
  poll(id: string): boolean {
    const addition = this.#inProcessing.get(id)
    if (addition === undefined) return true
    if (addition.pollsLeft > 0) {
      addition.pollsLeft -= 1
      return false
    }
    this.#inProcessing.delete(id)
    addition.finish()
    return true
  }

  /** Finds the memories that share a word with the query. Those with the most words of the query come first. */
  search(user: string, query: string, limit = Infinity): readonly (StoredMemory & { score: number })[] {
    const queryWords = wordsOf(query)
    return this.memoriesOf(user)
      .map((memory) => {
        const words = new Set(wordsOf(memory.text))
        const shared = queryWords.filter((word) => words.has(word)).length
        return { ...memory, score: shared / queryWords.length }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

interface Message {
  readonly role: string
  readonly content: string
}

export function textsByUser(messages: readonly Message[]): readonly string[] {
  return messages.filter((message) => message.role === 'user').map((message) => message.content)
}
