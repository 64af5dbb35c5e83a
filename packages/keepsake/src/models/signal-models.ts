/** How strongly an utterance is felt, on EmoBank's scale: 1 (calm) to 5 (excited), about 3 for plain talk. */
export interface ArousalModel {
  readonly id: string
  /** Arousal of each text, in order. Texts it cannot read get the scale's middle, 3. */
  arousal(texts: readonly string[]): Promise<number[]> | number[]
}

/** What a turn is read against when its surprise is measured. */
export interface SurpriseContext {
  /** The agent's turn just before, or an empty string. */
  readonly previous: string
  /** What the same person said earlier, oldest first. */
  readonly history: readonly string[]
}

/** How unexpected an utterance is: perplexity, from 1 (foreseen word for word) upwards, not yet capped. */
export interface SurpriseModel {
  readonly id: string
  surprise(text: string, context: SurpriseContext): Promise<number> | number
}

/** How much an utterance will matter later: LUFY's 1 (mundane) to 10 (extremely important). */
export interface ImportanceModel {
  readonly id: string
  importance(text: string, context: { readonly summary: string }): Promise<number> | number
}
