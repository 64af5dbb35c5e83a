import type { Listener } from '../matching/read-requests.ts'
import { charactersOf, chinese } from './chinese.ts'

/** Requests to forget, as Chinese makes them. */
export const chineseListener: Listener = {
  grammar: chinese,
  split: charactersOf,
  longest: 300,
  please: { text: '请', lower: '请', lemma: '请', pos: '', before: '' },
  hint: /忘|删|抹掉|清[除掉]|去掉|当[作做]?我|[别不勿].{0,8}[记存留提说聊]/,
}
