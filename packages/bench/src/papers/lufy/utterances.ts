import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import type { Reproduction } from '../registry/reproduction.ts'
import { aboutOfMarked, contemporary, episodes } from '../reproduce/judge-sessions.ts'

const asked = (measure: Reproduction['measure'], ...more: readonly string[]): Reproduction => ({
  needs: ['judge'],
  takes: [],
  differences: ['The utterances of a session are sorted at once, by a prompt of our own.', ...more],
  measure,
})

/** What people talk about. */
export const UTTERANCE_ITEMS: readonly PaperItem[] = [
  {
    id: 'figure 8',
    title: 'How much of what people say in a session tells of what they lived through',
    state: 'model',
    note: 'A language model says of every utterance whether it tells of an experience of its own: name it with --judge.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model', more: ['170 sessions.'] },
    published: {
      unit: 'percent',
      columns: ['Share'],
      rows: { 'episode-related utterances': [10.6], 'sessions without any': [21.1] },
    },
    reproduction: asked(episodes),
  },
  {
    id: 'appendix B',
    title: 'How much of what people say is about what goes on now',
    state: 'model',
    note: 'A language model says of every utterance whether it is about what happens now, just happened or is about to: name it with --judge.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model', more: ['2,092 utterances, drawn at random.'] },
    published: { unit: 'percent', columns: ['Share'], rows: { 'about what goes on now': [22.9] } },
    reproduction: asked(contemporary, 'Every utterance is sorted, where the paper drew 2,092.'),
  },
  {
    id: 'section 3.4',
    title: 'What the utterances that were marked as important are about',
    state: 'model',
    note: 'A language model sorts every marked utterance into profile, episode or other: name it with --judge. The paper did so with its 500 pairs, which were not published; here it is done with LUFY-Dataset’s marks.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model' },
    published: {
      unit: 'percent',
      columns: ['Share'],
      rows: { 'profile-related': [52.3], 'episode-related': [27.3] },
    },
    reproduction: asked(
      aboutOfMarked,
      'What any of three annotators of LUFY-Dataset marked is sorted, where the paper sorted the pairs its weights were fitted on.',
    ),
  },
]
