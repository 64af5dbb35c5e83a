/** A score and what it is made of. */
export interface Score {
  /** On no fixed scale: higher is better, comparable within one search. */
  readonly score: number
  /** What the score is made of, by name: weighted values that add up to it. A part that gave nothing may be left out. */
  readonly parts: Readonly<Record<string, number>>
}

/** The score that some parts make: their sum. */
export function scoreOf(parts: Readonly<Record<string, number>>): Score {
  let score = 0
  for (const name in parts) score += parts[name] ?? 0
  return { score, parts }
}

/** The same with one more part in its score. */
export function withPart<Scored extends Score>(scored: Scored, name: string, value: number): Scored {
  return { ...scored, ...scoreOf({ ...scored.parts, [name]: value }) }
}
