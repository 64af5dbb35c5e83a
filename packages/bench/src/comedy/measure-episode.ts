import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type { DolphinEpisode } from '../datasets/dolphin.ts'
import { splitWords } from '../metrics/text/split-words.ts'
import { bleu, tokenF1 } from '../metrics/text/overlap.ts'
import { judgeReplies, type JudgedReply, type ReplyJudge } from './judge-replies.ts'
import { openReplier, type Replier, type ReplierName } from './repliers.ts'

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
  /** Task 1; empty where sessions are not annotated. */
  readonly memories: readonly WrittenText[]
  /** Task 2; empty where the episode has no annotated portrait. */
  readonly portraits: readonly WrittenText[]
  /** Task 3. */
  readonly replies: readonly JudgedReply[]
}

export interface EpisodeMeasuring {
  readonly model: LanguageModel
  /** The systems'; `null`: each one's own. */
  readonly embedding: EmbeddingModel | null
  readonly systems: readonly ReplierName[]
  /** `null`: replies are not judged. */
  readonly judge: ReplyJudge | null
  /** The user turns answered in each test session, counted from the last. */
  readonly turns: number
}

/** Measures COMEDY's three tasks on one episode, system by system, and then compares their replies. */
export async function measureEpisode(
  episode: DolphinEpisode,
  { systems, judge, turns, ...models }: EpisodeMeasuring,
): Promise<EpisodeRecord> {
  const repliers: Replier[] = []
  try {
    for (const name of systems) repliers.push(await openReplier(name, episode, models))
    const memories = (await Promise.all(repliers.map((one) => sessionMemories(one, episode)))).flat()
    const portraits = (await Promise.all(repliers.map((one) => portraitOf(one, episode)))).flat()
    const replies: JudgedReply[] = []
    for (const talk of talksToAnswer(episode, turns)) {
      const written: { system: ReplierName; reply: string }[] = []
      for (const one of repliers) written.push({ system: one.name, reply: await one.reply(talk) })
      replies.push(...(await judgeReplies({ episode, talk, written }, judge)))
    }
    return { memories, portraits, replies }
  } finally {
    for (const one of repliers) await one.close()
  }
}

function talksToAnswer({ tests }: DolphinEpisode, turns: number): DatasetTurn[][] {
  return tests.flatMap((session) => {
    const places = session.turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
    return places.slice(-turns).map((at) => session.turns.slice(0, at + 1))
  })
}

/** COMEDY's memory of each annotated session; empty where it stored nothing. */
async function sessionMemories(one: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
  if (one.memory === null || one.name !== 'comedy') return []
  const made = await one.memory.opened.scope.memories({ forms: ['summary'] })
  const of = new Map(made.map(({ session, text }) => [session, text]))
  return episode.sessions.flatMap(({ id }, at) => {
    const reference = episode.memories[at] ?? null
    return reference === null ? [] : [written(one, episode, of.get(id) ?? '', reference)]
  })
}

async function portraitOf(one: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
  if (one.memory === null || one.name !== 'comedy' || episode.portrait === null) return []
  const { current } = await one.memory.opened.scope.portrait()
  return [written(one, episode, current?.text ?? '', episode.portrait)]
}

/** Section labels do not count as the model's words. */
const LABEL = /^(?:Events|User|Agent|Relationship|事件|用户|助手|关系|经历)[:：]\s*/gm

function written(
  { name: system }: Replier,
  { name: person, language }: DolphinEpisode,
  made: string,
  reference: string,
): WrittenText {
  const text = made.replaceAll(LABEL, '')
  const [ours, theirs] = [splitWords(text, { language }), splitWords(reference, { language })]
  return {
    person,
    system,
    text,
    reference,
    bleu1: bleu(ours, theirs, 1),
    bleu2: bleu(ours, theirs, 2),
    f1: tokenF1(ours, theirs).f1,
    language,
  }
}
