const EN = {
  lead: 'Choose a policy and how many memories to keep, and see which would be forgotten. Nothing is forgotten before you confirm.',
  policy: 'Policy',
  own: (name: string) => `${name} (in use)`,
  ofFacts: 'facts (counted apart from messages)',
  room: 'Keep',
  roomValue: (kept: string, of: string) => `${kept} of ${of} memories`,
  go: (count: string) => `${count} would be forgotten`,
  stay: 'All are kept',
  formula: 'Strength: ',
  goes: 'forgotten',
  stays: 'kept',
  because: {
    pinned: 'pinned',
    untold: 'not summarised yet',
    'larger-than-capacity': 'larger than the capacity',
    strength: '',
  },
  weakest: (count: string) =>
    `All ${count} memories that the policy covers, in the order in which they would be forgotten.`,
  empty: 'There is nothing to forget',
  emptyHint: 'The policy covers messages. Start a conversation or import one first.',
  run: (count: number): string => (count === 1 ? 'Forget this' : 'Forget these'),
  confirm: (memories: string) => `Forget ${memories}?`,
  confirmHint: 'Forgotten memories are no longer recalled. Each can be restored from its page.',
  yes: 'Yes, forget',
  done: (memories: string) => `Forgotten: ${memories}.`,
}

const ZH: typeof EN = {
  lead: '选择策略和保留的记忆数量，查看哪些会被遗忘。确认之前不会遗忘任何内容。',
  policy: '策略',
  own: (name) => `${name}（使用中）`,
  ofFacts: '事实（与消息分开计数）',
  room: '保留',
  roomValue: (kept, of) => `${of} 条中的 ${kept} 条`,
  go: (count) => `${count} 条会被遗忘`,
  stay: '全部保留',
  formula: '强度：',
  goes: '遗忘',
  stays: '保留',
  because: { pinned: '已固定', untold: '尚未写入摘要', 'larger-than-capacity': '超出容量', strength: '' },
  weakest: (count) => `策略涵盖的全部 ${count} 条，按遗忘的先后排列。`,
  empty: '没有可遗忘的记忆',
  emptyHint: '策略涵盖的是消息。请先开始对话，或导入一段对话。',
  run: () => '遗忘',
  confirm: (memories) => `遗忘 ${memories}？`,
  confirmHint: '遗忘的记忆不再被检索。每一条都可以在它的页面上恢复。',
  yes: '是，遗忘',
  done: (memories) => `已遗忘 ${memories}。`,
}

/** What the retention page says. */
export const RETENTION = { en: EN, zh: ZH }
