import type { Draw } from '@keepsake/bench/parts'
import { asClause, fillTemplate, joinSentences, sentenceCase, type Slots } from './fill-template.ts'
import type { Material } from './read-material.ts'
import type { BySplit, Split } from './fact-kinds.ts'

/** Shares of rounds with an opening before the statement, and with a remark after it. */
const SHARE_WITH_OPENER = 0.4
const SHARE_WITH_CLOSER = 0.25

interface VoiceOptions {
  readonly draw: Draw
  readonly material: Material
  readonly split: Split
  /** Values for the places of all sentences; `who` is the name in memory texts. */
  readonly slots: Slots & { readonly who: string }
}

/** Makes the sentences of one person by filling the templates of a split with facts. */
export class Voice {
  readonly draw: Draw
  readonly material: Material
  readonly split: Split
  readonly who: string
  /** Ids of the templates that were used: `city/tell/test/1`. */
  readonly used = new Set<string>()
  readonly #slots: Slots
  /** Indexes of the templates that are still to be drawn, by deck. */
  readonly #decks = new Map<string, number[]>()

  constructor({ draw, material, split, slots }: VoiceOptions) {
    this.draw = draw
    this.material = material
    this.split = split
    this.who = slots.who
    this.#slots = slots
  }

  /** Fills a template for use within a sentence. */
  phrase(template: string, slots: Slots = {}): string {
    return fillTemplate(template, { ...this.#slots, ...slots })
  }

  sentence(template: string, slots: Slots = {}): string {
    return sentenceCase(this.phrase(template, slots), this.material.language)
  }

  /** Draws a template and fills it. As with a deck of cards, a template is drawn again only after all others of its deck. */
  say(templates: BySplit, deckId: string, slots: Slots = {}): string {
    const choices = templates[this.split]
    const remaining = this.#decks.get(deckId) ?? []
    const deck = remaining.length > 0 ? remaining : this.draw.shuffled(choices.map((_, index) => index))
    const index = deck.pop() ?? 0
    this.#decks.set(deckId, deck)
    this.used.add(`${deckId}/${this.split}/${index}`)
    return this.sentence(choices[index] ?? '', slots)
  }

  /** Joins sentences as the language writes them. Leaves out empty ones. */
  join(...sentences: readonly string[]): string {
    return joinSentences(sentences, this.material.language)
  }

  /** Asks for the outcome of a change. The answer is the new fact (`after`), or that the old one has ended (`gone`). */
  askChange(change: { ask: string; after: string } | { before: string; gone: string }) {
    const { now, still, stillNo } = this.material.words.frames
    return 'gone' in change
      ? {
          question: this.phrase(still, { claim: asClause(change.before) }),
          answer: this.phrase(stillNo, { memory: change.gone }),
        }
      : { question: this.phrase(now, { ask: change.ask }), answer: change.after }
  }

  /** Returns a function that sometimes adds small talk before and after a text. It uses each phrase once. */
  smallTalk(): (text: string) => string {
    const { draw, split } = this
    const { words } = this.material
    const openers = draw.shuffled(words.openers[split])
    const closers = draw.shuffled(words.closers[split])
    return (text) => {
      const opener = draw.chance(SHARE_WITH_OPENER) ? (openers.pop() ?? '') : ''
      const closer = draw.chance(SHARE_WITH_CLOSER) ? (closers.pop() ?? '') : ''
      return this.join(opener, text, closer)
    }
  }
}
