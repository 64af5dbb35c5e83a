import { maskSecrets } from '@keepsake/text'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ordinarySentences } from '../testing/ordinary-sentences.ts'

/** The shipped folders with everyday talks. */
const SHIPPED_FOLDERS = ['everyday', 'everyday-held-out', 'everyday-unseen', 'talks', 'people']
/** An additional folder with texts of your own: JSON, JSON lines, CSV, Markdown or plain text. */
const OWN_FOLDER = process.env['KEEPSAKE_ORDINARY_TEXTS']

const MIN_SENTENCES = 10_000
const MAX_SHARE_MASKED = 0.001

it('masks less than 0.1 % of 10,000 ordinary sentences in each language', async () => {
  const folders = Object.fromEntries(
    SHIPPED_FOLDERS.map((name) => [
      name,
      fileURLToPath(new URL(`../../../bench/data/${name}`, import.meta.url)),
    ]),
  )
  const sentences = await ordinarySentences(
    OWN_FOLDER === undefined ? folders : { ...folders, own: OWN_FOLDER },
  )
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
  for (const [source, { sentences: total, masked }] of counts)
    process.stdout.write(`${source}: ${total} sentences, ${masked} masked\n`)
  for (const text of falselyMasked) process.stdout.write(`masked: ${text}\n`)
  process.stdout.write(`in all: ${sentences.length} sentences, ${falselyMasked.length} masked\n`)
  for (const language of ['en', 'zh'])
    expect(sentences.filter((one) => one.language === language).length).toBeGreaterThan(MIN_SENTENCES)
  expect(falselyMasked.length / sentences.length).toBeLessThan(MAX_SHARE_MASKED)
  // Shows that the search for secrets is on.
  expect((await maskSecrets('my password is hunter2')).masked).toHaveLength(1)
})
