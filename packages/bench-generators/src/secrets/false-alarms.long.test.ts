import { maskSecrets } from '@keepsake/text'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ordinarySentences } from '../testing/ordinary-sentences.ts'

/** The everyday talks that ship. */
const SHIPPED = ['everyday', 'everyday-held-out', 'everyday-unseen', 'talks', 'people']
/** A folder of texts of your own, read beside them: JSON, JSON lines, CSV and plain text, whatever their form. */
const GIVEN = process.env['KEEPSAKE_ORDINARY_TEXTS']

const LEAST_SENTENCES = 10_000
/** One in a thousand. */
const MOST_SHARE = 0.001

it('masks next to none of 10,000 ordinary sentences in two languages', async () => {
  const folders = Object.fromEntries(
    SHIPPED.map((name) => [name, fileURLToPath(new URL(`../../../bench/data/${name}`, import.meta.url))]),
  )
  const sentences = await ordinarySentences(GIVEN === undefined ? folders : { ...folders, given: GIVEN })
  const counts = new Map<string, { sentences: number; masked: number }>()
  const falselyMasked: string[] = []
  for (const { text, language, source } of sentences) {
    const count = counts.get(`${source}, ${language}`) ?? { sentences: 0, masked: 0 }
    counts.set(`${source}, ${language}`, count)
    count.sentences += 1
    if ((await maskSecrets(text)).masked.length === 0) continue
    count.masked += 1
    falselyMasked.push(text)
  }
  for (const [of, { sentences: read, masked }] of counts)
    process.stdout.write(`${of}: ${read} sentences, ${masked} masked\n`)
  for (const text of falselyMasked) process.stdout.write(`masked: ${text}\n`)
  process.stdout.write(`in all: ${sentences.length} sentences, ${falselyMasked.length} masked\n`)
  for (const language of ['en', 'zh'])
    expect(sentences.filter((one) => one.language === language).length).toBeGreaterThan(LEAST_SENTENCES)
  expect(falselyMasked.length / sentences.length).toBeLessThan(MOST_SHARE)
  // Otherwise nothing was looked for.
  expect((await maskSecrets('my password is hunter2')).masked).toHaveLength(1)
})
