import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type { DolphinEpisode } from '../datasets/dolphin.ts'
import { splitWords } from '../metrics/text/split-words.ts'
import { bleu, tokenF1 } from '../metrics/text/overlap.ts'
import { judgeReplies, type JudgedReply, type ReplyJudge } from './judge-replies.ts'
import { openReplier, type Replier, type ReplierName } from './repliers.ts'

/** A text that a system wrote, compared with the annotated one. */
export interface WrittenText {
  readonly person: string
  readonly system: ReplierName
  readonly text: string
  readonly reference: string
  readonly bleu1: number
  readonly bleu2: number
  readonly f1: number
  readonly language: 'en' | 'zh'
}

export interface EpisodeRecord {
  /** Memories of sessions (COMEDY's task 1). Empty where sessions are not annotated. */
  readonly memories: readonly WrittenText[]
  /** Portraits, which compress all sessions (task 2). Empty where the episode has no annotated portrait. */
  readonly portraits: readonly WrittenText[]
  /** Replies in the test sessions (task 3). */
  readonly replies: readonly JudgedReply[]
}

export interface EpisodeMeasuring {
  readonly model: LanguageModel
  /** The embedding model of the systems. `null`: each uses its own. */
  readonly embedding: EmbeddingModel | null
  readonly systems: readonly ReplierName[]
  readonly judge: ReplyJudge | null
  /** How many user turns are answered in each test session. The last ones are. */
  readonly turns: number
}

/** Measures COMEDY's three tasks on one episode. */
export async function measureEpisode(
  episode: DolphinEpisode,
  { systems, judge, turns, ...models }: EpisodeMeasuring,
): Promise<EpisodeRecord> {
  const repliers: Replier[] = []
  try {
    for (const name of systems) repliers.push(await openReplier(name, episode, models))
    const memories = (await Promise.all(repliers.map((replier) => sessionMemories(replier, episode)))).flat()
    const portraits = (await Promise.all(repliers.map((replier) => portraitOf(replier, episode)))).flat()
    const replies: JudgedReply[] = []
    for (const talk of talksToAnswer(episode, turns)) {
      const written: { system: ReplierName; reply: string }[] = []
      for (const replier of repliers) written.push({ system: replier.name, reply: await replier.reply(talk) })
      replies.push(...(await judgeReplies({ episode, talk, written }, judge)))
    }
    return { memories, portraits, replies }
  } finally {
    for (const replier of repliers) await replier.close()
  }
}

function talksToAnswer({ tests }: DolphinEpisode, turns: number): DatasetTurn[][] {
  return tests.flatMap((session) => {
    const places = session.turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
    return places.slice(-turns).map((at) => session.turns.slice(0, at + 1))
  })
}

/** COMEDY's memory of each annotated session. Its text is empty where COMEDY stored none. Other systems have no such memories. */
async function sessionMemories(replier: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
  if (replier.memory === null || replier.name !== 'comedy') return []
  const summaries = await replier.memory.opened.scope.memories({ forms: ['summary'] })
  const textOf = new Map(summaries.map(({ session, text }) => [session, text]))
  return episode.sessions.flatMap(({ id }, index) => {
    const reference = episode.memories[index] ?? null
    return reference === null ? [] : [compareText(replier, episode, textOf.get(id) ?? '', reference)]
  })
}

async function portraitOf(replier: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
  if (replier.memory === null || replier.name !== 'comedy' || episode.portrait === null) return []
  const { current } = await replier.memory.opened.scope.portrait()
  return [compareText(replier, episode, current?.text ?? '', episode.portrait)]
}

/** Matches section labels at the start of a line. They are removed, because they are not the model's words. */
const LABEL = /^(?:Events|User|Agent|Relationship|事件|用户|助手|关系|经历)[:：]\s*/gm

function compareText(
  { name: system }: Replier,
  { name: person, language }: DolphinEpisode,
  labelledText: string,
  reference: string,
): WrittenText {
  const text = labelledText.replaceAll(LABEL, '')
  const words = splitWords(text, { language })
  const referenceWords = splitWords(reference, { language })
  return {
    person,
    system,
    text,
    reference,
    bleu1: bleu(words, referenceWords, 1),
    bleu2: bleu(words, referenceWords, 2),
    f1: tokenF1(words, referenceWords).f1,
    language,
  }
}
