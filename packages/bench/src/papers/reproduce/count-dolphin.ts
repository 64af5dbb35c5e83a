import { openDolphin, type DolphinEpisode } from '../../datasets/dolphin.ts'
import type { DatasetSession } from '../../datasets/conversation.ts'
import { splitWords } from '../../metrics/text/split-words.ts'
import type { MeasuredFigure, Reproduction } from '../registry/paper.ts'
import { makeFigure } from './measured-figure.ts'
import { mean, sum } from '../../metrics/means.ts'

/** Matches a sentence up to its closing mark. Session memories separate sentences by `|`. */
const SENTENCE = /[^.!?。！？|\n]+/gu
const COLUMNS = ['Test Task 1', 'Test Task 2', 'Test Task 3'] as const

/** Measures COMEDY's Table 1, the size of its data Dolphin. All episodes of the file count as test episodes. */
export const countDolphin: Reproduction['measure'] = async ({ path, limit = Number.POSITIVE_INFINITY }) => {
  const dolphin = await openDolphin(path)
  const episodes: DolphinEpisode[] = []
  for await (const episode of dolphin.episodes()) if (episodes.length < limit) episodes.push(episode)
  const figures = Object.entries(countsOf(episodes)).flatMap(([row, counts]) =>
    counts.flatMap((value, place): MeasuredFigure[] => {
      const column = COLUMNS[place] ?? ''
      return value === null
        ? []
        : [makeFigure({ row, column, paperRow: row, unit: 'count' }, value, episodes.length)]
    }),
  )
  const { dataHash } = dolphin
  return { figures, size: episodes.length, dataHash, reader: null, runs: [], remarks: [] }
}

/** Counts for each row of the paper. The columns are its three tasks: session memories, compression, replies. */
function countsOf(episodes: readonly DolphinEpisode[]): Readonly<Record<string, readonly (number | null)[]>> {
  const earlier = episodes.flatMap(({ sessions }) => sessions)
  const tests = episodes.flatMap((episode) => episode.tests)
  const memories = episodes.flatMap((episode) => episode.memories.filter((memory) => memory !== null))
  const portraits = episodes.flatMap(({ portrait, language }) =>
    portrait === null ? [] : [splitWords(portrait, { language }).length],
  )
  const characters = new Set(episodes.map(({ character }) => character)).size
  return {
    'Avg. Turns Per Session': [mean(earlier.map(turnsIn)), null, mean(tests.map(turnsIn))],
    'Avg. sentences Per Session-level Memory': [mean(memories.map(sentencesIn)), null, null],
    'Avg. words Per Turn': [
      wordsPerTurn(episodes, ({ sessions }) => sessions),
      null,
      wordsPerTurn(episodes, (one) => one.tests),
    ],
    'Avg. words Per Compressive Memory': [null, mean(portraits), null],
    'Total AI Characters': [characters, characters, characters],
    'Total Sessions/Compressive Memories': [earlier.length, portraits.length, tests.length],
    'Total Turns': [sum(earlier.map(turnsIn)), null, sum(tests.map(turnsIn))],
  }
}

function turnsIn({ turns }: DatasetSession): number {
  return turns.length
}

function sentencesIn(text: string): number {
  return (text.match(SENTENCE) ?? []).filter((sentence) => sentence.trim() !== '').length
}

function wordsPerTurn(
  episodes: readonly DolphinEpisode[],
  sessionsOf: (episode: DolphinEpisode) => readonly DatasetSession[],
): number | null {
  const counts: number[] = []
  for (const episode of episodes)
    for (const { text } of sessionsOf(episode).flatMap(({ turns }) => turns))
      counts.push(splitWords(text, { language: episode.language }).length)
  return mean(counts)
}
