// Declares how the tables of the COMEDY paper are measured here. COMEDY is a model that compresses what it remembers to a portrait.
import { readPaper, type ReproductionSpec } from '../registry/read-paper.ts'
import { rankedOnDolphin, scoredOnDolphin, writtenOnDolphin } from '../reproduce/comedy-on-dolphin.ts'
import { countDolphin } from '../reproduce/count-dolphin.ts'

/** Declares a table of replies that a model judges. */
const judged = (measure: ReproductionSpec['measure']): ReproductionSpec => ({
  needs: ['model', 'judge'],
  takes: ['embedding'],
  differences: [
    'A model judges in the place of people: its figures are no person’s.',
    'The paper’s prompts have the user’s and the character’s names and ask for steps, at temperature 0.5; here they are our own, at the model’s temperature.',
    'One language model writes for every system, none of them tuned; the paper’s systems differ in their models too.',
    'Each reply of a test session is scored by itself, on the talk as it went; the paper’s annotators scored the session as a whole.',
  ],
  measure,
})

export const COMEDY = readPaper('comedy', {
  'table 1': {
    needs: [],
    takes: [],
    differences: [
      'Words of Chinese are counted by characters, sentences by their marks; the paper does not say how it counted.',
    ],
    measure: countDolphin,
  },
  'table 2': {
    needs: ['model'],
    takes: [],
    differences: [
      'The model is not tuned on Dolphin, where the paper’s was, for just these references.',
      'A portrait is made from the session memories that the same model wrote.',
    ],
    measure: writtenOnDolphin,
  },
  'table 3': judged(scoredOnDolphin),
  'table 4': judged(rankedOnDolphin),
})
