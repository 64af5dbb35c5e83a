import type { LanguageModel } from 'keepsake'
import { describe, expect, it } from 'vitest'
import { NO_BROWSER, openPage, REASON } from './browser.ts'
import { findBarriers, NARROW_AND_WIDE } from './check-accessible.ts'
import { useInspector } from './serve.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

describe.skipIf(NO_BROWSER !== null)(`the inspector’s conversation${REASON}`, () => {
  const inspector = useInspector(async (served) => {
    const maya = served.keepsake.scope({ user: 'maya' })
    await maya.remember({ role: 'user', text: 'My sister Ada lives in Leeds.', at: '2026-05-01T18:00:00Z' })
    await maya.drain()
  })

  it('without a model recalls, remembers, and shows what the rules learned, as it comes', async () => {
    const { page, faults } = await inspector.open('/people/maya/conversation')
    await page.getByText('no language model').waitFor()
    await page.getByLabel('Write a message').fill('My sister Ada is allergic to peanuts.')
    await page.keyboard.press('Enter')
    const beside = page.getByRole('region', { name: 'Memory' })
    await beside.getByRole('listitem').filter({ hasText: 'allergic' }).first().waitFor()
    // Nothing was asked.
    expect(await beside.getByText(/sure you have talked about this/).count()).toBe(0)
    expect(await beside.textContent()).toContain('Leeds')
    expect(faults).toEqual([])
  })

  it('asks before all is forgotten, and forgets once that is confirmed', async () => {
    const { page, faults } = await inspector.open('/people/omar/conversation')
    await page.getByLabel('Write a message').fill('My sister Ada is allergic to peanuts.')
    await page.keyboard.press('Enter')
    const beside = page.getByRole('region', { name: 'Memory' })
    await beside.getByText('allergic').first().waitFor()
    await page.getByLabel('Write a message').fill('Forget everything you know about me.')
    await page.keyboard.press('Enter')
    const notice = beside.locator('.notice')
    await notice.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('shows markup as characters, and what was said in another tab', async () => {
    const { page, faults } = await inspector.open('/people/maya/conversation')
    await page.getByLabel('Write a message').waitFor()
    await inspector.served.keepsake.scope({ user: 'maya' }).remember({ role: 'user', text: MARKUP })
    await page.getByRole('region', { name: 'Messages' }).getByText(MARKUP).waitFor()
    expect(await page.title()).toContain('Conversation')
    expect(faults).toEqual([])
  })

  it('keeps nothing of a session that is not to be remembered', async () => {
    const { page } = await inspector.open('/people/maya/conversation')
    await page.getByLabel('Do not remember this session').check()
    await page.getByLabel('Write a message').fill('I moved to Porto.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Nothing: this session is not kept.').waitFor()
    await inspector.served.keepsake.scope({ user: 'maya' }).drain()
    const turns = await inspector.served.keepsake.scope({ user: 'maya' }).turns()
    expect(turns.some(({ text }) => text.includes('Porto'))).toBe(false)
  })

  it('shows for a turn of before what was recalled as of then', async () => {
    const { page } = await inspector.open('/people/maya/conversation')
    await page.getByRole('button', { name: /Memories ?: .*lives in Leeds/ }).click()
    await page.getByText('as of then').waitFor()
    await page.getByText('Nothing was recalled for this message.').waitFor()
  })

  it('offers a key that may only read to ask, and remembers nothing', async () => {
    const reading = await inspector.served.keyFor({ actions: ['read'], users: ['maya'] })
    const { page } = await openPage(inspector.browser)
    await page.goto(`${inspector.served.url}/people/maya/conversation#key=${reading}`)
    await page.getByLabel('Ask the memory').fill('Where does Ada live?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('Known', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'End the session' }).count()).toBe(0)
    expect(await page.getByLabel('Do not remember this session').count()).toBe(0)
    const turns = await inspector.served.keepsake.scope({ user: 'maya' }).turns()
    expect(turns.some(({ text }) => text.includes('Where does Ada'))).toBe(false)
  })

  it('is of WCAG AA, light and dark, and fits 360 pixels', async () => {
    for (const form of NARROW_AND_WIDE) {
      const { page, context } = await inspector.open('/people/maya/conversation', form)
      await page
        .getByRole('button', { name: /^Memories ?: / })
        .last()
        .click()
      await page.getByRole('heading', { name: 'Recalled' }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth)
      expect(wider).toBeLessThanOrEqual(0)
      await context.close()
    }
  })
})

const NO_USAGE = { input: null, output: null }

/** Answers in two pieces, and reads nothing out of what it is shown. */
const SPEAKING: LanguageModel = {
  id: 'test/speaking',
  generate: () => Promise.resolve({ text: '{"operations":[]}', finish: 'stop', usage: NO_USAGE }),
  async *stream() {
    yield { kind: 'text', text: 'In Leeds, ' }
    yield { kind: 'text', text: 'you said.' }
    yield { kind: 'end', finish: 'stop', usage: NO_USAGE }
  },
}

describe.skipIf(NO_BROWSER !== null)(`the inspector’s conversation with a model${REASON}`, () => {
  const inspector = useInspector(undefined, { model: SPEAKING }, SPEAKING)

  it('shows the answer as it comes, and keeps both sides', async () => {
    const maya = inspector.served.keepsake.scope({ user: 'maya' })
    await maya.remember({ role: 'user', text: 'My sister Ada lives in Leeds.', at: '2026-05-01T18:00:00Z' })
    const { page } = await inspector.open('/people/maya/conversation')
    await page.getByLabel('Write a message').fill('Where does Ada live?')
    await page.keyboard.press('Enter')
    await page.getByText('In Leeds, you said.').waitFor()
    await page.getByText('Known', { exact: true }).waitFor()
    await expect
      .poll(async () => (await maya.turns()).map(({ text }) => text))
      .toContain('In Leeds, you said.')
    // What it cost stands in the overview.
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: SPEAKING.id }).waitFor()
    expect(await page.locator('dl.counts', { hasText: 'replies' }).textContent()).toMatch(/replies1 call$/)
  })
})
