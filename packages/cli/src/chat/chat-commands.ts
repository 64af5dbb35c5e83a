import type { Memory } from 'keepsake'
import { endSession, type Chat } from './chat.ts'
import { wrongUsage } from '../cli-error.ts'
import { findMemory } from '../find-memory.ts'
import { showExplanation } from '../output/format-explanation.ts'
import { factsWithoutKey, formatFacts } from '../output/format-memory.ts'
import { showPersona } from '../output/format-person.ts'
import type { Shown } from '../output/print.ts'
import { joinMarks, printable, shorten, wrapLines } from '../output/style.ts'

interface ChatCommand {
  readonly name: string
  readonly argument?: string
  readonly about: string
  /** `null` ends the chat. */
  readonly run: (chat: Chat, argument: string) => Promise<Shown | null>
}

const COMMANDS: readonly ChatCommand[] = [
  { name: 'why', argument: 'N', about: 'why memory N of the last reply is kept', run: explain },
  { name: 'memory', about: 'facts about you, by key', run: showKnown },
  { name: 'forget', argument: 'N', about: 'forget memory N of the last reply', run: forget },
  { name: 'undo', about: 'undo the last /forget, or the given operation', run: undo },
  { name: 'end', about: 'end the session and extract facts now; the chat continues', run: end },
  {
    name: 'help',
    about: 'this list',
    run: async () => ({ data: HELP, formatText: ({ width }) => wrapLines(HELP, width) }),
  },
  { name: 'quit', about: 'end the session and leave (or Ctrl-D)', run: async () => null },
]

export const HELP = [
  ...COMMANDS.map(({ name, argument = '', about }) => `   ${`/${name} ${argument}`.padEnd(12)}${about}`),
  `   N is a number shown under the reply, or the end of a memory's id.`,
  `   Ctrl-C stops a reply. Put a space before a line that begins with / to send it as a message.`,
].join('\n')

/** Runs a command. @returns whether the chat continues. @throws CliError, KeepsakeError when it fails. */
export async function runChatCommand(chat: Chat, line: string): Promise<boolean> {
  const [name = '', ...rest] = line.slice(1).trim().split(/\s+/)
  const command = COMMANDS.find((command) => command.name === name.toLowerCase())
  if (command === undefined) throw wrongUsage(`There is no command /${name}. /help lists the commands.`)
  const argument = rest.join(' ')
  if (command.argument !== undefined && argument === '')
    throw wrongUsage(`Add the argument: /${command.name} ${command.argument}.`)
  const result = await command.run(chat, argument)
  if (result !== null) chat.view.showResult(result)
  return result !== null
}

const plainResult = (text: string, data: unknown): Shown => ({ data, formatText: () => text })

/** Finds the memory that a number of the last reply, or the end of an id, names. */
async function findNumbered({ scope, recalled }: Chat, memoryNumber: string): Promise<Memory> {
  if (!/^\d{1,3}$/.test(memoryNumber)) return findMemory(scope, memoryNumber)
  const chosen = recalled[Number(memoryNumber) - 1]
  if (chosen === undefined)
    throw wrongUsage(
      recalled.length === 0
        ? 'No reply has recalled a memory yet.'
        : `The last reply recalled ${recalled.length} memories: give a number from 1 to ${recalled.length}, or the end of an id.`,
    )
  if (chosen.pending)
    throw wrongUsage('That message is too recent to be a memory. Try again after the next turn.')
  return chosen.memory
}

async function explain(chat: Chat, memoryNumber: string): Promise<Shown> {
  return showExplanation(await chat.scope.explain((await findNumbered(chat, memoryNumber)).id), false)
}

/** Maximum of shown facts that have no key of the persona sheet. */
const MAX_OTHER_FACTS = 20
const NO_FACTS_YET = 'Facts are extracted in the background; /end extracts the rest now.'

async function showKnown({ scope }: Chat): Promise<Shown> {
  const sheet = await scope.persona()
  const otherFacts = factsWithoutKey(await scope.memories({ forms: ['fact'] }))
  const isEmpty = sheet.subjects.length === 0
  const formatText: Shown['formatText'] = (style) =>
    joinMarks(
      [
        isEmpty && otherFacts.length > 0 ? '' : showPersona(sheet, scope.key.user).formatText(style),
        formatFacts(isEmpty ? 'Known' : 'Other facts', otherFacts, MAX_OTHER_FACTS, style),
        isEmpty && otherFacts.length === 0 ? style.dim(NO_FACTS_YET) : '',
      ],
      '\n',
    )
  return { data: { sheet, besides: otherFacts }, formatText }
}

async function forget(chat: Chat, memoryNumber: string): Promise<Shown> {
  const { id, text } = await findNumbered(chat, memoryNumber)
  const operation = await chat.scope.forget(id)
  chat.undoable.push(operation.id)
  return {
    data: { memory: id, operation: operation.id },
    formatText: ({ width, dim }) =>
      `Forgotten: ${shorten(printable(text), width - 11)}\n${dim('/undo restores it.')}`,
  }
}

async function undo(chat: Chat, operationId: string): Promise<Shown> {
  const id = operationId === '' ? chat.undoable.at(-1) : operationId
  if (id === undefined) throw wrongUsage('No command of this chat has changed anything yet.')
  const operation = await chat.scope.undo(id)
  if (operationId === '') chat.undoable.pop()
  return plainResult('Undone.', { undone: id, operation: operation.id })
}

async function end(chat: Chat): Promise<Shown> {
  if (chat.settings.session !== undefined)
    throw wrongUsage('This chat was started with --session: /quit ends the session and the chat.')
  if (!chat.hasOpenSession) throw wrongUsage('There are no messages since the last session ended.')
  await endSession(chat)
  return plainResult('Your next message starts a new session.', { ended: true })
}
