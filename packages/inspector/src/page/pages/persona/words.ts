const EN = {
  lead: 'Facts about each person by key: current values, past values, and how values of a key are merged.',
  empty: 'There are no facts yet',
  emptyHint: 'Facts appear here once the conversation mentions them.',
  merge: {
    replace: ['single value', 'A new value replaces the old one.'],
    append: ['list', 'New values are added to the old ones.'],
    trajectory: ['history', 'A new value follows the old one, which stays as the past.'],
    contradictory: ['likes and dislikes', 'A new value ends its opposite.'],
    complex: ['separate statements', 'Each statement is kept separately.'],
  },
  since: 'since',
  until: 'until',
  past: 'before, ',
  line: (key: string) => `${key} over time`,
  evidence: 'evidence',
  own: 'The application’s own keys',
  categories: 'Categories',
  unknown: 'not known',
}

const ZH: typeof EN = {
  lead: '按条目列出每个人的事实：当前值、以前的值，以及同一条目的值如何合并。',
  empty: '还没有事实',
  emptyHint: '对话中提到的事实会出现在这里。',
  merge: {
    replace: ['单个值', '新值取代旧值。'],
    append: ['列表', '新值与旧值并列。'],
    trajectory: ['历史', '新值接续旧值，旧值留作过去。'],
    contradictory: ['喜欢与不喜欢', '新值结束与它相反的值。'],
    complex: ['独立陈述', '每次陈述单独保留。'],
  },
  since: '自',
  until: '至',
  past: '以前，',
  line: (key) => `${key}的变化`,
  evidence: '依据',
  own: '应用自定的条目',
  categories: '类别',
  unknown: '未知',
}

export const PERSONA = { en: EN, zh: ZH }
