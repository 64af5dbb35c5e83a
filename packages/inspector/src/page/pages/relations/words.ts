const EN = {
  lead: 'People and pets that the user’s own words relate, and the words that say so.',
  entities: 'People and pets',
  relations: 'Relations',
  statements: (count: number) => `${count} statement${count === 1 ? '' : 's'}`,
  at: 'As of',
  evidence: 'What was said',
  said: (name: string) => `What is said of ${name}`,
  empty: 'No relations are known yet',
  emptyHint: 'They appear here once a message names a relation, such as “my sister Mia”.',
  unknown: (name: string) => `Nothing was known of ${name} on this day`,
}

const ZH: typeof EN = {
  lead: '用户自己的话里说到的人和宠物、他们的关系，以及这样说的原话。',
  entities: '人和宠物',
  relations: '关系',
  statements: (count) => `${count} 条陈述`,
  at: '截至',
  evidence: '原话',
  said: (name) => `关于${name}的话`,
  empty: '还不知道任何关系',
  emptyHint: '消息里说到谁是谁之后会出现在这里，例如“我姐姐叫小敏”。',
  unknown: (name) => `这一天还不知道${name}`,
}

export const RELATIONS = { en: EN, zh: ZH }
