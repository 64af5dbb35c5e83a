// How the tables of the LUFY paper are measured here. LUFY asks what a chatbot should remember and what it should forget.
import type { BenchConversation } from '../../datasets/conversation.ts'
import { splitWords } from '../../metrics/text/split-words.ts'
import type { Reproduction } from '../registry/paper.ts'
import { readPaper, type Measuring } from '../registry/read-paper.ts'
import { answersByQuestions, answersBySession, answersWithout } from '../reproduce/answers-on-lufy.ts'
import { cosineBins, cosineThresholds } from '../reproduce/cosine-on-lufy.ts'
import { byCounting, meanOf, turnsOf } from '../reproduce/count-data.ts'
import { aboutOfMarked, contemporary, engagement, episodes, sentiment } from '../reproduce/judge-sessions.ts'
import { agreementBySession, agreementWithout, retainedBySession } from '../reproduce/retention-on-lufy.ts'
import { topOnLufy } from '../reproduce/top-on-lufy.ts'

/** Each person of the data set talked with three systems, one after the other. The published results quote these sentences. */
const putTo = (whom: 'one' | 'policy'): string =>
  `The talk that was had with one system is put to every ${whom} in turn; in the paper each system kept and forgot its own talk.`
const TALKS_DIFFER = [
  putTo('policy'),
  'Summaries of sessions are not among the memories: utterance pairs alone are kept and let go.',
]

/** A table that compares the memories that a policy keeps with those that annotators marked. */
const forgetting = (measure: Reproduction['measure']): Measuring => ({
  needs: [],
  takes: ['model', 'embedding', 'arousal', 'surprise'],
  differences: [
    ...TALKS_DIFFER,
    'The metrics are scaled as in the authors’ published code: one mean, counts unbounded. The paper’s text gives them one range too: the row lufy-range.',
    'Importance is rated without a key summary, for the exchange alone.',
    'At a session’s end all that stands is compared with the marks of all sessions so far; the paper compares session by session.',
  ],
  measure,
})

const LIKE_LUFY =
  'naive-rag and memory-bank store, hand over and reply as lufy does, and differ in forgetting and ranking alone, as in Table 4; MemoryBank’s time is counted in sessions, of which the paper says nothing. Other systems of --system are as they ship.'

/** A table of answers to people's questions, asked after each session. */
const answering = (measure: Reproduction['measure'], choosesSystem: boolean): Measuring => ({
  needs: [],
  takes: ['model', 'reader', 'judge', 'embedding'],
  choosesSystem,
  settings: (row) => ({
    retention: row === 'naive-rag' ? 'nothing forgotten' : '10 % after each session',
    protocol: 'LUFY’s',
    memoriesWanted: 'as each system hands over',
    contextTokens: null,
    reranking: 'nothing',
    ownAnswers: 'the system',
  }),
  differences: [putTo('one'), ...(choosesSystem ? [LIKE_LUFY] : [])],
  measure,
})

/** A table of sessions that a model judges. */
const judged = (measure: Reproduction['measure'], ...differences: readonly string[]): Measuring => ({
  needs: ['judge'],
  takes: [],
  differences,
  measure,
})

const SORTED_AT_ONCE = 'The utterances of a session are sorted at once, by a prompt of our own.'

const BY_WORDS =
  'Which memories answer a question is decided by the answer’s words, which accepts more than a person would; in the paper a person decided.'
const PAIRS_ALONE = 'Memories are utterance pairs; the paper’s had summaries of sessions among them.'

/** A table of the cosines between questions and memories. */
const byCosine = (measure: Reproduction['measure']): Measuring => ({
  needs: [],
  takes: ['embedding'],
  differences: [BY_WORDS, PAIRS_ALONE],
  measure,
})

export const LUFY = readPaper('lufy', {
  'table 1': {
    needs: [],
    takes: [],
    differences: [
      'A conversation is a person’s four sessions with one system; the first of them is the same for all three and counts in each.',
      'Words are what lies between spaces and marks, lower-cased; the paper does not say how it cut them.',
    ],
    measure: byCounting({
      dataset: 'lufy',
      row: 'LUFY-Dataset, counted',
      beside: 'LUFY-Dataset (Ours)',
      counts: [
        { column: 'Avg. Turns', of: (all) => meanOf(all, (conversation) => turnsOf(conversation).length) },
        { column: 'Avg. Words', of: (all) => meanOf(all, wordsOf) },
      ],
      sizeOf: (all) => new Set(all.map(({ person }) => person)).size,
    }),
  },
  'table 3': { needs: [], takes: [], differences: TALKS_DIFFER, measure: retainedBySession },
  'table 8': judged(
    engagement,
    'Each session is rated once, where the paper took the mean of thirty ratings; the prompt is our own.',
  ),
  'table 10': judged(
    sentiment,
    'A language model sorts the utterances of a session at once, where the paper had two tuned classifiers, one utterance at a time.',
  ),
  'table 11': answering(answersBySession, true),
  'table 12': forgetting(agreementBySession),
  'table 13': answering(answersWithout, false),
  'table 14': forgetting(agreementWithout),
  'table 15': {
    ...byCosine(topOnLufy),
    choosesSystem: true,
    differences: [
      BY_WORDS,
      PAIRS_ALONE,
      'Questions whose answer’s words stand in no utterance pair are left out, and the shared first session’s are asked once.',
    ],
  },
  'table 16': answering(answersByQuestions('Precision'), true),
  'table 17': answering(answersByQuestions('Recall'), true),
  'table 18': answering(answersByQuestions('F1 Score'), true),
  'figure 8': judged(episodes, SORTED_AT_ONCE),
  'figure 10': byCosine(cosineBins),
  'figure 11': byCosine(cosineThresholds),
  'section 3.4': judged(
    aboutOfMarked,
    SORTED_AT_ONCE,
    'What any of three annotators of LUFY-Dataset marked is sorted, where the paper sorted the pairs its weights were fitted on.',
  ),
  'appendix B': judged(
    contemporary,
    SORTED_AT_ONCE,
    'Every utterance is sorted, where the paper drew 2,092.',
  ),
})

function wordsOf(conversation: BenchConversation): number {
  const countWords = (text: string) => splitWords(text, { language: 'en', unit: 'words' }).length
  return turnsOf(conversation).reduce((sum, { text }) => sum + countWords(text), 0)
}
