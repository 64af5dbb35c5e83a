import type { Memory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { findMemory } from '../find-memory.ts'
import { formatExplanation } from '../output/format-explanation.ts'
import { besidesSheet, formatFacts } from '../output/format-facts.ts'
import { formatPersona } from '../output/format-persona.ts'
import { formatPortrait } from '../output/format-portrait.ts'
import { formatStory } from '../output/format-story.ts'
import { printable, shorten } from '../output/style.ts'
import type { Chat } from './chat.ts'
import type { Shown } from './chat-view.ts'
import { endSession } from './end-chat.ts'

interface ChatCommand {
  readonly name: string
  readonly argument?: string
  readonly about: string
  /** `null` ends the talk. */
  readonly run: (chat: Chat, argument: string) => Promise<Shown> | Shown | null
}

const COMMANDS: readonly ChatCommand[] = [
  { name: 'why', argument: 'N', about: 'why memory N of the last reply is kept', run: explain },
  { name: 'memory', about: 'what is known, by key', run: showPersona },
  { name: 'portrait', about: 'the compressed whole', run: showPortrait },
  { name: 'story', about: 'the story so far', run: showStory },
  { name: 'forget', argument: 'N', about: 'drop memory N of the last reply', run: forget },
  { name: 'undo', about: 'take back the last /forget, or the operation given', run: undo },
  { name: 'quiet', about: 'show, or no longer show, what is recalled and learned', run: toggleQuiet },
  { name: 'end', about: 'end the session and learn from it now; the talk goes on', run: end },
  { name: 'help', about: 'this list', run: () => ({ words: HELP, data: HELP }) },
  { name: 'quit', about: 'end the session and leave; Ctrl-D does as well', run: () => null },
]

/** What can be typed besides talk. */
export const HELP = [
  ...COMMANDS.map(({ name, argument = '', about }) => `   ${`/${name} ${argument}`.padEnd(12)}${about}`),
  `   N is a number as shown under the reply, or the end of a memory's id.`,
  `   Ctrl-C stops a reply. A space before it makes a line that begins with / talk.`,
].join('\n')

/** Runs a command. @returns whether the talk goes on. @throws CliError, KeepsakeError when it cannot be done. */
export async function runChatCommand(chat: Chat, line: string): Promise<boolean> {
  const [name = '', ...rest] = line.slice(1).trim().split(/\s+/)
  const command = COMMANDS.find((one) => one.name === name.toLowerCase())
  if (command === undefined) throw wrongUsage(`There is no /${name}. /help lists what there is.`)
  const argument = rest.join(' ')
  if (command.argument !== undefined && argument === '')
    throw wrongUsage(`Say which: /${command.name} ${command.argument}.`)
  const shown = await command.run(chat, argument)
  if (shown === null) return false
  chat.view.shown(shown)
  return true
}

async function memoryFor(chat: Chat, given: string): Promise<Memory> {
  const place = /^\d{1,3}$/.test(given) ? Number(given) : null
  const recalled = place === null ? undefined : chat.recalled[place - 1]
  if (recalled === undefined) {
    if (place === null) return findMemory(chat.scope, given)
    throw wrongUsage(
      chat.recalled.length === 0
        ? 'No reply has recalled anything yet.'
        : `The last reply recalled ${chat.recalled.length}: give a number from 1 to ${chat.recalled.length}, or the end of an id.`,
    )
  }
  if (recalled.pending)
    throw wrongUsage('That was said a moment ago and is not yet a memory of its own. Try again after a turn.')
  return recalled.memory
}

async function explain(chat: Chat, given: string): Promise<Shown> {
  const explanation = await chat.scope.explain((await memoryFor(chat, given)).id)
  return { words: formatExplanation(explanation, chat.style), data: explanation }
}

/** Facts shown that fit no key of the sheet. */
const FACTS_SHOWN = 20
const NOT_YET = 'Facts are drawn in the background as you talk; /end has the rest read now.'

async function showPersona({ scope, style }: Chat): Promise<Shown> {
  const sheet = await scope.persona()
  const others = besidesSheet(await scope.memories({ forms: ['fact'] }))
  const isEmpty = sheet.subjects.length === 0
  const parts = [
    isEmpty && others.length > 0 ? '' : formatPersona(sheet, scope.key.user, style),
    formatFacts(isEmpty ? 'Known' : 'Besides', others, style, { limit: FACTS_SHOWN }),
    isEmpty && others.length === 0 ? style.dim(NOT_YET) : '',
  ]
  return { words: parts.filter((part) => part !== '').join('\n'), data: { sheet, besides: others } }
}

async function showPortrait({ scope, style }: Chat): Promise<Shown> {
  const portrait = await scope.portrait()
  return { words: formatPortrait(portrait, style), data: portrait }
}

async function showStory({ scope, style }: Chat): Promise<Shown> {
  const levels = await scope.story()
  return { words: formatStory(levels, style), data: { levels } }
}

async function forget(chat: Chat, given: string): Promise<Shown> {
  const memory = await memoryFor(chat, given)
  const operation = await chat.scope.remove(memory.id)
  chat.done.push(operation.id)
  const words = `Dropped: ${shorten(printable(memory.text), chat.style.width - 9)}\n${chat.style.dim('/undo brings it back.')}`
  return { words, data: { memory: memory.id, operation: operation.id } }
}

async function undo(chat: Chat, given: string): Promise<Shown> {
  const id = given === '' ? chat.done.at(-1) : given
  if (id === undefined) throw wrongUsage('Nothing was changed by a command of this chat yet.')
  const operation = await chat.scope.undo(id)
  if (given === '') chat.done.pop()
  return { words: 'Undone.', data: { undone: id, operation: operation.id } }
}

async function end(chat: Chat): Promise<Shown> {
  if (chat.settings.session !== null)
    throw wrongUsage('This talk was given its session by --session: /quit ends both.')
  if (!chat.hasOpenSession) throw wrongUsage('Nothing was said since the last session ended.')
  await endSession(chat)
  return { words: 'What you say next begins a new session.', data: { ended: true } }
}

function toggleQuiet({ view }: Chat): Shown {
  view.isQuiet = !view.isQuiet
  const words = view.isQuiet ? 'Quiet: replies only.' : 'Showing what is recalled and learned.'
  return { words, data: { quiet: view.isQuiet } }
}
