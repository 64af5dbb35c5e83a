// Takes a picture of every page, at 360 and 1280 pixels, light and dark, in English and Chinese, and tells what WCAG AA finds wrong:
// `node packages/inspector/scripts/look.mjs FOLDER [page…]`. With content, of nobody, while loading, and after a failure.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_BROWSER, openBrowser, openPage } from '../test/browser.ts'
import { findBarriers } from '../test/check-accessible.ts'
import { serve } from '../test/serve.ts'

const [folder, ...asked] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder that the pictures go into.')
if (NO_BROWSER !== null) throw new Error(NO_BROWSER)
mkdirSync(folder, { recursive: true })

const SAID = {
  en: [
    ['monday', 'I live in Bristol with my sister Ada.'],
    ['monday', 'I am allergic to penicillin.'],
    ['monday', 'I work as a florist.'],
    ['friday', 'I moved to Lisbon last week.'],
    ['friday', 'My dog is called Biscuit, and he is afraid of thunder.'],
    ['friday', 'I started running again; the half marathon is on the tenth of May.'],
  ],
  zh: [
    ['周一', '我住在杭州。'],
    ['周一', '我对花生过敏。'],
    ['周一', '我妹妹在一家花店上班。'],
    ['周五', '我上周搬到了成都。'],
    ['周五', '我养了一只叫饼干的狗，它怕打雷。'],
  ],
}
const PAGES = {
  people: '/',
  overview: '/people/WHO',
  memories: '/people/WHO/memories',
  question: '/people/WHO/memories?question=QUESTION',
  why: '/people/WHO/memories/MEMORY',
  persona: '/people/WHO/persona',
  story: '/people/WHO/story?near=turns',
  units: '/people/WHO/story?near=units',
  summaries: '/people/WHO/story',
  portrait: '/people/WHO/portrait',
  retention: '/people/WHO/retention',
  conversation: '/people/WHO/conversation',
  turn: '/people/WHO/conversation',
  data: '/people/WHO/data',
  speaker: '/people/WHO/data',
  import: '/people/WHO/data',
  runs: '/runs',
  compared: '/runs',
  run: '/runs',
  answer: '/runs',
}
const STATES = ['content', 'empty', 'loading', 'failed']
/** What is done on a page before it is looked at; such pages are looked at with content alone. */
const ACTS = {
  turn: async (page) => {
    await page.locator('.talk-look').last().click()
    await page.locator('.talk-sure').waitFor()
  },
  speaker: async (page) => {
    const buffer = Buffer.from(CHAT)
    await page.locator('input[type=file]').setInputFiles({ name: 'chat.txt', mimeType: 'text/plain', buffer })
    await page.locator('.import-preview').waitFor()
  },
  import: async (page) => {
    await ACTS.speaker(page)
    await page.locator('.import-open .button').first().click()
    await page.locator('.import-facts').waitFor()
  },
  compared: openRuns,
  run: async (page) => {
    await openRuns(page)
    await page.getByRole('link', { name: 'plain' }).click()
    await page.locator('h1', { hasText: 'plain' }).waitFor()
  },
  answer: async (page) => {
    await ACTS.run(page)
    await page.getByText('Where does Ines keep her bees?').click()
    await page.locator('[aria-current=step]').waitFor()
  },
}
const WITHOUT_STATES = new Set(['runs', 'people', ...Object.keys(ACTS)])
const CHAT = [
  '13/03/2026, 19:04 - Messages and calls are end-to-end encrypted. Tap to learn more.',
  '13/03/2026, 19:05 - Rosa: I am learning the cello, and the neighbours know it',
  '13/03/2026, 19:06 - Emil: <Media omitted>',
  '13/03/2026, 19:07 - Emil: Since when?',
  '13/03/2026, 19:08 - Rosa: Since the winter',
].join('\n')
const LANGUAGES = [
  ['en', 'maya', 'Where does she live?'],
  ['zh', '小安', '她住在哪里？'],
]

/** Two runs of a benchmark, one with a log, as the command line writes them. */
const figure = (metric, slice, value) => ({
  task: 'answering',
  metric,
  slice,
  value,
  interval: { low: value - 0.08, high: value + 0.08 },
  count: 40,
  unit: 'share',
  judge: 'deterministic',
})
const reportOf = (system, value) => ({
  format: 2,
  benchmark: 'run',
  dataset: 'our-own',
  dataHash: 'abc',
  system,
  config: { contextTokens: 1_000 },
  reader: 'extractive',
  judge: 'deterministic',
  command: `keepsake bench run --system ${system} --json`,
  startedAt: '2026-05-01T18:00:00Z',
  conversations: 3,
  failures: 0,
  leftOut: {},
  remarks: [],
  figures: [
    figure('correct', 'all', value),
    figure('known', 'all', value / 3),
    figure('correct', 'category:time', value / 2),
  ],
})
const answerOf = (question, more) => ({
  entry: 'answer',
  conversation: 'c1',
  person: 'p1',
  question,
  category: 'fact',
  text: 'Where does Ines keep her bees?',
  reference: 'On the roof.',
  answer: 'In the garden.',
  outcome: 'hallucinated',
  reason: 'The roof is not named.',
  lost: null,
  retrieved: ['Ines keeps bees.', 'Ines has a garden behind the house.'],
  context: 'Ines keeps bees.',
  failure: null,
  ...more,
})
const LOG = [
  { entry: 'retrieval', conversation: 'c1', question: 'q1', units: ['s2'], evidence: ['s1'] },
  answerOf('q1', { lost: 'not-retrieved' }),
  answerOf('q2', { text: 'When did she begin?', lost: 'misread', outcome: 'omitted', answer: '' }),
  answerOf('q3', { text: 'Who taught her?', outcome: 'correct' }),
]

async function openRuns(page) {
  await page.locator('input[type=file]').nth(1).setInputFiles(runs)
  await page.getByRole('link', { name: 'careful' }).waitFor()
}

const runs = mkdtempSync(join(tmpdir(), 'keepsake-look-'))
for (const [system, value] of [
  ['plain', 0.5],
  ['careful', 0.775],
]) {
  mkdirSync(join(runs, system))
  writeFileSync(join(runs, system, 'summary.json'), JSON.stringify(reportOf(system, value)))
  writeFileSync(join(runs, system, 'run.json'), JSON.stringify({ format: 2, systems: [system] }))
  if (system === 'plain')
    writeFileSync(join(runs, system, 'log.jsonl'), LOG.map((entry) => JSON.stringify(entry)).join('\n'))
}

const served = await serve()
for (const [language, who] of LANGUAGES) {
  const person = served.keepsake.scope({ user: who })
  for (const [index, [session, text]] of SAID[language].entries())
    await person.remember(
      { role: 'user', text, at: `2026-05-${String(1 + 4 * index).padStart(2, '0')}T18:00:00Z` },
      { session },
    )
  await person.endSession(SAID[language].at(-1)[0])
}
await served.keepsake.drain()
const key = await served.keyFor()
const browser = await openBrowser()

const FAILED = {
  type: 'about:blank',
  title: 'Failed',
  status: 500,
  detail: 'The disk does not answer.',
  code: 'failed',
  request: '01a2-7f3c',
}

/** What the server answers in a state. */
async function prepare(page, state) {
  if (state === 'loading') await page.route('**/v1/scopes/**', () => undefined)
  if (state === 'failed')
    await page.route('**/v1/scopes/**', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify(FAILED),
      }),
    )
}

async function look({ name, path, state, language, who, question, width, scheme }) {
  const [memory] = await served.keepsake.scope({ user: who }).memories({ forms: ['fact'] })
  const user = state === 'empty' ? 'nobody' : who
  const { page, context, faults } = await openPage(browser, {
    viewport: { width, height: width < 600 ? 740 : 860 },
    colorScheme: scheme,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
    reducedMotion: 'reduce',
  })
  await prepare(page, state)
  const at = path
    .replace('WHO', encodeURIComponent(user))
    .replace('MEMORY', state === 'empty' ? 'm1' : (memory?.id ?? 'm1'))
    .replace('QUESTION', encodeURIComponent(question))
  await page.goto(`${served.url}${at}#key=${key}`)
  await page.waitForSelector('h1')
  if (state !== 'loading') await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  if (state === 'content') await ACTS[name]?.(page)
  await page.waitForTimeout(150)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  const barriers = [
    ...(await findBarriers(page)),
    ...faults,
    ...(wide > width ? [`${wide} pixels wide`] : []),
  ]
  const file = [name, state, language, width, scheme].join('-')
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
  for (const barrier of barriers) console.log(`${file}: ${barrier}`)
  await context.close()
  return barriers.length
}

let [looked, wrong] = [0, 0]
for (const [name, path] of Object.entries(PAGES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  for (const state of STATES.filter((one) => one === 'content' || !WITHOUT_STATES.has(name)))
    for (const [language, who, question] of LANGUAGES)
      for (const width of [360, 1280])
        for (const scheme of ['light', 'dark']) {
          // A state that is not the content's looks alike in both languages and schemes but for its words and colours: one of each.
          if (state !== 'content' && (language === 'zh') !== (scheme === 'dark')) continue
          wrong += await look({ name, path, state, language, who, question, width, scheme })
          looked += 1
        }
}
console.log(`${looked} pictures in ${folder}, ${wrong} things wrong`)
await browser.close()
await served.close()
rmSync(runs, { recursive: true, force: true })
process.exitCode = wrong === 0 ? 0 : 1
