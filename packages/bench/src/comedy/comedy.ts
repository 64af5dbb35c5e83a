import { z } from 'zod'
import type { EmbeddingModel, LanguageModel } from 'keepsake'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { oneOf, wholeNumber } from '../benchmark/options.ts'
import { openDolphin, type OpenedDolphin, type DolphinEpisode } from '../datasets/dolphin.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { replyJudge, type JudgedReply, judgeReplies, type ReplyJudge } from './judge-replies.ts'
import { REPLIERS, type ReplierName, openReplier, type Replier } from './repliers.ts'
import type { Figure, SystemFigures } from '../log/figure.ts'
import { meanMetric, shareMetric } from '../metrics/sum-metric.ts'
import { distinctN, bleu, tokenF1 } from '../metrics/text/overlap.ts'
import { splitWords } from '../metrics/text/split-words.ts'
import { figure, sumFigures, wholeOf } from '../runs/figures/make-figures.ts'
import { DIMENSIONS, type Dimension } from './prompts/score-reply.ts'
import type { DatasetTurn } from '../datasets/conversation.ts'

/** A count that no data reaches. It stands for “all”. */
const MAX_COUNT = 1_000_000

/** Measures Tables 2 to 4 of the COMEDY paper: session memories, portraits that compress all sessions, and the replies of systems. */
export const comedy = defineBenchmark({
  name: 'comedy',
  about:
    "Measures COMEDY's three tasks on data in Dolphin's format. It compares session memories and portraits with the annotated ones. A judge scores replies of several systems in five dimensions and ranks them. Needs a language model.",
  examples: [
    'comedy --path dolphin.jsonl --model openai:gpt-5-mini --judge openai:gpt-5 --json',
    'comedy --path dolphin.jsonl --system comedy --model openai:gpt-5-mini',
  ],
  options: z.object({
    path: z.string().meta({ value: '<path>', description: 'a file in Dolphin’s format (.jsonl or .json)' }),
    model: z.string().meta({ value: '<spec>', description: 'the language model of every system' }),
    embedding: z.string().optional().meta({
      value: '<spec>',
      description: 'the embedding model of the systems that retrieve',
      standard: "each system's own",
    }),
    judge: z.string().optional().meta({
      value: '<spec>',
      description: 'the model that scores and ranks replies',
      standard: 'not judged',
    }),
    system: z
      .array(oneOf(REPLIERS))
      .min(1)
      .default(['comedy', 'comedy-retrieval', 'memory-bank', 'resum', 'context-only', 'context-only-2k'])
      .meta({ value: '<names>', description: 'the systems that reply' }),
    turns: wholeNumber(1, MAX_COUNT).default(1).meta({
      description: 'number of user turns to answer in each test session, counted from its end',
    }),
    limit: wholeNumber(1, MAX_COUNT).optional().meta({ description: 'maximum number of episodes' }),
  }),
  async *open(
    {
      path,
      model: modelSpec,
      embedding: embeddingSpec,
      judge: judgeSpec,
      system: systems,
      turns,
      limit = MAX_COUNT,
    },
    context,
  ) {
    const dataset = await openDolphin(path)
    const model = await context.openModel(modelSpec)
    const embedding = embeddingSpec === undefined ? null : await context.openEmbedding(embeddingSpec)
    const judge = judgeSpec === undefined ? null : replyJudge(await context.openModel(judgeSpec))
    yield {
      dataset: dataset.name,
      dataHash: dataset.dataHash,
      systems,
      config: {
        model: model.id,
        embedding: embedding?.id ?? null,
        judgeVersion: judge?.version ?? null,
        turns: turns === MAX_COUNT ? 'all of the session' : turns,
        limit,
      },
      ...(judge === null ? {} : { judge: judge.name }),
      tasks: [
        'session-memory',
        'compression',
        ...(judge === null ? [] : (['replies', 'reply-ranks'] as const)),
      ],
      resumes: 'until-finished',
      total: Math.min(dataset.size, limit),
      steps: stepsOf(dataset, { model, embedding, judge, systems, turns }, limit),
      summarise: (log) => comedyFigures(recordsOf(log), systems, judge?.name ?? null),
      remarks: (log) => remarksOf(recordsOf(log), judge !== null),
    }
  },
})

/** Makes one step for each episode. */
async function* stepsOf(
  dataset: OpenedDolphin,
  setting: EpisodeSetting,
  limit: number,
): AsyncGenerator<Step> {
  let count = 0
  for await (const episode of dataset.episodes()) {
    if (count >= limit) return
    count += 1
    const { name } = episode
    yield { name, measure: async () => [stepEntry(name, [], await measureEpisode(episode, setting))] }
  }
}

function recordsOf(log: readonly LogEntry[]): EpisodeRecord[] {
  return log.flatMap((entry) => (entry.entry === 'step' ? [entry.records as EpisodeRecord] : []))
}

function remarksOf(records: readonly EpisodeRecord[], isJudged: boolean): string[] {
  const replies = records.flatMap((record) => record.replies)
  return [
    ...(replies.length === 0 ? ['No episode has a test session, so there are no replies.'] : []),
    ...(isJudged || replies.length === 0 ? [] : ['Replies are in the log without verdicts (--judge).']),
    'A portrait is made from the session memories that the same model wrote, not from the annotated ones.',
  ]
}

const SEED = 20_240_501
/** The paper's Top@1 and Top@3: how often a reply is among the best one or three. */
const TOP_RANKS = [1, 3] as const

/** Computes the figures of Tables 2 to 4 of the COMEDY paper. Intervals are over episodes. */
function comedyFigures(
  records: readonly EpisodeRecord[],
  systems: readonly ReplierName[],
  judge: string | null,
): SystemFigures[] {
  return systems.map((system) => {
    const isOfSystem = (item: { readonly system: ReplierName }): boolean => item.system === system
    const memories = records.flatMap((record) => record.memories.filter(isOfSystem))
    const portraits = records.flatMap((record) => record.portraits.filter(isOfSystem))
    const replies = records.flatMap((record) => record.replies.filter(isOfSystem))
    const judged = judge === null ? [] : [...scoreFigures(replies, judge), ...rankFigures(replies, judge)]
    return {
      system,
      figures: [
        ...writtenFigures('session-memory', memories),
        ...writtenFigures('compression', portraits),
        ...judged,
      ],
    }
  })
}

/** Compares written texts with the annotated ones. `distinct` is the share of different words, or pairs of words. */
function writtenFigures(task: 'session-memory' | 'compression', texts: readonly WrittenText[]): Figure[] {
  if (texts.length === 0) return []
  const kind = { task, unit: 'share', judge: null } as const
  const metrics = (['bleu1', 'bleu2', 'f1'] as const).map((name) =>
    meanMetric<WrittenText>(name, (text) => text[name]),
  )
  const words = texts.map(({ text, language }) => splitWords(text, { language }))
  const distinct = ([1, 2] as const).map((size) =>
    figure(kind, { metric: `distinct${size}`, value: distinctN(words, size), count: texts.length }),
  )
  return [...sumFigures(kind, metrics, wholeOf(texts), SEED), ...distinct]
}

function scoreFigures(replies: readonly JudgedReply[], judge: string): Figure[] {
  const mean = (scores: Readonly<Record<Dimension, number>>): number =>
    DIMENSIONS.reduce((sum, name) => sum + scores[name], 0) / DIMENSIONS.length
  const metrics = [
    meanMetric<JudgedReply>('average', ({ scores }) => (scores === null ? null : mean(scores))),
    ...DIMENSIONS.map((name) => meanMetric<JudgedReply>(name, ({ scores }) => scores?.[name] ?? null)),
  ]
  return sumFigures({ task: 'replies', unit: 'score', judge }, metrics, wholeOf(replies), SEED)
}

function rankFigures(replies: readonly JudgedReply[], judge: string): Figure[] {
  const ranked = replies.filter(({ rank }) => rank !== null)
  if (ranked.length === 0) return []
  const kind = { task: 'reply-ranks', judge } as const
  const shares = TOP_RANKS.map((maxRank) =>
    shareMetric<JudgedReply>(`top${maxRank}`, ({ rank }) => (rank === null ? null : rank <= maxRank)),
  )
  const meanRank = meanMetric<JudgedReply>('rank', ({ rank }) => rank)
  const slices = wholeOf(ranked)
  return [
    ...sumFigures({ ...kind, unit: 'share' }, shares, slices, SEED),
    ...sumFigures({ ...kind, unit: 'score' }, [meanRank], slices, SEED),
  ]
}

/** A text that a system wrote, compared with the annotated one. */
interface WrittenText {
  readonly person: string
  readonly system: ReplierName
  readonly text: string
  readonly reference: string
  readonly bleu1: number
  readonly bleu2: number
  readonly f1: number
  readonly language: 'en' | 'zh'
}

interface EpisodeRecord {
  /** Memories of sessions (COMEDY's task 1). Empty if sessions are not annotated. */
  readonly memories: readonly WrittenText[]
  /** Portraits, which compress all sessions (task 2). Empty if the episode has no annotated portrait. */
  readonly portraits: readonly WrittenText[]
  /** Replies in the test sessions (task 3). */
  readonly replies: readonly JudgedReply[]
}

/** The models and systems with which an episode is measured. */
interface EpisodeSetting {
  readonly model: LanguageModel
  /** The embedding model of the systems. `null`: each uses its own. */
  readonly embedding: EmbeddingModel | null
  readonly systems: readonly ReplierName[]
  readonly judge: ReplyJudge | null
  /** How many user turns are answered in each test session, counted from its end. */
  readonly turns: number
}

/** Measures COMEDY's three tasks on one episode. */
async function measureEpisode(
  episode: DolphinEpisode,
  { systems, judge, turns, ...models }: EpisodeSetting,
): Promise<EpisodeRecord> {
  const repliers: Replier[] = []
  try {
    for (const name of systems) repliers.push(await openReplier(name, episode, models))
    const memories = (
      await Promise.all(repliers.map((replier) => compareSessionMemories(replier, episode)))
    ).flat()
    const portraits = (await Promise.all(repliers.map((replier) => comparePortrait(replier, episode)))).flat()
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

/** Lists the beginnings of test sessions that end with a user turn to answer. */
function talksToAnswer({ tests }: DolphinEpisode, turns: number): DatasetTurn[][] {
  return tests.flatMap((session) => {
    const places = session.turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
    return places.slice(-turns).map((at) => session.turns.slice(0, at + 1))
  })
}

/** Compares COMEDY's memory of each annotated session. The text is empty if COMEDY stored none. Other systems have no such memories. */
async function compareSessionMemories(replier: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
  if (replier.memory === null || replier.name !== 'comedy') return []
  const summaries = await replier.memory.opened.scope.memories({ forms: ['summary'] })
  const textOf = new Map(summaries.map(({ session, text }) => [session, text]))
  return episode.sessions.flatMap(({ id }, index) => {
    const reference = episode.memories[index] ?? null
    return reference === null ? [] : [compareText(replier, episode, textOf.get(id) ?? '', reference)]
  })
}

/** Compares COMEDY's portrait with the annotated one. */
async function comparePortrait(replier: Replier, episode: DolphinEpisode): Promise<WrittenText[]> {
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
