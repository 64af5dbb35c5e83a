import type { Keepsake } from 'keepsake'
import { given, KeepsakeError, ModelError } from '@keepsake/text/names'
import { endChat, type Chat } from './chat.ts'
import { runChatCommand } from './chat-commands.ts'
import { ChatInput } from './chat-input.ts'
import { showToPeople, writeJson } from './chat-view.ts'
import { LearnedLog } from './learned.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { modelName } from '../model-options.ts'
import { formatCount } from '../output/format-quantity.ts'
import { sentence } from '../output/style.ts'
import { CallTally } from '../watch-calls.ts'

/** Runs a chat until its end. @throws CliError when lines came from a pipe and some got no reply */
export async function runChat(
  io: Io,
  { memory, ...parts }: { readonly memory: Keepsake } & Pick<Chat, 'scope' | 'settings' | 'progress'>,
  isJson: boolean,
): Promise<void> {
  const { key } = parts.scope
  const input = new ChatInput(io, `${key.user}> `)
  const chat: Chat = {
    ...parts,
    input,
    view: isJson ? writeJson(io) : showToPeople(io, parts.settings.agent),
    learned: new LearnedLog(memory, key),
    tally: new CallTally(memory),
    recalled: [],
    undoable: [],
    isLeaving: false,
    hasOpenSession: false,
    turnCount: 0,
    unanswered: 0,
  }
  try {
    await greet(chat)
    await talk(chat)
    await endChat(chat)
  } finally {
    input.close()
  }
  if (!input.isTerminal && chat.unanswered > 0)
    throw new CliError(
      `${chat.unanswered} of ${formatCount(chat.turnCount, 'turn')} got no reply.`,
      EXIT.failure,
    )
}

async function greet({ scope, settings, view }: Chat): Promise<void> {
  const sessions = await scope.sessions()
  const greeting =
    sessions.length === 0
      ? `There are no memories of ${scope.key.user} yet.`
      : `There are memories of ${scope.key.user} from ${formatCount(sessions.length, 'session')}.`
  const withWhom =
    settings.model === null
      ? 'There is no model (set --model): messages are remembered, and questions are answered with earlier messages.'
      : `Chatting with ${modelName(settings.model)}.`
  view.note(`${withWhom} ${greeting} /help lists commands; Ctrl-D or /quit ends.`)
  if (settings.unreachable !== undefined)
    view.showError(`${settings.unreachable} Until it answers, messages are kept and get no reply.`)
}

async function talk(chat: Chat): Promise<void> {
  const { input, view, learned } = chat
  learned.onNews = () => {
    // Waits for the next prompt while a line is being typed.
    if (input.isIdle) input.writeAbove(() => view.learned(learned.take()))
  }
  for (;;) {
    view.learned(learned.take())
    const line = await input.next()
    if (line.kind === 'end') return
    if (line.kind === 'interrupt') {
      if (chat.isLeaving) return
      chat.isLeaving = true
      view.note('Press Ctrl-C again, or Ctrl-D, to leave.')
      continue
    }
    chat.isLeaving = false
    if (line.text.startsWith('/')) {
      if (!(await runCommandLine(chat, line.text))) return
    } else if (line.text.trim() !== '') {
      await (chat.settings.model === null ? recallTurn : answerTurn)(chat, line.text.trim())
    }
  }
}

/** Runs a slash command. @returns whether the chat continues. */
async function runCommandLine(chat: Chat, line: string): Promise<boolean> {
  try {
    return await runChatCommand(chat, line)
  } catch (error) {
    if (!(error instanceof CliError) && !(error instanceof KeepsakeError)) throw error
    chat.view.showError(error.message)
    return true
  }
}

const WAITING_LABEL = '   Waiting for the reply'

/** Handles a turn and streams the reply. The turn is stored even if the reply fails. */
export async function answerTurn(chat: Chat, message: string): Promise<void> {
  const { scope, input, view, progress } = chat
  const { model: _model, unreachable: _unreachable, ...options } = chat.settings
  const controller = new AbortController()
  input.onInterrupt = () => controller.abort()
  chat.turnCount += 1
  chat.hasOpenSession = true
  progress.wait(WAITING_LABEL)
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const reply = await scope.reply(
      { role: 'user', text: message, timeZone },
      { timeZone, abortSignal: controller.signal, ...options },
    )
    for await (const piece of reply.textStream) {
      progress.stop()
      view.addPiece(piece)
    }
    await reply.remembered
    chat.recalled = reply.recall.memories
    view.endReply(message, await reply.text, reply.recall)
  } catch (error) {
    progress.stop()
    chat.unanswered += 1
    chat.isLeaving = controller.signal.aborted
    view.failReply(message, describeError(error, controller.signal.aborted))
  } finally {
    input.onInterrupt = () => undefined
  }
}

/** Describes an error after which the chat can continue; rethrows any other. */
function describeError(error: unknown, isStopped: boolean): string {
  if (isStopped) return 'Stopped. Your message is kept; this reply is not. Press Ctrl-C again to leave.'
  if (error instanceof ModelError)
    return `There is no reply: ${sentence(error.message)} Your message is kept; write another to continue.`
  if (error instanceof KeepsakeError && error.isRetryable)
    return `That did not work: ${sentence(error.message)} Please try again.`
  throw error
}

/** Handles a turn without a model: recalls, remembers, and extracts facts at once, so that they are shown before the next turn. */
export async function recallTurn(chat: Chat, message: string): Promise<void> {
  const { scope, view, settings } = chat
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    const recall = await scope.recall(message, { timeZone })
    await scope.remember({ role: 'user', text: message, timeZone }, given({ session: settings.session }))
    chat.turnCount += 1
    chat.hasOpenSession = true
    await scope.drain()
    chat.recalled = recall.memories
    view.showRecall(message, recall)
  } catch (error) {
    if (!(error instanceof KeepsakeError) || !error.isRetryable) throw error
    view.showError(`That did not work: ${sentence(error.message)} Please try again.`)
  }
}
