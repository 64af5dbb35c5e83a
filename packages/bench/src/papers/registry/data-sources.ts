/** Data that a paper measures on. */
export interface DataSource {
  readonly name: string
  /** What it is. */
  readonly about: string
  /** Its publisher and form, or that it is unpublished. */
  readonly published: string
  readonly isPublished: boolean
  readonly path: string
  /** The paper's data, where this takes its place. */
  readonly inPlaceOf?: DataSource
  /** The amount that the paper measured on. */
  readonly size: { readonly count: number; readonly of: string }
}

export const ZH_4O: DataSource = {
  name: 'ZH-4O',
  about: '28 role-playing talks in Chinese of some 600 turns, with 1,115 memories that people marked',
  published: 'the MOOM paper’s authors, with its code: a label file a talk',
  isPublished: true,
  path: 'the folder of its label files',
  size: { count: 28, of: 'talks' },
}

export const ZH_4O_PROBES: DataSource = {
  ...ZH_4O,
  about: '28 role-playing talks in Chinese, with 1,068 multiple-choice questions about them',
  published:
    'the talks by the MOOM paper’s authors, with its code; the questions are not among the files, and are read from a field `probes` of our own',
  isPublished: false,
  path: 'the folder of its label files, with `probes` in them',
}

export const LOCOMO: DataSource = {
  name: 'LoCoMo',
  about: 'ten long talks in English between two people, with observations and event summaries',
  published:
    'Maharana et al. 2024 (“Evaluating Very Long-Term Conversational Memory of LLM Agents”), one JSON file',
  isPublished: true,
  path: 'its JSON file',
  size: { count: 10, of: 'talks' },
}

export const DOLPHIN: DataSource = {
  name: 'Dolphin',
  about:
    'talks of people with characters on X Eva, with session memories, compressions and replies that people mended',
  published: 'no source: the COMEDY paper names no file, and its code comes with none',
  isPublished: false,
  path: 'a file in its form',
  size: { count: 31, of: 'test episodes' },
}

export const MEM_DIALOGUE: DataSource = {
  name: 'Mem_Dialogue-100',
  about: '100 themes of ten memories each, 1,400 rounds of which 400 change or drop one, a question a theme',
  published:
    'no source: the MMM paper describes how it was made. `keepsake bench generate mem-dialogue` makes such a set of templates of our own or with a model',
  isPublished: false,
  path: 'a file of `keepsake bench generate mem-dialogue`, or of your own in its form',
  size: { count: 100, of: 'themes' },
}

export const LUFY_DATASET: DataSource = {
  name: 'LUFY-Dataset',
  about:
    '17 people, each with three chatbots over four half-hour sessions; utterances marked as important, 510 questions',
  published: 'Sumida, Inoue and Kawahara 2025, with the LUFY paper’s code: workbooks (.xlsx) in folders',
  isPublished: true,
  path: 'its folder `Dataset`, or the one that holds it',
  size: { count: 17, of: 'people' },
}

export const CANDOR: DataSource = {
  name: 'CANDOR and human–chatbot pairs',
  about:
    '300 utterance pairs of the CANDOR corpus and 200 of people with a chatbot, marked as important or not by three people',
  published:
    'CANDOR by Reece et al. 2023, without these marks; the marks and the 200 pairs are not published',
  isPublished: false,
  path: 'none',
  size: { count: 500, of: 'utterance pairs' },
}

export const HALUMEM: DataSource = {
  name: 'HaluMem',
  about:
    '20 made-up users, some 1,500 (Medium) or 2,600 (Long) rounds each, with memory points, updates and questions',
  published:
    'Chen et al. 2026, with the HaluMem paper: JSON Lines, a user a line, a file for Medium and one for Long',
  isPublished: true,
  path: 'its JSON Lines file, Medium or Long',
  size: { count: 20, of: 'users' },
}
