import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { NO_BROWSER, openPage, REASON } from './browser.ts'
import { findBarriers } from './check-accessible.ts'
import { useInspector } from './serve.ts'

const CHATGPT = JSON.stringify([
  {
    conversation_id: 'c1',
    title: 'Marathon',
    create_time: 1_772_535_900,
    current_node: 'b',
    mapping: {
      root: { message: null, children: ['a'] },
      a: {
        parent: 'root',
        children: ['b'],
        message: {
          id: 'a',
          author: { role: 'user' },
          create_time: 1_772_535_910,
          content: { content_type: 'text', parts: ['I run the half marathon in <b>Porto</b>.'] },
        },
      },
      b: {
        parent: 'a',
        children: [],
        message: {
          id: 'b',
          author: { role: 'assistant' },
          create_time: 1_772_535_920,
          content: { content_type: 'text', parts: ['Well done!'] },
        },
      },
    },
  },
])
const WHATSAPP = [
  '13/03/2026, 19:04 - Messages and calls are end-to-end encrypted. Tap to learn more.',
  '13/03/2026, 19:05 - Rosa: I learn the cello',
  '13/03/2026, 19:06 - Emil: <Media omitted>',
  '13/03/2026, 19:07 - Emil: Since when?',
  '13/03/2026, 19:08 - Rosa: Since the winter',
].join('\n')
const MEM0 = JSON.stringify({
  results: [
    { id: 'm1', memory: 'Likes green tea', user_id: 'noor', created_at: '2026-03-01T10:00:00Z' },
    { id: 'm2', memory: 'Keeps two goats', user_id: 'olaf', created_at: '2026-03-01T10:00:00Z' },
  ],
})
const CLAUDE = JSON.stringify([
  {
    uuid: 'k1',
    name: '花园',
    created_at: '2026-03-01T08:00:00Z',
    chat_messages: [
      { uuid: 'k1a', sender: 'human', text: '我在种番茄。', created_at: '2026-03-01T08:00:01Z' },
      { uuid: 'k1b', sender: 'assistant', text: '什么品种？', created_at: '2026-03-01T08:00:09Z' },
    ],
  },
])
const TREES = Array.from({ length: 2_500 }, (_, index) =>
  JSON.stringify({ role: 'user', text: `I planted tree number ${index} behind the house.` }),
).join('\n')

describe.skipIf(NO_BROWSER !== null)(`a file that is brought in${REASON}`, () => {
  const inspector = useInspector()

  const open = async (user: string, options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(inspector.browser, options)
    await watched.page.goto(`${inspector.served.url}/people/${user}/data#key=${inspector.key}`)
    await watched.page.locator('input[type=file]').waitFor({ state: 'attached' })
    return watched
  }
  const choose = (page: Page, name: string, content: string): Promise<void> =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  const drop = async (page: Page, name: string, content: string): Promise<void> => {
    const data = await page.evaluateHandle(
      ([called, text]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text ?? ''], called ?? ''))
        return transfer
      },
      [name, content],
    )
    await page.dispatchEvent('.data-drop', 'drop', { dataTransfer: data })
  }
  const saidBy = async (user: string): Promise<readonly string[]> =>
    (await inspector.served.keepsake.scope({ user }).turns()).map(({ role, text }) => `${role}: ${text}`)

  it('is dropped, shown before anything is stored, imported, and not twice', async () => {
    const { page, faults } = await open('maya')
    await drop(page, 'conversations.json', CHATGPT)
    await page.getByText('ChatGPT export').waitFor()
    await page.getByText('2 messages in 1 session').waitFor()
    // What it says is characters, not markup.
    await page.getByText('I run the half marathon in <b>Porto</b>.').waitFor()
    expect(await saidBy('maya')).toEqual([])
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Import 2 messages' }).click()
    await page.getByText('2 of 2 messages were new and are now stored.').waitFor()
    expect(await saidBy('maya')).toEqual([
      'user: I run the half marathon in <b>Porto</b>.',
      'assistant: Well done!',
    ])
    await choose(page, 'conversations.json', CHATGPT)
    await page.getByRole('button', { name: 'Import 2 messages' }).click()
    await page.getByText('0 of 2 messages were new').waitFor()
    expect(await saidBy('maya')).toHaveLength(2)
    expect(faults).toEqual([])
  })

  it('asks who of a chat is the user, says what is left out, and can be told otherwise', async () => {
    const { page } = await open('rosa-k')
    await choose(page, 'chat.txt', WHATSAPP)
    await page.getByText('Which speaker is the user?').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Emil (2)' }).click()
    const user = page.getByLabel('The user is')
    await expect.poll(() => user.inputValue()).toBe('Emil')
    await user.selectOption('Rosa')
    await expect.poll(() => page.getByLabel('The user is').inputValue()).toBe('Rosa')
    await page.getByText('Skipped, notices of the messenger: 1').waitFor()
    await page.getByRole('button', { name: 'Import 4 messages' }).click()
    await page.getByText('4 of 4 messages were new').waitFor()
    expect(await saidBy('rosa-k')).toEqual([
      'user: I learn the cello',
      'assistant: [file]',
      'assistant: Since when?',
      'user: Since the winter',
    ])
  })

  it('asks whose turns of several people are meant', async () => {
    const { page } = await open('olaf')
    await choose(page, 'memories.json', MEM0)
    await page.getByText('The file contains several users. Which one do you want to import?').waitFor()
    await page.getByRole('button', { name: 'olaf (1)' }).click()
    await page.getByText('Skipped, messages of other users: 1').waitFor()
    await page.getByText(/Statements without a message: 1\./).waitFor()
    await page.getByRole('button', { name: 'Import 1 message' }).click()
    await page.getByText('1 of 1 messages were new').waitFor()
    const listed = await inspector.served.keepsake.scope({ user: 'olaf' }).memories()
    expect(listed.map(({ text }) => text)).toEqual(['Keeps two goats'])
  })

  it('says by file and line what is wrong, asks what it does not know, and goes on', async () => {
    const { page } = await open('noor')
    await choose(
      page,
      'bees.jsonl',
      '{"role":"user","text":"Bees."}\n{"role":"user","text":"Hives.","at":"2026-02-31"}',
    )
    await page.getByText(/bees\.jsonl:2: "at" is impossible/).waitFor()
    await choose(page, 'note.txt', 'hello')
    await page.getByText('The format is not recognised. Which is it?').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await choose(page, 'talk.txt', 'User: I play chess.\nAssistant: With whom?\n')
    await page.getByText('Transcript').waitFor()
    await page.getByText('Without a time, dated at import: 2').waitFor()
    await page.getByRole('button', { name: 'Import 2 messages' }).click()
    await page.getByText('2 of 2 messages were new').waitFor()
  })

  it('shows how far it is, can be stopped, and goes on from there', async () => {
    const { page, context } = await open('wald')
    await choose(page, 'trees.jsonl', TREES)
    await page.getByRole('button', { name: 'Import 2,500 messages' }).click()
    await page.getByText(/^\d[\d,]* of 2,500 messages stored …$/).waitFor()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/^Stopped: /).waitFor()
    await expect
      .poll(async () => {
        const before = (await saidBy('wald')).length
        await page.waitForTimeout(1_500)
        return (await saidBy('wald')).length - before
      })
      .toBe(0)
    const stored = (await saidBy('wald')).length
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(2_500)
    await choose(page, 'trees.jsonl', TREES)
    await page.getByRole('button', { name: 'Import 2,500 messages' }).click()
    await page
      .getByText(`${(2_500 - stored).toLocaleString('en')} of 2,500 messages were new`)
      .waitFor({ timeout: 60_000 })
    expect(new Set(await saidBy('wald')).size).toBe(2_500)
    await context.close()
  })

  it('is brought back where it is an export of Keepsake, by a key that may', async () => {
    await inspector.served.keepsake.scope({ user: 'old' }).remember({ role: 'user', text: 'I row.' })
    const lines = await Array.fromAsync(inspector.served.keepsake.scope({ user: 'old' }).export())
    const file = lines.join('\n').replaceAll('"old"', '"returned"')
    const { page, context } = await open('returned')
    await choose(page, 'old.jsonl', file)
    await page.getByRole('button', { name: 'Restore returned' }).click()
    await page.getByText('Restored: returned.').waitFor()
    expect(await saidBy('returned')).toEqual(['user: I row.'])
    await context.close()
    const writing = await inspector.served.keyFor({ actions: ['read', 'write'] })
    const other = await openPage(inspector.browser)
    await other.page.goto(`${inspector.served.url}/people/returned/data#key=${writing}`)
    await choose(other.page, 'old.jsonl', file)
    await other.page.getByText(/needs a key with the action “admin”/).waitFor()
    expect(await other.page.getByRole('button', { name: /Restore/ }).count()).toBe(0)
    await other.context.close()
  })

  it('is shown in Chinese on a small screen, in the dark', async () => {
    const { page } = await open('lin', {
      locale: 'zh-CN',
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    })
    await choose(page, 'conversations.json', CLAUDE)
    await page.getByText('Claude 的导出').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: '导入 2 条消息' }).click()
    await page.getByText('2 条消息中有 2 条是新的，已存入。').waitFor()
    expect(await saidBy('lin')).toEqual(['user: 我在种番茄。', 'assistant: 什么品种？'])
  })
})
