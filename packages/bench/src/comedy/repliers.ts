import { estimateTokens, type EmbeddingModel, type LanguageModel } from 'keepsake'
import { promptRunner, requestTokens } from 'keepsake/model'
import { findPreset, PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { TEXT_PROMPTS } from 'keepsake/preset'
import type { DolphinEpisode } from '../datasets/dolphin.ts'
import type { DatasetTurn } from '../datasets/conversation.ts'
import { openPreset, type KeepsakeMemory } from '../systems/keepsake.ts'
import { turnInputs } from '../systems/turn-inputs.ts'

/** Token budgets of the systems without a memory, which see only the latest turns (COMEDY's baseline “Context-only”). */
const CONTEXT_TOKENS = { 'context-only': 8_000, 'context-only-2k': 2_000 } as const
type ContextOnly = keyof typeof CONTEXT_TOKENS
export type ReplierName = PresetName | ContextOnly
export const REPLIERS: readonly ReplierName[] = [...PRESET_NAMES, 'context-only', 'context-only-2k']

const [replyPrompt] = TEXT_PROMPTS
/** The share of a model's request that earlier turns may take. */
const PAST_SHARE = 0.7

/** A system that has read an episode and replies in later sessions. */
export interface Replier {
  readonly name: ReplierName
  /** Replies to the last turn of a session. The system remembers nothing of this session. */
  reply(talk: readonly DatasetTurn[]): Promise<string>
  /** `null`: the system has no memory. */
  readonly memory: KeepsakeMemory | null
  close(): Promise<void>
}

/** Opens a system and passes the sessions of an episode to it. */
export async function openReplier(
  name: ReplierName,
  episode: DolphinEpisode,
  { model, embedding }: { readonly model: LanguageModel; readonly embedding: EmbeddingModel | null },
): Promise<Replier> {
  if (isContextOnly(name)) return contextOnly(name, episode, model)
  const memory = await openPreset(findPreset(name, { model: true }), { user: episode.user, model, embedding })
  for (const { id: session, turns } of episode.sessions)
    await memory.addDialogue({ session, turns, endsSession: true })
  const { scope } = memory.opened
  return {
    name,
    memory,
    reply: async (talk) => {
      const now = talk.at(-1)?.at ?? 0
      const options = { remember: false, reinforce: false, now, agent: episode.character }
      return (await scope.reply(turnInputs(talk), options)).text
    },
    close: () => memory.close(),
  }
}

function isContextOnly(name: ReplierName): name is ContextOnly {
  return name in CONTEXT_TOKENS
}

function contextOnly(
  name: ContextOnly,
  { sessions, language }: DolphinEpisode,
  model: LanguageModel,
): Replier {
  const scope = { tenant: 'bench', user: name, agent: null, app: null }
  const ask = promptRunner({ model }).for(name, scope)
  const lines = sessions.flatMap(({ turns }) =>
    turns.map(({ speaker, text }) => `- ${speaker}: ${JSON.stringify(text)}`),
  )
  const tokens = Math.min(CONTEXT_TOKENS[name], requestTokens(model) * PAST_SHARE)
  const context = takeLatest(lines, tokens).join('\n')
  return {
    name,
    memory: null,
    reply: async (talk) => {
      const now = talk.at(-1)?.at ?? 0
      const turns = talk.map(({ zone: timeZone, ...turn }) => ({ ...turn, timeZone }))
      const input = {
        turns,
        now,
        timeZone: talk.at(-1)?.zone ?? null,
        instructions: null,
        context,
        answerable: null,
      }
      let text = ''
      for await (const piece of ask.stream(replyPrompt, input, { language }))
        if (piece.kind === 'text') text += piece.text
      return text
    },
    close: () => Promise.resolve(),
  }
}

/** Takes the latest lines that fit the token budget. */
function takeLatest(lines: readonly string[], tokens: number): string[] {
  let tokensLeft = tokens
  const lastExcluded = lines.findLastIndex((line) => {
    tokensLeft -= estimateTokens(line)
    return tokensLeft < 0
  })
  return lines.slice(lastExcluded + 1)
}
