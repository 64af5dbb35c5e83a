const EN = {
  lead: 'The talk at three distances: the summaries, the units they are made of, and the turns themselves.',
  zoom: 'How near',
  turns: 'Turns',
  units: 'Units',
  summaries: 'Summaries',
  story: 'Story so far',
  session: (number: string) => `Session ${number}`,
  empty: 'There is nothing at this distance yet',
  emptyTold:
    'Units are made as the talk goes on, summaries when a session ends. Look nearer, or end the session.',
  emptyTurns: 'Nothing was said yet',
  emptyTurnsTold: 'What is said stands here, turn by turn.',
  nearer: 'the turns of this session',
  rests: (turns: string) => `rests on ${turns}`,
  more: 'Later turns',
  all: 'All sessions',
}

const ZH: typeof EN = {
  lead: '从三种远近看这段交谈：摘要、组成摘要的单元，以及原话。',
  zoom: '远近',
  turns: '原话',
  units: '单元',
  summaries: '摘要',
  story: '至今的故事',
  session: (number) => `第 ${number} 次会话`,
  empty: '在这个远近上还没有内容',
  emptyTold: '单元在交谈中形成，摘要在会话结束时写成。可以看近一些，或结束会话。',
  emptyTurns: '还没有说过什么',
  emptyTurnsTold: '说过的话会逐句出现在这里。',
  nearer: '看这次会话的原话',
  rests: (turns) => `以 ${turns}为依据`,
  more: '更晚的话',
  all: '所有会话',
}

/** What the story page says. */
export const STORY = { en: EN, zh: ZH }
