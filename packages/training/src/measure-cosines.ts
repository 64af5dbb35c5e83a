// How the built-in embedder's cosines are spread between turns taken at random from conversations: what a
// threshold means for it. `node packages/training/src/measure-cosines.ts packages/cli/data/demo/*.jsonl`
import { readFileSync } from 'node:fs'
import { cosine, embeddedWordVectors } from '@keepsake/text'

const SHARES = [0.5, 0.9, 0.95, 0.99] as const

interface Line {
  readonly role?: string
  readonly text?: string
}

function cosinesOf(file: string): number[] {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  const turns = lines.flatMap(({ role, text }) => (text === undefined ? [] : [{ role, text }]))
  const model = embeddedWordVectors()
  const vectors = turns.map((turn) => model.embedNow(turn.text))
  const cosines: number[] = []
  for (const [later, query] of vectors.entries()) {
    if (turns[later]?.role !== 'user') continue
    for (const earlier of vectors.slice(0, later)) cosines.push(cosine(query, earlier))
  }
  return cosines.sort((one, other) => one - other)
}

for (const file of process.argv.slice(2)) {
  const cosines = cosinesOf(file)
  const quantiles = SHARES.map((share) => [
    `p${share * 100}`,
    Number((cosines[Math.floor(share * cosines.length)] ?? 0).toFixed(3)),
  ])
  console.log(
    JSON.stringify({ file: file.split('/').at(-1), pairs: cosines.length, ...Object.fromEntries(quantiles) }),
  )
}
