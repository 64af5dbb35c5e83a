const EN = {
  lead: 'What is known of each person, by key: what holds today, what held before, and how values of a key are merged.',
  empty: 'Nothing is on the sheet yet',
  emptyTold: 'Facts about a person stand here once the conversation tells of them.',
  merge: {
    replace: ['one at a time', 'A new value takes the place of the old one.'],
    append: ['a list', 'New values stand beside the old ones.'],
    trajectory: ['a path', 'A new value follows the old one, which stays as the past.'],
    contradictory: ['for or against', 'A new value ends its opposite.'],
    complex: ['as told', 'Each telling stands by itself.'],
  },
  since: 'since',
  until: 'until',
  past: 'before, ',
  line: (key: string) => `${key} over time`,
  evidence: 'on the words',
}

const ZH: typeof EN = {
  lead: '按条目列出对每个人的了解：现在如何、以前如何，以及同一条目的值怎样合并。',
  empty: '表上还没有内容',
  emptyTold: '对话里提到的个人事实会出现在这里。',
  merge: {
    replace: ['只留一个', '新值取代旧值。'],
    append: ['列表', '新值与旧值并列。'],
    trajectory: ['轨迹', '新值接续旧值，旧值留作过去。'],
    contradictory: ['正反', '新值结束与它相反的值。'],
    complex: ['照说', '每次说法各自保留。'],
  },
  since: '自',
  until: '至',
  past: '以前，',
  line: (key) => `${key}的变化`,
  evidence: '依据原话',
}

/** What the persona page says. */
export const PERSONA = { en: EN, zh: ZH }
