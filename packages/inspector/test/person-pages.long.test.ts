import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NO_BROWSER, openPage, REASON } from './browser.ts'
import { findBarriers, findBarriersInBoth, NARROW_AND_WIDE } from './check-accessible.ts'
import { useInspector } from './serve.ts'

const SAID = [
  ['monday', 'I live in Bristol.'],
  ['monday', 'My sister Ada lives in Leeds.'],
  ['monday', 'I am vegetarian.'],
  ['friday', 'I moved to Lisbon.'],
  ['friday', 'I started running again.'],
] as const

describe.skipIf(NO_BROWSER !== null)(`the inspector’s pages of a person${REASON}`, () => {
  const inspector = useInspector(async (served) => {
    const maya = served.keepsake.scope({ user: 'maya' })
    for (const [index, [session, text]] of SAID.entries())
      await maya.remember({ role: 'user', text, at: `2026-05-0${index + 1}T18:00:00Z` }, { session })
    await maya.endSession('friday')
    await maya.drain()
  })

  it('overview: shows the blocks of the agent, in both languages, to edit and with their versions', async () => {
    const maya = inspector.served.keepsake.scope({ user: 'maya' })
    const { id } = await maya.writeBlock('tasks', 'book the train\nwater the plants', { limit: 60 })
    const { page, context } = await inspector.open('/people/maya')
    await page.getByRole('heading', { name: 'Blocks of the agent' }).waitFor()
    await page.getByText('31 of 60 characters').waitFor()
    expect(await findBarriersInBoth(page)).toEqual({ light: [], dark: [] })
    await page.getByRole('link', { name: 'book the train' }).first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text').fill('train booked')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('12 of 60 characters').waitFor()
    await page.getByText('book the train').first().waitFor()
    expect((await maya.blocks()).map(({ text }) => text)).toEqual(['train booked'])
    await page.goto(`${inspector.served.url}/people/maya/memories?form=block`)
    await page.getByText('train booked').waitFor()
    const chinese = await openPage(inspector.browser, { locale: 'zh-CN' })
    await chinese.page.goto(`${inspector.served.url}/people/maya#key=${inspector.key}`)
    await chinese.page.getByRole('heading', { name: '助手的记事块' }).waitFor()
    await chinese.page.getByText('12 / 60 字').waitFor()
    await maya.forget(id)
    await context.close()
    await chinese.context.close()
  })

  it('relations: draws whom the user’s words relate, each line with its words, by keyboard, as of a day', async () => {
    const maya = inspector.served.keepsake.scope({ user: 'maya' })
    await maya.remember({ role: 'user', text: "Ada's husband is called Paul.", at: '2026-05-07T18:00:00Z' })
    await maya.drain()
    const { page, context, faults } = await inspector.open('/people/maya', {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('link', { name: 'Relations' }).click()
    const drawing = page.locator('.relation-graph')
    await drawing.getByRole('link', { name: 'Paul' }).waitFor()
    expect(await drawing.getByRole('link').allTextContents()).toEqual(['maya', 'Ada', 'Paul'])
    expect(await findBarriersInBoth(page)).toEqual({ light: [], dark: [] })
    await page.getByRole('button', { name: 'Ada – husband → Paul' }).press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: "Ada's husband is called Paul." }).waitFor()
    await page.keyboard.press('Escape')
    await drawing.getByRole('link', { name: 'Ada' }).press('Enter')
    await page.getByRole('heading', { name: 'Statements about Ada' }).waitFor()
    expect(page.url()).toContain('entity=Ada')
    await page.getByLabel('As of').fill('2026-05-05')
    await expect.poll(() => drawing.getByRole('link').allTextContents()).toEqual(['Ada', 'maya'])
    await page.getByLabel('As of').fill('2026-04-30')
    await page.getByRole('heading', { name: 'Nothing was known of Ada on this day' }).waitFor()
    expect(faults).toEqual([])
    const chinese = await openPage(inspector.browser, { locale: 'zh-CN' })
    await chinese.page.goto(`${inspector.served.url}/people/maya/relations?entity=Ada#key=${inspector.key}`)
    await chinese.page.getByRole('heading', { name: '关于Ada的话' }).waitFor()
    await inspector.served.keepsake.scope({ user: 'alone' }).note('Likes tea.')
    await page.goto(`${inspector.served.url}/people/alone#key=${inspector.key}`)
    await page.getByRole('link', { name: 'Persona' }).waitFor()
    expect(await page.getByRole('link', { name: 'Relations' }).count()).toBe(0)
    await context.close()
    await chinese.context.close()
  })

  it('retention: draws the room by keyboard, shows what would go, and lets it go only when told', async () => {
    const { page } = await inspector.open('/people/maya/retention')
    const room = page.getByLabel('Keep')
    await room.waitFor()
    expect(
      await inspector.served.keepsake.scope({ user: 'maya' }).memories({ statuses: ['forgotten'] }),
    ).toEqual([])
    await page.getByText('All are kept').waitFor()
    expect(await page.locator('.standing-row[data-kept=false], [data-goes]').count()).toBe(0)
    await room.press('Home')
    await room.press('ArrowRight')
    const goes = page.getByText(/^\d+ would be forgotten$/)
    await goes.waitFor()
    await page.getByLabel('Policy', { exact: true }).selectOption('first-in-first-out')
    await goes.waitFor()
    expect(page.url()).toContain('policy=first-in-first-out')
    await page.getByRole('button', { name: 'Forget these' }).click()
    await page.getByRole('button', { name: 'Yes, forget' }).click()
    await page.getByText(/^Forgotten: [0-9]+ memor(y|ies)\.$/).waitFor()
    const gone = await inspector.served.keepsake.scope({ user: 'maya' }).memories({ statuses: ['forgotten'] })
    expect(gone.length).toBeGreaterThan(0)
    const countGone = async () =>
      (await inspector.served.keepsake.scope({ user: 'maya' }).memories({ statuses: ['forgotten'] })).length
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/^Restored: [0-9]+ memor(y|ies)\.$/).waitFor()
    expect(await countGone()).toBe(0)
    await inspector.served.keepsake.scope({ user: 'maya' }).runForgetting({ capacity: { memories: 1 } })
    await page.goto('about:blank')
    await page.goto(`${inspector.served.url}/people/maya/memories?status=forgotten#key=${inspector.key}`)
    await page.getByRole('button', { name: 'Restore all' }).click()
    await expect.poll(countGone).toBe(0)
  })

  it('names a person once, orders the conversation by time, and speaks under the person’s name', async () => {
    const pia = inspector.served.keepsake.scope({ user: 'pia' })
    const at = (day: number) => `2026-05-0${day}T18:00:00Z`
    await pia.remember({ role: 'user', speaker: 'Pia', text: 'I am vegetarian.', at: at(2) })
    await pia.remember({ role: 'user', text: 'I work as a baker.', at: at(4) })
    await pia.remember(
      { role: 'user', speaker: 'Pia', text: 'I bought a kayak.', at: at(1) },
      { session: 'old' },
    )
    await pia.drain()
    const { page } = await inspector.open('/people/pia/persona')
    await page.getByText('baker', { exact: true }).waitFor()
    await expect.poll(() => page.locator('.sheet-subject h2').allTextContents()).toEqual(['Pia'])
    await page.getByRole('link', { name: 'Conversation' }).click()
    await page.locator('.said', { hasText: 'I bought a kayak.' }).waitFor()
    const said = await page.locator('.talk-thread li .said').allTextContents()
    expect(said).toEqual(['I bought a kayak.', 'I am vegetarian.', 'I work as a baker.'])
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
    await page.getByLabel('Write a message').fill('I keep bees.')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(async () => (await pia.turns()).at(-1)?.speaker).toBe('Pia')
  })

  it('persona: edits a value with its date, and says in the history who did it', async () => {
    const tom = inspector.served.keepsake.scope({ user: 'tom' })
    await tom.remember({ role: 'user', text: 'I live in Ghent.', at: '2026-03-01T18:00:00Z' })
    await tom.drain()
    const { page } = await inspector.open('/people/tom/persona')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text').fill('The user lives in Bruges.')
    await page.getByLabel('Value').fill('Bruges')
    expect(await page.getByLabel('True since').inputValue()).toBe('2026-03-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Bruges', { exact: true }).waitFor()
    const [corrected] = await tom.memories({ forms: ['fact'] })
    expect([corrected?.past, corrected?.validFrom]).toEqual([[], Date.UTC(2026, 2, 1, 18)])
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text').fill('The user lives in Namur.')
    await page.getByLabel('True since').fill('2026-04-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('until 1 Apr 2026').waitFor()
    await page.getByRole('link', { name: 'Namur' }).click()
    await page.getByText('by you').first().waitFor()
    await page.getByText('by rules').first().waitFor()
    await page.getByText('How this is computed').waitFor()
    expect(await page.getByText('Formula').isVisible()).toBe(false)
  })

  it('marks a fact that later words put in doubt, until it is confirmed', async () => {
    const lea = inspector.served.keepsake.scope({ user: 'lea' })
    const said = [
      'My brother is called Noah.',
      'My brother is called Ivo.',
      'My brother passed away in June.',
    ]
    for (const text of said) {
      await lea.remember({ role: 'user', text })
      await lea.drain()
    }
    const { page } = await inspector.open('/people/lea/memories?form=fact')
    const marks = page.getByText('questioned', { exact: true })
    await expect.poll(() => marks.count()).toBe(2)
    await page.getByRole('button', { name: 'Still true' }).first().click()
    await expect.poll(() => marks.count()).toBe(1)
    await page.goto('about:blank')
    await page.goto(`${inspector.served.url}/people/lea/persona#key=${inspector.key}`)
    await expect.poll(() => marks.count()).toBe(1)
    await page.getByText('brother', { exact: false }).first().click()
    await page.getByText('How long it is kept').waitFor()
  })

  it('persona: shows what holds and what held before, with how a key is merged', async () => {
    const { page } = await inspector.open('/people/maya/persona')
    const line = page.getByRole('list', { name: 'residence over time' })
    await line.waitFor()
    expect(await line.textContent()).toMatch(/Lisbon.*Bristol.*until/s)
    await page.getByText('history').first().waitFor()
  })

  it('story: goes from afar to the turns of one session', async () => {
    const { page } = await inspector.open('/people/maya/story?near=turns&session=friday')
    await page.getByText('I moved to Lisbon.').waitFor()
    expect(await page.getByText('I live in Bristol.').count()).toBe(0)
    await page.getByRole('link', { name: 'All sessions' }).click()
    await page.getByText('I live in Bristol.').waitFor()
    await page.getByRole('radio', { name: 'Summaries' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(page.url()).toContain('near=')
  })

  it('portrait: says how there comes to be one', async () => {
    const { page } = await inspector.open('/people/maya/portrait')
    await page.getByRole('heading', { name: 'There is no portrait' }).waitFor()
  })

  it('leads from an empty page to what fills it, where the key may write', async () => {
    const { page } = await openPage(inspector.browser)
    const pages = ['persona', 'story', 'story?near=turns', 'retention', 'memories']
    for (const path of pages) {
      await page.goto(`${inspector.served.url}/people/nobody/${path}#key=${inspector.key}`)
      await page.getByRole('link', { name: 'Import a conversation' }).waitFor()
    }
    await page.getByRole('link', { name: 'Start a conversation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Conversation' }).waitFor()
    const reading = await inspector.served.keyFor({ actions: ['read'], users: ['nobody'] })
    await page.goto('about:blank')
    await page.goto(`${inspector.served.url}/people/nobody/persona#key=${reading}`)
    await page.getByRole('heading', { name: 'There are no facts yet' }).waitFor()
    expect(await page.getByRole('link', { name: 'Import a conversation' }).count()).toBe(0)
  })

  it('names keys and the person in the reader’s language', async () => {
    const { page } = await inspector.open('/people/maya/memories?form=fact', { locale: 'zh-CN' })
    await page.getByText('住址', { exact: true }).first().waitFor()
    await page.getByText('关于 maya', { exact: true }).first().waitFor()
    expect(await page.getByText('residence', { exact: true }).count()).toBe(0)
  })

  it('fits its width while it loads', async () => {
    const { page } = await openPage(inspector.browser)
    await page.route('**/v1/scopes/**', () => undefined)
    await page.goto(`${inspector.served.url}/people/maya/data#key=${inspector.key}`)
    await page.locator('.skeleton').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  })

  it('your data: exports a person, and records consent', async () => {
    const { page } = await inspector.open('/people/maya/data', { acceptDownloads: true })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(readFileSync(await download.path(), 'utf8')).toContain('I am vegetarian.')
    await page.getByLabel('Refused').click()
    await page.getByText('Training is refused.').waitFor()
    // By its own page, since a hash alone would not load it anew.
    await page.goto('about:blank')
    await page.goto(`${inspector.served.url}/people/maya/data#key=${inspector.key}`)
    await expect.poll(() => page.getByLabel('Refused').isChecked()).toBe(true)
  })

  it('your data: tells what an erasure removes, asks for the name, and proves it after', async () => {
    const ben = inspector.served.keepsake.scope({ user: 'ben' })
    await ben.remember({ role: 'user', text: 'I collect stamps.' })
    await ben.drain()
    const { page } = await inspector.open('/people/ben/data')
    await page.getByText(/and 1 message would be erased/).waitFor()
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    expect(await page.getByRole('button', { name: 'Yes, erase it' }).isDisabled()).toBe(true)
    await page.getByLabel('Type “ben”').fill('ben')
    await page.getByRole('button', { name: 'Yes, erase it' }).click()
    await page.getByText('no byte left').waitFor()
    expect(await ben.turns()).toEqual([])
  })

  it('offers a key that may only read nothing that changes', async () => {
    const reading = await inspector.served.keyFor({ actions: ['read'], users: ['maya'] })
    const { page } = await openPage(inspector.browser)
    await page.goto(`${inspector.served.url}/people/maya/data#key=${reading}`)
    await page.getByRole('button', { name: 'Download' }).waitFor()
    for (const name of ['Choose a file', 'Erase permanently'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('radio').count()).toBe(0)
    await page.goto(`${inspector.served.url}/people/maya/retention#key=${reading}`)
    await page.getByLabel('Keep').press('Home')
    await page.getByText(/^\d+ would be forgotten$/).waitFor()
    expect(await page.getByRole('button', { name: /^Forget (this|these)$/ }).count()).toBe(0)
  })

  it('is of WCAG AA, light and dark, and fits 360 pixels', async () => {
    for (const form of NARROW_AND_WIDE) {
      const { page, context } = await openPage(inspector.browser, form)
      for (const path of [
        'retention',
        'persona',
        'relations',
        'story',
        'story?near=turns',
        'portrait',
        'data',
      ]) {
        await page.goto(`${inspector.served.url}/people/maya/${path}#key=${inspector.key}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
        expect([path, await findBarriers(page)]).toEqual([path, []])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth)
        expect([path, Math.max(0, wider)]).toEqual([path, 0])
      }
      await context.close()
    }
  })
})
