import type { ChangeNote, CommitResult } from 'keepsake/store-kit'

/** A notification holds 8,000 bytes, and a note some 60 of them. */
const NOTES_A_TELLING = 80

/** Notes as they are told: numbers alone, in as many tellings as it takes. */
export function tellingsOf(notes: readonly ChangeNote[]): string[] {
  const tellings: string[] = []
  for (let from = 0; from < notes.length; from += NOTES_A_TELLING)
    tellings.push(
      notes
        .slice(from, from + NOTES_A_TELLING)
        .map(({ owner, sequence, turns, erasures }) =>
          [owner, sequence, erasures, ...turns.flatMap(({ scope, position }) => [scope, position])].join(':'),
        )
        .join(' '),
    )
  return tellings
}

/** What was told. Of what is no note nothing is made. */
export function notesOf(said: readonly string[]): ChangeNote[] {
  return said.flatMap((one) => {
    const numbers = one.split(':').map(Number)
    const [owner, sequence, erasures, ...places] = numbers
    if (owner === undefined || sequence === undefined || erasures === undefined) return []
    if (!numbers.every((number) => Number.isSafeInteger(number))) return []
    const turns: { scope: number; position: number }[] = []
    for (let at = 0; at + 1 < places.length; at += 2)
      turns.push({ scope: places[at] ?? 0, position: places[at + 1] ?? 0 })
    return [{ owner, sequence, erasures, turns }]
  })
}

/** What a commit is to tell of: nothing where it changed no memory, or only strengthened some. */
export function noteOfCommit(owner: number, result: CommitResult): ChangeNote[] {
  if (result.outcome !== 'committed') return []
  const [first] = result.operations.filter(({ kind }) => kind !== 'reinforce')
  return first === undefined ? [] : [{ owner, sequence: first.sequence - 1, turns: [], erasures: 0 }]
}
