import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'

export interface RatedSentence {
  readonly split: 'train' | 'dev' | 'test'
  readonly text: string
  /** Mean of the raters, 1 calm to 5 excited. */
  readonly arousal: number
  /** 1 unpleasant to 5 pleasant. */
  readonly valence: number
  /** 1 controlled to 5 in control. */
  readonly dominance: number
}

/** The published CSV; its folder is `KEEPSAKE_DATA`, or `../shared/data` beside the repository. */
export function readEmoBank(): RatedSentence[] {
  const folder =
    process.env['KEEPSAKE_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
  const rows: Record<string, string>[] = parse(readFileSync(join(folder, 'emobank/emobank.csv'), 'utf8'), {
    columns: true,
  })
  return rows.map(({ split, text = '', A, V, D }) => {
    const [arousal = NaN, valence = NaN, dominance = NaN] = [A, V, D].map(Number)
    if (
      (split !== 'train' && split !== 'dev' && split !== 'test') ||
      !Number.isFinite(arousal + valence + dominance)
    ) {
      throw new Error(`Not a row of EmoBank: ${JSON.stringify({ split, text, A, V, D })}`)
    }
    return { split, text, arousal, valence, dominance }
  })
}
