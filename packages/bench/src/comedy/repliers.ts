import { estimateTokens, type LanguageModel } from 'keepsake'
import { promptRunner, requestTokens } from 'keepsake/model'
import { findPreset, type PresetName } from '@keepsake/papers'
import { TEXT_PROMPTS } from 'keepsake/preset'
import type { DolphinEpisode } from '../datasets/dolphin.ts'
import type { DatasetTurn } from '../datasets/conversation.ts'
import { openPreset, type KeepsakeMemory } from '../systems/keepsake.ts'
import { turnInputs } from '../systems/turn-inputs.ts'

/** The presets compared in COMEDY's paper, and itself. */
export const REPLYING_PRESETS = [
  'comedy',
  'comedy-retrieval',
  'memory-bank',
  'resum',
  'keepsake',
  'moom',
  'mmm',
  'lufy',
  'memochat',
  'naive-rag',
] as const satisfies readonly PresetName[]
/** The plain past talk, truncated at its oldest end to the model's window: the paper's context-only. */
const CONTEXT_ONLY = 'context-only'
export const REPLIERS = [...REPLYING_PRESETS, CONTEXT_ONLY] as const
export type ReplierName = (typeof REPLIERS)[number]

const [replyPrompt] = TEXT_PROMPTS
/** The share of a request available to past talk. */
const SHARE_OF_PAST = 0.7

/** A system that has read an episode and replies in later sessions. */
export interface Replier {
  readonly name: ReplierName
  /** @param talk the session so far; the last turn is the user's, and is answered. Nothing of it is remembered. */
  reply(talk: readonly DatasetTurn[]): Promise<string>
  /** The memory behind it; `null` where there is none. */
  readonly memory: KeepsakeMemory | null
  close(): Promise<void>
}

/** Lets a system read the sessions of an episode. */
export async function openReplier(
  name: ReplierName,
  episode: DolphinEpisode,
  model: LanguageModel,
): Promise<Replier> {
  if (name === CONTEXT_ONLY) return contextOnly(episode, model)
  const memory = await openPreset(findPreset(name, { model: true }), {
    user: episode.user,
    model,
    embedding: null,
  })
  for (const { id: session, turns } of episode.sessions)
    await memory.addDialogue({ session, turns, endsSession: true })
  const { scope } = memory.opened
  return {
    name,
    memory,
    reply: async (talk) => {
      const now = talk.at(-1)?.at ?? 0
      const asked = { remember: false, reinforce: false, now, agent: episode.character }
      return (await scope.reply(turnInputs(talk), asked)).text
    },
    close: () => memory.close(),
  }
}

function contextOnly({ sessions, language }: DolphinEpisode, model: LanguageModel): Replier {
  const scope = { tenant: 'bench', user: CONTEXT_ONLY, agent: null, app: null }
  const ask = promptRunner({ model }).for(CONTEXT_ONLY, scope)
  const lines = sessions.flatMap(({ turns }) =>
    turns.map(({ speaker, text }) => `- ${speaker}: ${JSON.stringify(text)}`),
  )
  const context = latestFitting(lines, requestTokens(model) * SHARE_OF_PAST).join('\n')
  return {
    name: CONTEXT_ONLY,
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
        known: true,
      }
      let text = ''
      for await (const piece of ask.stream(replyPrompt, input, { language }))
        if (piece.kind === 'text') text += piece.text
      return text
    },
    close: () => Promise.resolve(),
  }
}

/** The latest lines that fit, in order. */
function latestFitting(lines: readonly string[], tokens: number): string[] {
  let left = tokens
  const first = lines.findLastIndex((line) => {
    left -= estimateTokens(line)
    return left < 0
  })
  return lines.slice(first + 1)
}
