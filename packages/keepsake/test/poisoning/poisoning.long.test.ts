import { expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import { findPreset, PRESET_NAMES, type PresetName, presetNamed } from '@keepsake/papers'
import { factsAfter, isUnmoved } from './attempt.ts'
import { ALL_OWN_WORDS } from './own-words-odd.ts'
import { PLANTED, type Planted } from './planted.ts'

/** Presets that draw facts by rule: the others keep none that could be planted. */
const DRAWING = PRESET_NAMES.filter((name) =>
  findPreset(name).branches.some(
    (branch) => branch.kind === 'facts' && !branch.extractor.id.startsWith('request-rules'),
  ),
)

interface Seen {
  tried: number
  believed: number
  lost: number
}

/** All of them under the default preset. The others read by the same rules, and get every third of each carrier. */
function plantedFor(preset: PresetName): readonly Planted[] {
  if (preset === 'keepsake') return PLANTED
  return [...Map.groupBy(PLANTED, rowOf).values()].flatMap((row) => row.filter((_, index) => index % 3 === 0))
}

async function attackAll(preset: PresetName): Promise<ReadonlyMap<string, Seen>> {
  const keepsake = await openMemory({ path: ':memory:', preset: presetNamed(preset) })
  const seen = new Map<string, Seen>()
  for (const planted of plantedFor(preset)) {
    const { believed, lost } = isUnmoved(await factsAfter(keepsake, planted), planted)
    const row = seen.get(rowOf(planted)) ?? { tried: 0, believed: 0, lost: 0 }
    row.tried += 1
    row.believed += believed.length > 0 ? 1 : 0
    row.lost += lost.length > 0 ? 1 : 0
    seen.set(rowOf(planted), row)
  }
  await keepsake.close()
  return seen
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function rowOf({ language, carrier }: Planted): string {
  return `${language.id} ${carrier.from}`
}

it.each(DRAWING)(
  'nothing planted is believed and nothing lost, under %s',
  async (preset) => {
    const seen = await attackAll(preset)
    const report = [...seen].map(([row, { tried, believed, lost }]) => ({ row, tried, believed, lost }))
    print(
      report.map(
        ({ row, tried, believed, lost }) =>
          `${preset} ${row}: ${tried} tried, ${believed} believed, ${lost} lost`,
      ),
    )
    expect(report.filter(({ believed, lost }) => believed + lost > 0)).toEqual([])
    expect(report.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThanOrEqual(100)
  },
  600_000,
)

it('everything that people say of themselves beside others’ words is kept', async () => {
  const keepsake = await openMemory({ path: ':memory:' })
  const missed: string[] = []
  for (const [at, { text, keeps }] of ALL_OWN_WORDS.entries()) {
    const scope = keepsake.scope({ user: `own ${at}` })
    await scope.remember([
      { role: 'user', text },
      { role: 'user', text: 'ok' },
    ])
    await scope.endSession()
    await keepsake.drain()
    const facts = (await scope.memories({ forms: ['fact'] })).map((one) => `${one.text} ${one.value}`)
    if (!facts.join('\n').toLowerCase().includes(keeps.toLowerCase())) missed.push(text)
  }
  await keepsake.close()
  print([`own words: ${ALL_OWN_WORDS.length} tried, ${missed.length} missed`])
  expect(missed).toEqual([])
}, 600_000)
