import type { Page } from 'playwright-core'
import { scriptedModel } from 'keepsake/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { NO_BROWSER, openPage, REASON } from './browser.ts'
import { findBarriers } from './check-accessible.ts'
import { useInspector } from './serve.ts'

const HOSTILE =
  '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script> **bold** {{x}} javascript:hurt()'

const INVENTED = {
  changes: null,
  type: 'persona',
  subject: 'user',
  word: 'user',
  key: null,
  value: null,
  when: null,
  until: null,
  importance: 6,
}
const BELIEVED = { ...INVENTED, text: 'The user keeps bees.', evidence: ['1: I keep bees'] }
const DOUBTED = {
  ...INVENTED,
  text: 'The user sells honey to Mr Okafor.',
  evidence: ['1: I sell honey'],
}

describe.skipIf(NO_BROWSER !== null)(`the inspector’s memories, overview and why${REASON}`, () => {
  const model = scriptedModel((request) =>
    request.schemaName === 'segment'
      ? JSON.stringify({ summary: 'Bees.', memories: [BELIEVED, DOUBTED], forget: [] })
      : 'On the roof.',
  )
  const inspector = useInspector(undefined, { model, exchangesPerExtraction: 10 })
  let user = ''
  let people = 0
  beforeEach(async () => {
    people += 1
    user = `ana-${people}`
    const memory = inspector.served.keepsake.scope({ user })
    const said = [
      { role: 'user', text: 'I keep bees on the roof of my house in Porto.' },
      { role: 'assistant', text: 'How many hives?' },
      { role: 'user', text: HOSTILE },
    ] as const
    for (const turn of said) await memory.remember(turn, { session: 'sunday' })
    await memory.endSession('sunday')
    await memory.drain()
  })

  const open = async (path: string, given = inspector.key) => {
    const opened = await openPage(inspector.browser)
    await opened.page.goto(`${inspector.served.url}/people/${user}${path}#key=${given}`)
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    return opened
  }
  const row = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const fact = async () => {
    const [found] = await inspector.served.keepsake.scope({ user }).memories({ forms: ['fact'] })
    if (found === undefined) throw new Error('there is no fact')
    return found
  }
  const status = async (id: string) => {
    const statuses = ['live', 'deleted', 'forgotten', 'quarantined'] as const
    return (await inspector.served.keepsake.scope({ user }).memories({ ids: [id], statuses }))[0]
  }

  it('tells a person at a glance, and says so when there is nobody', async () => {
    const { page, faults } = await open('')
    await page.getByRole('heading', { name: 'Recent changes' }).waitFor()
    await page.getByRole('link', { name: 'The user keeps bees.' }).first().waitFor()
    expect(await page.locator('.counts').first().textContent()).toContain('messages3')
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${inspector.served.url}/people/nobody#key=${inspector.key}`)
    await page.getByRole('heading', { name: 'Nothing is known about this user' }).waitFor()
    expect(faults).toEqual([])
  })

  it('edits, pins, forgets and restores, each undone from where it was done', async () => {
    const { page } = await open('/memories?form=fact')
    const { id } = await fact()
    await row(page, 'keeps bees').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text').fill('  ')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The text is empty').waitFor()
    await page.getByLabel('Text').fill('The user keeps four hives.')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'four hives').waitFor()
    expect((await status(id))?.text).toBe('The user keeps four hives.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'keeps bees').waitFor()
    await row(page, 'keeps bees').getByRole('button', { name: 'Pin', exact: true }).click()
    await row(page, 'keeps bees').getByText('pinned', { exact: true }).waitFor()
    expect((await status(id))?.pinned).toBe(true)
    await row(page, 'keeps bees').getByRole('button', { name: 'Unpin' }).click()
    await row(page, 'keeps bees').getByRole('button', { name: 'Pin', exact: true }).waitFor()
    await row(page, 'keeps bees').getByRole('button', { name: 'Forget', exact: true }).click()
    await expect.poll(async () => (await status(id))?.status).toBe('deleted')
    await page.getByRole('button', { name: /^forgotten on request/ }).click()
    await row(page, 'keeps bees').getByRole('button', { name: 'Restore' }).click()
    await expect.poll(async () => (await status(id))?.status).toBe('live')
  })

  it('shows what was not believed with its reason, and releases it', async () => {
    const { page } = await open('/memories?status=quarantined')
    const doubted = row(page, 'Okafor')
    expect(await doubted.textContent()).toMatch(/reason: .+/)
    await doubted.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted: this memory is recalled from now on.').waitFor()
    const live = await inspector.served.keepsake.scope({ user }).memories({ forms: ['fact'] })
    expect(live.map(({ text }) => text)).toContain(DOUBTED.text)
  })

  it('asks as recall asks, with the parts of each score, and strengthens nothing', async () => {
    const { page } = await open('/memories')
    await page.keyboard.press('/')
    await page.keyboard.type('Where are my bees?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Known|^No confident match/ }).waitFor()
    expect(await page.locator('.verdict').textContent()).toMatch(/\d+% sure/)
    const recalled = await inspector.served.keepsake
      .scope({ user })
      .recall('Where are my bees?', { reinforce: false })
    const first = page.locator('.recalled-memory').first()
    expect(await first.locator('.score strong').textContent()).toBe(recalled.memories[0]?.score.toFixed(2))
    expect(await first.locator('.parts .bar').count()).toBeGreaterThan(2)
    expect(page.url()).toContain('question=Where')
    expect((await fact()).use).toMatchObject({ first: 0, second: 0 })
    expect(await findBarriers(page)).toEqual([])
  })

  it('tells why: the words marked in the talk, what happened, and undoes it from there', async () => {
    const { id } = await fact()
    await inspector.served.keepsake.scope({ user }).edit(id, { text: 'The user keeps wild bees.' })
    const { page, faults } = await open(`/memories/${id}`)
    await page.locator('mark', { hasText: 'I keep bees' }).waitFor()
    expect(await page.locator('.talk').textContent()).toContain('How many hives?')
    await page.locator('.change ins', { hasText: 'wild' }).waitFor()
    await page.getByText('How this is computed').click()
    expect(await page.getByRole('row', { name: /in use/ }).count()).toBeGreaterThan(0)
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.change').first().getByRole('button', { name: 'Undo' }).click()
    await page.locator('.statement .said', { hasText: 'The user keeps bees.' }).waitFor()
    expect((await status(id))?.text).toBe('The user keeps bees.')
    expect(faults).toEqual([])
  })

  it('shows markup and script of a turn as characters', async () => {
    const { page, faults, hosts } = await open('/memories?form=utterance')
    await page.getByText(HOSTILE, { exact: false }).first().waitFor()
    const [kept] = (
      await inspector.served.keepsake.scope({ user }).memories({ forms: ['utterance'] })
    ).filter(({ text }) => text.includes('<img'))
    await page.goto(`${inspector.served.url}/people/${user}/memories/${kept?.id}#key=${inspector.key}`)
    await page.locator('mark', { hasText: '<script>window.hurt=1</script>' }).first().waitFor()
    expect(
      await page.evaluate(() => [Reflect.get(window, 'hurt'), document.querySelectorAll('main img').length]),
    ).toEqual([undefined, 0])
    expect([faults, [...hosts]]).toEqual([[], [new URL(inspector.served.url).host]])
  })

  it('offers a key that may only read no change', async () => {
    const { id } = await fact()
    const reader = await inspector.served.keyFor({ actions: ['read'], users: [user] })
    const { page } = await open('/memories', reader)
    await row(page, 'keeps bees').waitFor()
    await page.getByText('This key is read-only.').waitFor()
    for (const path of ['', '/memories', '/memories?status=quarantined', `/memories/${id}`]) {
      await page.goto(`${inspector.served.url}/people/${user}${path}#key=${reader}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('bees').first().or(page.getByText('Okafor').first()).first().waitFor()
      expect(await page.getByRole('button', { name: /^(Edit|Pin|Forget|Restore|Accept|Undo)/ }).count()).toBe(
        0,
      )
    }
    await page.goto(`${inspector.served.url}/#key=${reader}`)
    await page.getByRole('link', { name: user }).waitFor()
  })

  it('has two tabs agree', async () => {
    const one = await open('/memories?form=fact')
    const other = await open('/memories?form=fact')
    await row(other.page, 'keeps bees').waitFor()
    await row(one.page, 'keeps bees').getByRole('button', { name: 'Pin', exact: true }).click()
    await row(other.page, 'keeps bees').getByText('pinned', { exact: true }).waitFor()
    await one.context.close()
    await other.context.close()
  })

  it('says that the connection was lost, and recovers', async () => {
    const { page } = await open('/memories?form=fact')
    await row(page, 'keeps bees').waitFor()
    await inspector.served.stop()
    await page.getByText('The connection to the server was lost').waitFor()
    await row(page, 'keeps bees').waitFor()
    await inspector.served.start()
    await page.getByText('The connection to the server was lost').waitFor({ state: 'detached' })
    const { id } = await fact()
    await inspector.served.keepsake.scope({ user }).edit(id, { text: 'The user keeps bees again.' })
    await row(page, 'bees again').waitFor()
  })

  it('goes from memory to memory by the keys, and narrows by words', async () => {
    const { page } = await open('/memories')
    await page.locator('.memory-text').first().focus()
    await page.keyboard.press('ArrowDown')
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index')),
      )
      .toBe('1')
    await page.getByLabel('Contains').fill('no such words')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await row(page, 'keeps bees').waitFor()
  })
})
