import type { SecretSpan } from './mask-secrets.ts'

/** A country, two check digits, and up to thirty letters and digits, in groups or not. */
const SHAPE = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00A0\u202F.-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])/g
/** How long the numbers of a country are: those of the registry that most people use. */
const LONGEST = 34
const SHORTEST = 15

/** Account numbers (IBAN), by their check digits. */
export function findAccountNumbers(text: string): SecretSpan[] {
  return [...text.matchAll(SHAPE)].flatMap(({ 0: written, index }) => {
    // Words that follow may look like a last group: the longest beginning whose digits check is the number.
    for (const end of endsOf(written)) {
      const plain = written
        .slice(0, end)
        .replace(/[ \u00A0\u202F.-]/g, '')
        .toUpperCase()
      if (plain.length < SHORTEST) break
      if (plain.length <= LONGEST && isIban(plain))
        return [{ start: index, end: index + end, kind: 'account number' as const }]
    }
    return []
  })
}

function endsOf(written: string): number[] {
  const ends = [...written.matchAll(/(?=[ \u00A0\u202F.-])|$/g)].map(({ index }) => index)
  return ends.toReversed()
}

function isIban(plain: string): boolean {
  const moved = plain.slice(4) + plain.slice(0, 4)
  let rest = 0
  for (const sign of moved) {
    const value = parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 && (plain.match(/\d/g)?.length ?? 0) >= 8
}
