// A Telegram bot that remembers each user. It asks Telegram for messages (long polling), so it needs no public address and runs behind any
// router.
import { openModel } from '@keepsake/models'
import { openMemory } from 'keepsake'

interface Update {
  readonly update_id: number
  readonly message?: {
    readonly message_id: number
    readonly date: number
    readonly text?: string
    readonly from?: { readonly id: number; readonly first_name: string }
    readonly chat: { readonly id: number }
  }
}

const { TELEGRAM_API = 'https://api.telegram.org', TELEGRAM_TOKEN: token } = process.env
if (!token) throw new Error('Set TELEGRAM_TOKEN to the token that @BotFather gave for your bot.')
const API = `${TELEGRAM_API}/bot${token}`
const model = await openModel(process.env.KEEPSAKE_MODEL ?? 'openai:gpt-5-mini')
const keepsake = await openMemory({ path: process.env.KEEPSAKE_DB ?? 'memory.db', model })

async function call<Result>(method: string, body: object, signal?: AbortSignal): Promise<Result> {
  const response = await fetch(`${API}/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  const { ok, result, description } = (await response.json()) as {
    ok: boolean
    result: Result
    description?: string
  }
  if (!ok) throw new Error(`Telegram refused ${method}: ${description}`)
  return result
}

async function answer({ message }: Update): Promise<string | null> {
  if (message?.text === undefined || message.from === undefined) return null
  const { id, first_name: name } = message.from
  const person = keepsake.scope({ user: `telegram-${id}`, agent: 'bot' })
  // In groups Telegram sends `/erase@name_of_the_bot`.
  const command = /^\/\w+/.exec(message.text)?.[0]
  if (command === '/start')
    return `Hello ${name}! Tell me about yourself. /memories shows what I know, /erase has it gone for good.`
  if (command === '/erase') {
    await keepsake.scope({ user: `telegram-${id}` }).erase({ everything: true })
    return 'All of it is gone for good.'
  }
  if (command === '/memories') {
    const facts = await person.memories({ forms: ['fact'] })
    return facts.map(({ text }) => `• ${text}`).join('\n') || 'Nothing yet.'
  }
  // The turn's id contains the message's id, so a message that Telegram delivers again is stored once.
  const turn = { role: 'user', text: message.text, speaker: name, at: message.date * 1000 } as const
  const reply = await person.reply(
    { ...turn, id: `telegram-${message.chat.id}-${message.message_id}` },
    { instructions: 'You are a warm friend in a chat. Answer in two sentences at most.' },
  )
  const text = await reply.text
  await reply.remembered
  return text
}

/** Returns an answer for a failure, such as a model that is down. The bot then goes on with the other messages. */
function excuse(error: unknown): string {
  console.error(error)
  return 'I could not answer that. Please say it again in a while, or in other words.'
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

let offset = 0
while (!stopping.signal.aborted) {
  try {
    const updates = await call<readonly Update[]>('getUpdates', { offset, timeout: 50 }, stopping.signal)
    for (const update of updates) {
      const text = await answer(update).catch(excuse)
      if (text !== null) await call('sendMessage', { chat_id: update.message?.chat.id, text })
      offset = update.update_id + 1
    }
  } catch (error) {
    if (stopping.signal.aborted) break
    console.error(error)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}
await keepsake.close()
