import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { openServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'

const FOLDER = new URL('../../../integrations/', import.meta.url)
const WHY_NOT =
  'Python with httpx and pydantic is missing (apt-get install python3-httpx python3-pydantic), so the Open WebUI filter was not tried'
const hasPython = spawnSync('/usr/bin/python3', ['-c', 'import httpx, pydantic']).status === 0
if (!hasPython) process.stderr.write(`Skipped: ${WHY_NOT}.\n`)

let keepsake: Keepsake
let server: Awaited<ReturnType<typeof openServer>>

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  server = await openServer({ keepsake, port: 0, unlocked: true })
})
afterEach(async () => {
  await server.close()
  await keepsake.close()
})

/** Runs the filter as Open WebUI does: `inlet`, then `outlet`, each with the body and the user. */
async function runFilter(url: string, steps: readonly object[]): Promise<unknown[]> {
  const program = `
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from keepsake_filter import Filter
async def main():
    filter = Filter()
    filter.valves = Filter.Valves(url=sys.argv[2])
    results = []
    for step in json.loads(sys.argv[3]):
        results.append(await getattr(filter, step.pop("call"))(**step))
    print(json.dumps(results))
asyncio.run(main())`
  const folder = fileURLToPath(new URL('open-webui', FOLDER))
  const child = spawn('/usr/bin/python3', ['-B', '-c', program, folder, url, JSON.stringify(steps)])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += String(data)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, output).toBe(0)
  return [output.split('\n').slice(0, -2), JSON.parse(output.trim().split('\n').at(-1) ?? '')].flat()
}

it.skipIf(!hasPython)('the Open WebUI filter remembers a chat and recalls it in another', async () => {
  const user = { id: 'u-1', name: 'Ana', email: 'ana@example.org', role: 'user' }
  const said = { role: 'user', content: 'My sister Mia is allergic to peanuts.' }
  const question = { role: 'user', content: [{ type: 'text', text: 'What can I not cook for Mia?' }] }
  const stored = {
    chat_id: 'monday',
    messages: [
      { ...said, id: 'm1' },
      { role: 'assistant', content: 'Poor Mia!', id: 'm2' },
    ],
  }
  const system = { role: 'system', content: 'Be kind.' }
  const [, , inlet, task] = (await runFilter(server.url, [
    { call: 'outlet', body: stored, __user__: user },
    { call: 'outlet', body: stored, __user__: user },
    { call: 'inlet', body: { messages: [system, question] }, __user__: user },
    { call: 'inlet', body: { messages: [question] }, __user__: user, __task__: 'title_generation' },
  ])) as { messages: { role: string; content: unknown }[] }[]
  expect(inlet?.messages.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
  expect(inlet?.messages[1]?.content).toContain('allergic to peanuts')
  expect(task?.messages).toEqual([question])
  const turns = await keepsake.scope({ user: 'u-1' }).turns({ session: 'monday' })
  expect(turns.map(({ role, text, id }) => [role, text, id])).toEqual([
    ['user', 'My sister Mia is allergic to peanuts.', 'open-webui/monday/m1'],
    ['assistant', 'Poor Mia!', 'open-webui/monday/m2'],
  ])
})

it.skipIf(!hasPython)('the Open WebUI filter lets the chat continue when the server is away', async () => {
  const body = { messages: [{ role: 'user', content: 'Where do I live?' }] }
  const [printed, result] = await runFilter('http://127.0.0.1:9', [
    { call: 'inlet', body, __user__: { id: 'u-1' } },
  ])
  expect(printed).toMatch(/^Keepsake failed to recall; the chat continued\./)
  expect(result).toEqual(body)
})

/** A chat message as SillyTavern keeps it. */
interface ChatMessage {
  name: string
  is_user: boolean
  is_system?: boolean
  mes: string
  send_date: string
}

/** The extension in a page of SillyTavern, of which it sees the context alone. */
async function openExtension(url: string, chatId: string, chat: ChatMessage[]) {
  const prompts = new Map<string, string>()
  const context = {
    chat,
    chatId,
    name1: 'Ana',
    name2: 'Seraphina',
    extensionSettings: { keepsake: { url } },
    setExtensionPrompt: (name: string, text: string) => prompts.set(name, text),
  }
  const page = vm.createContext({ SillyTavern: { getContext: () => context }, fetch, console, Error })
  vm.runInContext(await readFile(new URL('sillytavern/index.js', FOLDER), 'utf8'), page)
  const manifest = JSON.parse(await readFile(new URL('sillytavern/manifest.json', FOLDER), 'utf8'))
  const intercept = page[manifest.generate_interceptor] as (...args: unknown[]) => Promise<void>
  return { prompts, generate: (type = 'normal') => intercept(chat, 8192, () => {}, type) }
}

it('the SillyTavern extension stores settled messages and recalls them in another chat', async () => {
  const line = (name: string, mes: string, minute: number): ChatMessage => ({
    name,
    is_user: name === 'Ana',
    mes,
    send_date: `2026-11-02T10:0${minute}:00.000Z`,
  })
  const chat = [line('Seraphina', 'Welcome.', 0), line('Ana', 'My sister Mia is allergic to peanuts.', 1)]
  const monday = await openExtension(server.url, 'Seraphina - monday', chat)
  await monday.generate()
  // The first swipe of a reply is replaced before the user goes on.
  chat.push(line('Seraphina', 'Peanuts are tasty.', 2))
  await monday.generate('swipe')
  chat[2] = line('Seraphina', 'Poor Mia!', 2)
  chat.push(line('Ana', 'Thank you.', 3))
  await monday.generate()
  const turns = await keepsake.scope({ user: 'Ana', agent: 'Seraphina' }).turns({})
  expect(turns.map(({ role, speaker, text }) => [role, speaker, text])).toEqual([
    ['assistant', 'Seraphina', 'Welcome.'],
    ['user', 'Ana', 'My sister Mia is allergic to peanuts.'],
    ['assistant', 'Seraphina', 'Poor Mia!'],
    ['user', 'Ana', 'Thank you.'],
  ])
  expect(turns[1]?.at).toBe(Date.parse('2026-11-02T10:01:00.000Z'))

  const friday = await openExtension(server.url, 'Seraphina - friday', [
    line('Ana', 'What can I not cook for Mia?', 5),
  ])
  await friday.generate('quiet')
  expect(friday.prompts.get('keepsake')).toBe('')
  await friday.generate()
  expect(friday.prompts.get('keepsake')).toContain('allergic to peanuts')
})
