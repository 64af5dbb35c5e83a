import type { SecretSpan } from './mask-secrets.ts'

/** Matches a country, two check digits, and up to thirty letters and digits, grouped or not. */
const SHAPE = /(?<![A-Za-z0-9_-])[A-Za-z]{2}\d{2}(?:[ \n\u00A0\u202F-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9-])/g
/** Lengths by country, from the registry of ISO 13616. A run of any other length is an id. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Finds account numbers (IBAN) by their check digits. */
export function findAccountNumbers(text: string): SecretSpan[] {
  return [...text.matchAll(SHAPE)].flatMap(({ 0: written, index }) => {
    // Tries the longest prefix first, since words that follow may look like a last group.
    for (const end of endsOf(written)) {
      const given = written.slice(0, end).replace(/[ \n\u00A0\u202F.-]/g, '')
      const plain = given.toUpperCase()
      const isWhole =
        plain.length === LENGTHS.get(plain.slice(0, 2)) && (given === plain || given === given.toLowerCase())
      if (isWhole && isIban(plain))
        return [{ start: index, end: index + end, kind: 'account number' as const }]
    }
    return []
  })
}

function endsOf(written: string): number[] {
  const ends = [...written.matchAll(/(?=[ \n\u00A0\u202F.-])|$/g)].map(({ index }) => index)
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
