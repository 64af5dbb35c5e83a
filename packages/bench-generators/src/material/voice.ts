import type { Draw } from '@keepsake/bench/parts'
import { asClause, fillTemplate, joinSentences, sentenceCase, type Slots } from './fill-template.ts'
import type { Material } from './read-material.ts'
import type { BySplit, Split } from './fact-kinds.ts'

/** The share of rounds with an opening before the subject, or an aside after it. */
const SHARE_OPENED = 0.4
const SHARE_CLOSED = 0.25

interface VoiceOptions {
  readonly draw: Draw
  readonly material: Material
  readonly split: Split
  /** Words for the places of any sentence: `who`, the name in what is remembered, and others. */
  readonly slots: Slots & { readonly who: string }
}

/** One person's way of talking: sentences of a split, filled with facts. */
export class Voice {
  readonly draw: Draw
  readonly material: Material
  readonly split: Split
  readonly who: string
  /** Ids of the templates that were used: `city/tell/test/1`. */
  readonly used = new Set<string>()
  readonly #slots: Slots
  readonly #decks = new Map<string, number[]>()

  constructor({ draw, material, split, slots }: VoiceOptions) {
    this.draw = draw
    this.material = material
    this.split = split
    this.who = slots.who
    this.#slots = slots
  }

  /** A template with its places filled, to stand within a sentence. */
  phrase(template: string, slots: Slots = {}): string {
    return fillTemplate(template, { ...this.#slots, ...slots })
  }

  sentence(template: string, slots: Slots = {}): string {
    return sentenceCase(this.phrase(template, slots), this.material.language)
  }

  /** Draws and fills one of the split's templates; it is reused only after all others of its deck. */
  say(templates: BySplit, deck: string, slots: Slots = {}): string {
    const choices = templates[this.split]
    const open = this.#decks.get(deck) ?? []
    const left = open.length > 0 ? open : this.draw.shuffled(choices.map((_, index) => index))
    const index = left.pop() ?? 0
    this.#decks.set(deck, left)
    this.used.add(`${deck}/${this.split}/${index}`)
    return this.sentence(choices[index] ?? '', slots)
  }

  /** Sentences one after the other, as the language writes them; empty ones are left out. */
  join(...sentences: readonly string[]): string {
    return joinSentences(sentences, this.material.language)
  }

  /** A question about the outcome of a change, and its answer: what holds now, or that it is `gone`. */
  askChange(change: { ask: string; after: string } | { before: string; gone: string }) {
    const { now, still, stillNo } = this.material.words.frames
    return 'gone' in change
      ? {
          question: this.phrase(still, { claim: asClause(change.before) }),
          answer: this.phrase(stillNo, { memory: change.gone }),
        }
      : { question: this.phrase(now, { ask: change.ask }), answer: change.after }
  }

  /** Puts small talk around what is said, now and then, for one talk, in which no one opens twice with the same words. */
  smallTalk(): (text: string) => string {
    const { draw, split } = this
    const { words } = this.material
    const openers = draw.shuffled(words.openers[split])
    const closers = draw.shuffled(words.closers[split])
    return (text) => {
      const opener = draw.chance(SHARE_OPENED) ? (openers.pop() ?? '') : ''
      const closer = draw.chance(SHARE_CLOSED) ? (closers.pop() ?? '') : ''
      return this.join(opener, text, closer)
    }
  }
}
