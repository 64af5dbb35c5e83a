// Declares how the tables of the LUFY paper are measured here. LUFY asks what a chatbot should remember and what it should forget.
// Published results contain the sentences about differences word for word.
import type { BenchConversation } from '../../datasets/conversation.ts'
import { splitWords } from '../../metrics/text/split-words.ts'
import type { Reproduction } from '../registry/paper.ts'
import { readPaper, type ReproductionSpec } from '../registry/read-paper.ts'
import { answersByQuestions, answersBySession, answersWithout } from '../reproduce/answers-on-lufy.ts'
import { cosineBins, cosineThresholds } from '../reproduce/cosine-on-lufy.ts'
import { byCounting, meanOf, turnsOf } from '../reproduce/count-data.ts'
import { aboutOfMarked, contemporary, engagement, episodes, sentiment } from '../reproduce/judge-sessions.ts'
import { agreementBySession, agreementWithout, retainedBySession } from '../reproduce/retention-on-lufy.ts'
import { topOnLufy } from '../reproduce/top-on-lufy.ts'

type Measure = Reproduction['measure']

// Each person of the data set talked with three systems, one after the other.
const SAME_TALK_FOR_SYSTEMS =
  'The talk that was had with one system is put to every one in turn; in the paper each system kept and forgot its own talk.'
const SAME_TALK_FOR_POLICIES =
  'The talk that was had with one system is put to every policy in turn; in the paper each system kept and forgot its own talk.'
const NO_SUMMARIES_KEPT =
  'Summaries of sessions are not among the memories: utterance pairs alone are kept and let go.'
const NO_SUMMARIES_SEARCHED =
  'Memories are utterance pairs; the paper’s had summaries of sessions among them.'
const MATCHED_BY_WORDS =
  'Which memories answer a question is decided by the answer’s words, which accepts more than a person would; in the paper a person decided.'
const SYSTEMS_STORE_AS_LUFY =
  'naive-rag and memory-bank store, hand over and reply as lufy does, and differ in forgetting and ranking alone, as in Table 4; MemoryBank’s time is counted in sessions, of which the paper says nothing. Other systems of --system are as they ship.'
const SORTED_AT_ONCE = 'The utterances of a session are sorted at once, by a prompt of our own.'

/** Declares a table that compares the memories that a policy keeps with those that annotators marked. */
function keptMemories(measure: Measure): ReproductionSpec {
  return {
    needs: [],
    takes: ['model', 'embedding', 'arousal', 'surprise'],
    differences: [
      SAME_TALK_FOR_POLICIES,
      NO_SUMMARIES_KEPT,
      'The metrics are scaled as in the authors’ published code: one mean, counts unbounded. The paper’s text gives them one range too: the row lufy-range.',
      'Importance is rated without a key summary, for the exchange alone.',
      'At a session’s end all that stands is compared with the marks of all sessions so far; the paper compares session by session.',
    ],
    measure,
  }
}

/** Declares a table of answers to people's questions, asked after each session. */
function answers(measure: Measure, differences: readonly string[]): ReproductionSpec {
  return {
    needs: [],
    takes: ['model', 'reader', 'judge', 'embedding'],
    choosesSystem: true,
    settings: (row) => ({
      retention: row === 'naive-rag' ? 'nothing forgotten' : '10 % after each session',
      protocol: 'LUFY’s',
      memoriesWanted: 'as each system hands over',
      contextTokens: null,
      reranking: 'nothing',
      ownAnswers: 'the system',
    }),
    differences: [SAME_TALK_FOR_SYSTEMS, ...differences],
    measure,
  }
}

/** Declares a table of answers of several systems. */
function answersOfSystems(measure: Measure): ReproductionSpec {
  return answers(measure, [SYSTEMS_STORE_AS_LUFY])
}

/** Declares a table or figure of sessions that a model judges. */
function judgedSessions(measure: Measure, differences: readonly string[]): ReproductionSpec {
  return { needs: ['judge'], takes: [], differences, measure }
}

/** Declares a table or figure of the cosines between questions and memories. */
function cosines(measure: Measure): ReproductionSpec {
  return {
    needs: [],
    takes: ['embedding'],
    differences: [MATCHED_BY_WORDS, NO_SUMMARIES_SEARCHED],
    measure,
  }
}

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
      paperRow: 'LUFY-Dataset (Ours)',
      counts: [
        { column: 'Avg. Turns', count: (all) => meanOf(all, (conversation) => turnsOf(conversation).length) },
        { column: 'Avg. Words', count: (all) => meanOf(all, countWords) },
      ],
      sizeOf: (all) => new Set(all.map(({ person }) => person)).size,
    }),
  },
  'table 3': {
    needs: [],
    takes: [],
    differences: [SAME_TALK_FOR_POLICIES, NO_SUMMARIES_KEPT],
    measure: retainedBySession,
  },
  'table 8': judgedSessions(engagement, [
    'Each session is rated once, where the paper took the mean of thirty ratings; the prompt is our own.',
  ]),
  'table 10': judgedSessions(sentiment, [
    'A language model sorts the utterances of a session at once, where the paper had two tuned classifiers, one utterance at a time.',
  ]),
  'table 11': answersOfSystems(answersBySession),
  'table 12': keptMemories(agreementBySession),
  'table 13': { ...answers(answersWithout, []), choosesSystem: false },
  'table 14': keptMemories(agreementWithout),
  'table 15': {
    ...cosines(topOnLufy),
    choosesSystem: true,
    differences: [
      MATCHED_BY_WORDS,
      NO_SUMMARIES_SEARCHED,
      'Questions whose answer’s words stand in no utterance pair are left out, and the shared first session’s are asked once.',
    ],
  },
  'table 16': answersOfSystems(answersByQuestions('Precision')),
  'table 17': answersOfSystems(answersByQuestions('Recall')),
  'table 18': answersOfSystems(answersByQuestions('F1 Score')),
  'figure 8': judgedSessions(episodes, [SORTED_AT_ONCE]),
  'figure 10': cosines(cosineBins),
  'figure 11': cosines(cosineThresholds),
  'section 3.4': judgedSessions(aboutOfMarked, [
    SORTED_AT_ONCE,
    'What any of three annotators of LUFY-Dataset marked is sorted, where the paper sorted the pairs its weights were fitted on.',
  ]),
  'appendix B': judgedSessions(contemporary, [
    SORTED_AT_ONCE,
    'Every utterance is sorted, where the paper drew 2,092.',
  ]),
})

function countWords(conversation: BenchConversation): number {
  const wordCounts = turnsOf(conversation).map(
    ({ text }) => splitWords(text, { language: 'en', unit: 'words' }).length,
  )
  return wordCounts.reduce((sum, count) => sum + count, 0)
}
