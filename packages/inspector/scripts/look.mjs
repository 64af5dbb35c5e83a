// Takes a picture of every page, at 360 and 1280 pixels, light and dark, in English and Chinese, and tells what WCAG AA finds wrong:
// `node packages/inspector/scripts/look.mjs FOLDER [page…]`. With content, of nobody, while loading, and after a failure.
import { mkdirSync } from 'node:fs'
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
}
const WITHOUT_STATES = new Set(['people', ...Object.keys(ACTS)])
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
process.exitCode = wrong === 0 ? 0 : 1
