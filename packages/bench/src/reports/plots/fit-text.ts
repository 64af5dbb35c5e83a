import { plainText } from '../plain-text.ts'

const GRAPHEMES = new Intl.Segmenter()

/** Columns that text takes: Chinese, Japanese and Korean characters are twice as wide as Latin ones. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += WIDE.test(character) ? 2 : 1
  return columns
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{20000}-\u{3FFFD}\p{Extended_Pictographic}]/u

/**
 * Cuts a name to so many columns. The middle goes: of names that differ in a version or a letter at their end, the
 * end tells them apart.
 */
export function fitName(name: string, columns: number): string {
  const line = plainText(name).replaceAll(/\s+/g, ' ').trim()
  if (columnsOf(line) <= columns) return line
  const characters = Array.from(GRAPHEMES.segment(line), ({ segment }) => segment)
  const tail = take(characters.toReversed(), Math.floor((columns - 1) / 2)).toReversed()
  const head = take(characters, columns - 1 - columnsOf(tail.join('')))
  return `${head.join('').trimEnd()}…${tail.join('').trimStart()}`
}

function take(characters: readonly string[], columns: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const character of characters) {
    used += columnsOf(character)
    if (used > columns) break
    taken.push(character)
  }
  return taken
}

/**
 * Moves labels apart that would lie over each other, each as little as can be and in their order.
 *
 * @param wanted where each would stand, in any order
 * @param gap least distance of two
 * @param low and
 * @param high bounds; when there is no room for the gap, labels are spread evenly between them
 * @returns where each stands, in the order of `wanted`
 */
export function spreadLabels(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const step = wanted.length < 2 ? 0 : Math.min(gap, (high - low) / (wanted.length - 1))
  const placed = wanted.map(() => low)
  let floor = low
  for (const [rank, index] of order.entries()) {
    const ceiling = high - step * (order.length - 1 - rank)
    const place = Math.min(Math.max(wanted[index] ?? low, floor), ceiling)
    placed[index] = place
    floor = place + step
  }
  return placed
}
